import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { addUser, PASSWORD, type PoolService, startPoolService, WEB_AUTHN } from '@poolgate/gateway/testing';
import { type FakePasskeyBrowser, installFakePasskeyBrowser } from '../testing/fake-passkey-browser.ts';
import {
  createChallengeResponse,
  createChoiceResponse,
  createScriptedClient,
  LOGIN_SUCCESS,
} from '../testing/scripted-service.ts';
import { createTokensTestClient, requireStep } from '../testing/test-client.ts';

const named = (name: string) => new DOMException('of a test', name);
const waiting = (signal: AbortSignal) =>
  new Promise<null>((_, reject) => signal.addEventListener('abort', () => reject(named('AbortError')), { once: true }));

describe('passkeys of the browser', () => {
  let service: PoolService;
  let page: FakePasskeyBrowser;
  let username: string;
  let users = 0;
  before(async () => {
    service = await startPoolService({ pool: { webAuthn: WEB_AUTHN } });
  });
  after(() => service.close());
  beforeEach(async () => {
    users += 1;
    username = `key${users}@example.com`;
    await addUser(service, username);
    page = installFakePasskeyBrowser('http://localhost:3000');
  });
  afterEach(() => page.leave());

  async function withPasskey(name?: string) {
    const client = createTokensTestClient(service);
    requireStep('done', await client.login.withPassword({ username, password: PASSWORD }));
    const made = await client.passkeys.create(name === undefined ? {} : { name });
    assert.equal(made.kind, 'created');
    return { client, id: made.kind === 'created' ? made.credentialId : '' };
  }

  it('are created, named, listed, renamed and removed, and the browser is told', async () => {
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

  it('log in with and without a username', async () => {
    await withPasskey();
    for (const login of [{ username }, undefined]) {
      const client = createTokensTestClient(service);
      requireStep('done', await client.login.withPasskey(login));
      assert.equal((await client.profile.show()).email, username);
    }
    const [byName, byNobody] = page.requests;
    assert.equal(byName?.publicKey?.allowCredentials?.length, 1);
    assert.ok(!byNobody?.publicKey?.allowCredentials?.length);
    assert.ok(byName?.publicKey?.challenge instanceof Uint8Array);
  });

  it('leave the step open if the user provides none, with the reason', async () => {
    await withPasskey();
    const client = createTokensTestClient(service);
    const reasons = {
      NotAllowedError: 'cancelled',
      AbortError: 'cancelled',
      TimeoutError: 'timedOut',
      NotSupportedError: 'notSupported',
      ConstraintError: 'notSupported',
    } as const;
    for (const [name, failure] of Object.entries(reasons)) {
      page.userAction = async () => {
        throw named(name);
      };
      const step = requireStep('passkey', await client.login.withPasskey({ username }));
      assert.deepEqual([step.failure, step.error], [failure, null], name);
    }
    page.userAction = async () => null;
    const none = requireStep('passkey', await client.login.withPasskey({ username }));
    assert.equal(none.failure, 'cancelled');
    page.userAction = undefined;
    requireStep('done', await none.use());
    page.userAction = async () => {
      throw named('SecurityError');
    };
    await assert.rejects(client.login.withPasskey({ username }), { name: 'SecurityError' });
  });

  it('are not created twice, and are forgotten if the service rejects them', async () => {
    const { client } = await withPasskey();
    for (const [name, kind] of [
      ['InvalidStateError', 'alreadyRegistered'],
      ['NotAllowedError', 'cancelled'],
    ]) {
      page.userAction = async () => {
        throw named(name ?? '');
      };
      assert.deepEqual(await client.passkeys.create(), { kind });
    }
    page.leave();
    const other = installFakePasskeyBrowser('https://evil.example');
    await assert.rejects(client.passkeys.create());
    assert.deepEqual(
      other.signals.map(([name]) => name),
      ['unknownCredential'],
    );
    other.leave();
    assert.deepEqual(await client.passkeys.create(), { kind: 'notSupported' });
    page = installFakePasskeyBrowser('http://localhost:3000');
  });

  it('reauthenticate the signed-in user and nobody else', async () => {
    const { client } = await withPasskey();
    requireStep('done', await client.reauthenticate.withPasskey());
    assert.equal(page.requests.at(-1)?.publicKey?.allowCredentials?.length, 1);
    const { reauthenticate, requests } = createTokensTestClient(service);
    for (const again of [
      () => reauthenticate.withPasskey(),
      () => reauthenticate.withPassword(PASSWORD),
      () => reauthenticate.withFactor('WEB_AUTHN'),
      () => reauthenticate.choose(),
    ]) {
      await assert.rejects(again, { code: 'unauthenticated', status: 401 });
    }
    assert.deepEqual([page.requests.length, requests.length], [1, 0]);
  });

  it("are removed from the browser's list if the service no longer knows them", async () => {
    const { client, id } = await withPasskey();
    await client.passkeys.remove(id, { endOtherSessions: false });
    page.signals.length = 0;
    const refused = requireStep('refused', await createTokensTestClient(service).login.withPasskey());
    assert.equal(refused.error.code, 'passkey_not_found');
    assert.deepEqual(page.signals, [['unknownCredential', { rpId: 'localhost', credentialId: id }]]);
  });

  it('are offered in a field until one is chosen, the offer is aborted, or a button asks for one', async () => {
    await withPasskey();
    const client = createTokensTestClient(service);
    const chosen = await client.login.autofill();
    assert.equal(chosen?.kind, 'done');
    assert.equal(page.requests.at(-1)?.mediation, 'conditional');
    page.userAction = waiting;
    const leaving = new AbortController();
    const left = client.login.autofill({ signal: leaving.signal });
    await until(() => page.requests.length === 2);
    leaving.abort();
    assert.equal(await left, null);
    const offered = client.login.autofill();
    await until(() => page.requests.length === 3);
    page.userAction = undefined;
    requireStep('done', await client.login.withPasskey({ username }));
    assert.equal(await offered, null);
    assert.equal(await client.login.autofill({ signal: AbortSignal.abort() }), null);
    Object.assign(PublicKeyCredential, { isConditionalMediationAvailable: async () => false });
    assert.equal(await client.login.autofill(), null);
    page.leave();
    assert.equal(await client.login.autofill(), null);
    const none = requireStep('passkey', await client.login.withPasskey({ username }));
    assert.equal(none.failure, 'notSupported');
  });
});

describe('a passkey assertion', () => {
  const OPTIONS = { CREDENTIAL_REQUEST_OPTIONS: JSON.stringify({ challenge: 'AQID', rpId: 'localhost' }) };
  const AWAY = [503, { code: 'unavailable' }] as const;
  const UNKNOWN = [404, { code: 'passkey_not_found' }] as const;
  const offer = (session = 's1') => createChoiceResponse('WEB_AUTHN', session, OPTIONS);
  const buffer = new Uint8Array([1, 2, 3]).buffer;
  const response = { clientDataJSON: buffer, authenticatorData: buffer, signature: buffer, userHandle: null };
  const CREDENTIAL = { rawId: buffer, type: 'public-key', authenticatorAttachment: null, response };
  let page: FakePasskeyBrowser;
  let signals: AbortSignal[];
  beforeEach(() => {
    page = installFakePasskeyBrowser('http://localhost:3000');
    signals = [];
    page.userAction = async (signal) => {
      signals.push(signal);
      return CREDENTIAL as unknown as Credential;
    };
  });
  afterEach(() => page.leave());

  it('is repeated if the service could not check it, and reported to the browser if it is unknown', async () => {
    const { client, requests: asked } = createScriptedClient(offer(), AWAY, AWAY, UNKNOWN, offer(), LOGIN_SUCCESS);
    let step = requireStep('passkey', await client.login.withPasskey({ username: 'ada' }));
    assert.deepEqual([step.username, step.error?.code, step.failure], ['ada', 'unavailable', null]);
    step = requireStep('passkey', await step.use());
    assert.deepEqual([step.username, step.error?.code, page.signals], ['ada', 'unavailable', []]);
    const refused = requireStep('refused', await step.use());
    assert.deepEqual([refused.username, refused.error.code], ['ada', 'passkey_not_found']);
    assert.deepEqual(page.signals, [['unknownCredential', { rpId: 'localhost', credentialId: 'AQID' }]]);
    requireStep('done', await refused.retry());
    const [begun, first, second, third, anew, last] = asked;
    assert.deepEqual([begun, anew], Array(2).fill({ ...begun, body: { username: 'ada' } }));
    assert.equal(begun?.path, '/login/passkey/challenge/WEB_AUTHN');
    const { challenge_value: proof, ...body } = first?.body ?? {};
    assert.deepEqual(body, { challenge_name: 'WEB_AUTHN', session: 's1', username: 'ada' });
    assert.equal(JSON.parse(String(proof)).id, 'AQID');
    assert.deepEqual([second, third, last], Array(3).fill(first));
  });

  it('belongs to a step like any other, which the user may leave open', async () => {
    const { client, requests: asked } = createScriptedClient(
      createChallengeResponse('WEB_AUTHN', 's1', OPTIONS),
      LOGIN_SUCCESS,
    );
    const step = requireStep('passkey', await client.login.withTriggers({ username: 'ada' }));
    assert.deepEqual([step.username, step.error, step.failure, signals.length], ['ada', null, null, 0]);
    page.userAction = async () => null;
    const cancelled = requireStep('passkey', await step.use());
    assert.deepEqual([cancelled.username, cancelled.error, cancelled.failure], ['ada', null, 'cancelled']);
    page.userAction = async () => CREDENTIAL as unknown as Credential;
    requireStep('done', await cancelled.use());
    assert.equal(asked.length, 2);
  });

  it('is requested again in a field before its challenge expires', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { client, requests: asked } = createScriptedClient(offer('s1'), offer('s2'), LOGIN_SUCCESS);
    page.userAction = (signal) => {
      signals.push(signal);
      return waiting(signal);
    };
    const offered = client.login.autofill();
    await until(() => signals.length === 1);
    t.mock.timers.tick(149_999);
    assert.deepEqual([signals[0]?.aborted, asked.length], [false, 1]);
    page.userAction = async () => CREDENTIAL as unknown as Credential;
    t.mock.timers.tick(1);
    assert.equal((await offered)?.kind, 'done');
    assert.equal(signals[0]?.aborted, true);
    assert.deepEqual(
      asked.map(({ path, body }) => [path, body.session, 'username' in body]),
      [
        ['/login/passkey/discoverable', undefined, false],
        ['/login/passkey/discoverable', undefined, false],
        ['/login/auth-challenge', 's2', false],
      ],
    );
  });

  it('no longer depends on the page or the timeout once it was chosen', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { client } = createScriptedClient(offer(), LOGIN_SUCCESS);
    const leaving = new AbortController();
    assert.equal((await client.login.autofill({ signal: leaving.signal }))?.kind, 'done');
    t.mock.timers.tick(150_000);
    leaving.abort();
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [false],
    );
  });

  it('ends the login if the service rejects it, whatever the reason', async () => {
    const { client } = createScriptedClient(offer(), AWAY, offer(), LOGIN_SUCCESS);
    const refused = requireStep('refused', (await client.login.autofill()) ?? assert.fail());
    assert.deepEqual([refused.username, refused.error.code], [null, 'unavailable']);
    requireStep('done', await refused.retry());
  });

  it('is not offered if the service is unreachable or the field has left the page', async () => {
    for (const answer of [AWAY, 'away', [429, { code: 'too_many_requests' }]] as const) {
      const { client, requests: asked } = createScriptedClient(answer);
      assert.equal(await client.login.autofill(), null);
      assert.equal(asked.length, 1);
    }
    const leaving = new AbortController();
    const { client } = createScriptedClient(() => {
      leaving.abort();
      return offer();
    });
    assert.equal(await client.login.autofill({ signal: leaving.signal }), null);
    assert.deepEqual(page.requests, []);
  });
});

/** Waits for a condition without using time. */
async function until(hasCome: () => boolean): Promise<void> {
  for (let turns = 0; !hasCome(); turns += 1) {
    assert.ok(turns < 10_000, 'it does not come');
    await new Promise(setImmediate);
  }
}
