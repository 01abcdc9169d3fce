import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { memoryVault, PoolgateError } from '@poolgate/client';
import { createRecordedClient, type RecordedClient, requireStep } from '../support/clients/recorded-client.ts';
import { ON_COGNITO } from '../support/provider/tested-provider.ts';
import { computeTotpCode } from '../support/routes/route-mfa.ts';
import { addUser, inviteUser, PASSWORD, startTestService, type TestService } from '../support/services/test-service.ts';

const NEXT_PASSWORD = 'Another-Horse2!';
/** A leaked password, and the two parts of its digest. */
const LEAKED = { text: 'Tr0ub4dor&3-Leaked', digest: createHash('sha1').update('Tr0ub4dor&3-Leaked').digest('hex') };

/** Passwords that either form rejects, and one that it accepts. */
const PASSWORDS: readonly (readonly [password: string, isTaken: boolean])[] = [
  ['Password1!', false],
  ['pAssWord1!', false],
  ['Qwerty123!', false],
  ['Dragon2024!?', false],
  ['1234567Aa!', false],
  [LEAKED.text, false],
  [`${LEAKED.text}!`, true],
  ['xPassword1!', true],
];

const withCode = (code: string) => (error: unknown) => error instanceof PoolgateError && error.code === code;

describe('account functions of the client', () => {
  let service: TestService;
  let leaks: Server;
  let email: string;
  let users = 0;

  before(async () => {
    leaks = createServer(({ url = '' }, response) => {
      response.end(LEAKED.digest.startsWith(url.slice(1).toLowerCase()) ? `${LEAKED.digest.slice(5)}:3` : '');
    }).listen(0, '127.0.0.1');
    await once(leaks, 'listening');
    const breachedPasswords = `http://127.0.0.1:${(leaks.address() as AddressInfo).port}`;
    service = await startTestService(ON_COGNITO ? {} : { breachedPasswords });
  });
  after(async () => {
    await service?.close();
    leaks.close();
    leaks.closeAllConnections();
  });
  beforeEach(() => {
    email = `own${users++}@example.com`;
  });

  const codeTo = (address: string): string => service.outbox?.list(address)[0]?.code ?? '';
  const logIn = (client: RecordedClient, password = PASSWORD) =>
    client.login.withPassword({ username: email, password });

  async function loggedIn(): Promise<RecordedClient> {
    await addUser(service, email);
    const client = createRecordedClient(service);
    requireStep('done', await logIn(client));
    return client;
  }

  /** The embedded pool never receives a password. */
  function sentNoPassword({ requests }: RecordedClient): void {
    if (ON_COGNITO) return;
    const log = JSON.stringify(requests);
    assert.ok(!log.includes(PASSWORD) && !log.includes(NEXT_PASSWORD), log);
  }

  it('registers, resends the code, confirms and logs in', async () => {
    const client = createRecordedClient(service);
    const begun = await client.signUp.register({ email, password: PASSWORD, name: 'Ada' });
    await begun.resend();
    await assert.rejects(begun.verify('00000000'), withCode('code_mismatch'));
    await client.signUp.resume({ email, session: begun.session }).verify(codeTo(email));
    requireStep('done', await logIn(client));
    const user = await client.profile.show();
    assert.deepEqual([user.email, user.attributes.name], [email, 'Ada']);
    sentNoPassword(client);
  });

  it('refuses the passwords that the service refuses, before it computes a verifier', async () => {
    if (ON_COGNITO) return;
    const client = createRecordedClient(service);
    for (const [at, [password, isTaken]] of PASSWORDS.entries()) {
      const sent = await service.post('/register', { email: `plain${at}@example.com`, password });
      const problems = (sent.body.errors as readonly { readonly code: string }[] | undefined)?.map(({ code }) => code);
      assert.equal(problems === undefined, isTaken, password);
      const kept = client.signUp.register({ email: `kept${at}@example.com`, password });
      await kept.catch((error: PoolgateError) => assert.equal(error.code, 'validation_failed'));
      const found = await kept.then(
        () => undefined,
        ({ fieldErrors }: PoolgateError) => fieldErrors.map(({ code }) => code),
      );
      assert.deepEqual(found, problems, password);
    }
    const taken = PASSWORDS.filter(([, isTaken]) => isTaken).length;
    assert.equal(client.requests.filter(({ path }) => path.endsWith('/register/start')).length, taken);
    assert.ok(!PASSWORDS.some(([password]) => JSON.stringify(client.requests).includes(password)));
  });

  it('checks new passwords for leaks wherever one is set', async () => {
    if (ON_COGNITO) return;
    const client = await loggedIn();
    const isCommon = (error: unknown) =>
      error instanceof PoolgateError && error.fieldErrors[0]?.code === 'password_too_common';
    await assert.rejects(client.password.change({ current: PASSWORD, next: 'Password1!' }), isCommon);
    await client.password.forgot({ email });
    await assert.rejects(client.password.reset({ email, code: codeTo(email), password: 'Password1!' }), isCommon);
    const invited = createRecordedClient(service);
    await inviteUser(service, `invited-${email}`);
    const step = await invited.login.withPassword({ username: `invited-${email}`, password: PASSWORD });
    const again = requireStep('newPassword', await requireStep('newPassword', step).submit('Password1!'));
    assert.equal(again.error?.fieldErrors[0]?.code, 'password_too_common');
  });

  it('resets a forgotten password', async () => {
    const client = await loggedIn();
    await client.password.forgot({ email });
    await client.password.reset({ email, code: codeTo(email), password: NEXT_PASSWORD });
    const next = createRecordedClient(service);
    assert.equal((await logIn(next)).kind, 'refused');
    requireStep('done', await logIn(next, NEXT_PASSWORD));
    sentNoPassword(client);
  });

  it('requires the old password for a new one', async () => {
    const client = await loggedIn();
    const wrong = client.password.change({ current: 'Wrong-Horse3!', next: NEXT_PASSWORD });
    await assert.rejects(wrong, withCode('invalid_credentials'));
    await client.password.change({ current: PASSWORD, next: NEXT_PASSWORD });
    requireStep('done', await logIn(createRecordedClient(service), NEXT_PASSWORD));
    sentNoPassword(client);
  });

  it('changes an address once it is verified', async () => {
    const client = await loggedIn();
    const address = `new-${email}`;
    const { codesSent } = await client.profile.update({ email: address });
    assert.equal(codesSent[0]?.attribute, 'email');
    assert.equal((await client.profile.show()).email, email);
    await client.profile.verify('email', codeTo(address));
    assert.equal((await client.profile.show()).email, address);
  });

  it('sets up an authenticator app, shows the factors and turns MFA off', async () => {
    const client = await loggedIn();
    const authenticator = await client.mfa.activate();
    await authenticator.verify(computeTotpCode(service, authenticator.secretCode), { name: 'Phone' });
    if ((await client.tokens()) === null) return;
    const { mfa } = await client.mfa.factors();
    assert.deepEqual([mfa.enabled, mfa.preferred], [true, 'SOFTWARE_TOKEN_MFA']);
    await client.mfa.deactivate({ endOtherSessions: false });
    assert.equal((await client.mfa.factors()).mfa.enabled, false);
  });

  it('shows recovery codes once', async () => {
    const client = await loggedIn();
    const authenticator = await client.mfa.activate();
    await authenticator.verify(computeTotpCode(service, authenticator.secretCode));
    const { codes } = await client.mfa.newRecoveryCodes();
    assert.equal(codes.length, 10);
    assert.equal((await client.mfa.factors()).recoveryCodesLeft, 10);
  });

  it('lists, renames and forgets devices, including this one', async () => {
    await addUser(service, email);
    const devices = memoryVault();
    const client = createRecordedClient(service, { devices });
    const done = requireStep('done', await logIn(client));
    await done.rememberDevice?.('Laptop');
    const owner = { userPoolId: service.userPoolId, username: done.username };
    const [device] = (await client.devices.list()).items;
    assert.equal(device?.device_name, 'Laptop');
    const key = device?.device_key ?? '';
    assert.equal((await client.devices.rename(key, 'Desk')).device_name, 'Desk');
    await client.devices.setRemembered(key, false);
    assert.ok(await devices.find(owner));
    await client.devices.forget(key);
    assert.equal(await devices.find(owner), undefined);
    assert.deepEqual((await client.devices.list()).items, []);
  });

  it('lists sessions and ends another one', async () => {
    const client = await loggedIn();
    const other = createRecordedClient(service);
    requireStep('done', await logIn(other));
    const { items } = await client.sessions.list({ limit: 10 });
    assert.equal(items.length, 2);
    const another = items.find(({ current }) => !current);
    await client.sessions.end(another?.id ?? '');
    await assert.rejects(other.profile.show(), withCode('unauthenticated'));
    assert.equal((await client.profile.show()).email, email);
  });

  it('ends every login', async () => {
    const client = await loggedIn();
    const other = createRecordedClient(service);
    requireStep('done', await logIn(other));
    await client.sessions.endAll();
    assert.equal(await client.tokens(), null);
    await assert.rejects(other.profile.show(), withCode('unauthenticated'));
  });

  it('deletes the account', async () => {
    const client = await loggedIn();
    await client.profile.deleteAccount();
    assert.equal(await client.tokens(), null);
    const refused = requireStep('refused', await logIn(client));
    assert.equal(refused.error.code, 'invalid_credentials');
  });

  it('requires a recent login before an account is deleted', async () => {
    const client = await loggedIn();
    service.clock.advance(16 * 60_000);
    await assert.rejects(client.profile.deleteAccount(), withCode('reauthentication_required'));
  });
});
