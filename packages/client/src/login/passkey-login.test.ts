import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { addUser, PASSWORD, type PoolService, poolService, WEB_AUTHN } from '@poolgate/gateway/testing';
import { type PasskeyPage, passkeyPage } from '../testing/browser.ts';
import { stepOf, tokensClient } from '../testing/client.ts';

const named = (name: string) => new DOMException('of a test', name);

describe('a login by a passkey of the browser', () => {
  let service: PoolService;
  let page: PasskeyPage;
  let username: string;
  let users = 0;
  before(async () => {
    service = await poolService({ pool: { webAuthn: WEB_AUTHN } });
  });
  after(() => service.close());
  beforeEach(async () => {
    users += 1;
    username = `key${users}@example.com`;
    await addUser(service, username);
    page = passkeyPage('http://localhost:3000');
  });
  afterEach(() => page.leave());

  async function withPasskey(name?: string) {
    const client = tokensClient(service);
    stepOf('done', await client.login.withPassword({ username, password: PASSWORD }));
    const made = await client.passkeys.create(name === undefined ? {} : { name });
    assert.equal(made.kind, 'created');
    return { client, id: made.kind === 'created' ? made.credentialId : '' };
  }

  it('is made, named, listed, renamed and removed, and the browser is told', async () => {
    const { client, id } = await withPasskey('Laptop');
    const [passkey] = await client.passkeys.list();
    assert.deepEqual([passkey?.credential_id, passkey?.name], [id, 'Laptop']);
    await client.passkeys.rename(id, 'Desk');
    await client.profile.update({ given_name: 'Ada' });
    const renamed = page.signals[0] ?? assert.fail();
    assert.equal(renamed[0], 'currentUserDetails');
    assert.equal((renamed[1] as { name: string }).name, username);
    const outcome = await client.passkeys.remove(id, { endOtherSessions: false });
    assert.equal(outcome.loginEnded, false);
    assert.deepEqual(await client.passkeys.list(), []);
    const [, unknown, accepted = assert.fail()] = page.signals;
    assert.deepEqual(unknown, ['unknownCredential', { rpId: 'localhost', credentialId: id }]);
    assert.equal(accepted[0], 'allAcceptedCredentials');
    assert.deepEqual((accepted[1] as { allAcceptedCredentialIds: string[] }).allAcceptedCredentialIds, []);
  });

  it('proves the user by name, and without one', async () => {
    await withPasskey();
    for (const login of [{ username }, undefined]) {
      const client = tokensClient(service);
      stepOf('done', await client.login.withPasskey(login));
      assert.equal((await client.profile.show()).email, username);
    }
    const [byName, byNobody] = page.asked;
    assert.equal(byName?.publicKey?.allowCredentials?.length, 1);
    assert.ok(!byNobody?.publicKey?.allowCredentials?.length);
    assert.ok(byName?.publicKey?.challenge instanceof Uint8Array);
  });

  it('waits as before where the user gives none, and says why', async () => {
    await withPasskey();
    const client = tokensClient(service);
    const reasons = {
      NotAllowedError: 'cancelled',
      AbortError: 'cancelled',
      TimeoutError: 'timedOut',
      NotSupportedError: 'notSupported',
      ConstraintError: 'notSupported',
    } as const;
    for (const [name, failure] of Object.entries(reasons)) {
      page.instead = async () => {
        throw named(name);
      };
      const step = stepOf('passkey', await client.login.withPasskey({ username }));
      assert.deepEqual([step.failure, step.error], [failure, null], name);
    }
    page.instead = async () => null;
    const none = stepOf('passkey', await client.login.withPasskey({ username }));
    assert.equal(none.failure, 'cancelled');
    page.instead = undefined;
    stepOf('done', await none.use());
    page.instead = async () => {
      throw named('SecurityError');
    };
    await assert.rejects(client.login.withPasskey({ username }), { name: 'SecurityError' });
  });

  it('is not made twice, and one that the service does not take is forgotten', async () => {
    const { client } = await withPasskey();
    for (const [name, kind] of [
      ['InvalidStateError', 'alreadyRegistered'],
      ['NotAllowedError', 'cancelled'],
    ]) {
      page.instead = async () => {
        throw named(name ?? '');
      };
      assert.deepEqual(await client.passkeys.create(), { kind });
    }
    page.instead = undefined;
    const other = passkeyPage('https://evil.example');
    await assert.rejects(client.passkeys.create());
    assert.deepEqual(
      other.signals.map(([name]) => name),
      ['unknownCredential'],
    );
    other.leave();
    assert.deepEqual(await client.passkeys.create(), { kind: 'notSupported' });
    page = passkeyPage('http://localhost:3000');
  });

  it('is taken from the list of a browser where the service knows it no more', async () => {
    const { client, id } = await withPasskey();
    await client.passkeys.remove(id, { endOtherSessions: false });
    page.signals.length = 0;
    const refused = stepOf('refused', await tokensClient(service).login.withPasskey());
    assert.equal(refused.error.code, 'passkey_not_found');
    assert.deepEqual(page.signals, [['unknownCredential', { rpId: 'localhost', credentialId: id }]]);
  });

  it('is offered in a field until it is chosen, aborted, or asked for by a button', async () => {
    await withPasskey();
    const client = tokensClient(service);
    const chosen = await client.login.autofill();
    assert.equal(chosen?.kind, 'done');
    assert.equal(page.asked.at(-1)?.mediation, 'conditional');
    const waiting = (signal: AbortSignal) =>
      new Promise<null>((_, reject) =>
        signal.addEventListener('abort', () => reject(named('AbortError')), { once: true }),
      );
    page.instead = waiting;
    const leaving = new AbortController();
    const left = client.login.autofill({ signal: leaving.signal });
    await asked(page);
    leaving.abort();
    assert.equal(await left, null);
    const offered = client.login.autofill();
    await asked(page);
    page.instead = undefined;
    stepOf('done', await client.login.withPasskey({ username }));
    assert.equal(await offered, null);
    assert.equal(await client.login.autofill({ signal: AbortSignal.abort() }), null);
    Object.assign(PublicKeyCredential, { isConditionalMediationAvailable: async () => false });
    assert.equal(await client.login.autofill(), null);
    page.leave();
    assert.equal(await client.login.autofill(), null);
    const none = stepOf('passkey', await client.login.withPasskey({ username }));
    assert.equal(none.failure, 'notSupported');
  });
});

/** Until the browser is asked once more. */
async function asked({ asked: before }: PasskeyPage): Promise<void> {
  for (const count = before.length; before.length === count; ) await new Promise(setImmediate);
}
