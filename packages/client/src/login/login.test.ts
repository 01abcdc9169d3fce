import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  addUser,
  computeTestTotpCode,
  computeWrongTotpCode,
  enrolTotp,
  inviteUser,
  PASSWORD,
  type PoolService,
  sentCode,
  startPoolService,
  TEST_CALL,
} from '@poolgate/gateway/testing';
import { memoryVault } from '../devices/device-vault.ts';
import { createSessionTestClient, createTokensTestClient, requireStep } from '../testing/test-client.ts';
import { PoolgateError } from '../transport/poolgate-error.ts';

const STEP_MS = 30_000;
const WRONG = 'Wrong-Horse9!';
const NEXT = 'Another-Horse2!';

describe('client login', () => {
  let service: PoolService;
  let username: string;
  let users = 0;
  before(async () => {
    const deviceTracking = { challengeRequiredOnNewDevice: true, onlyRememberedOnUserPrompt: true };
    service = await startPoolService({ pool: { deviceTracking } });
  });
  after(() => service.close());
  beforeEach(() => {
    users += 1;
    username = `sdk${users}@example.com`;
  });

  const readAccessToken = async (client: ReturnType<typeof createTokensTestClient>) =>
    (await client.tokens())?.accessToken ?? '';
  async function withAuthenticator(): Promise<string> {
    await addUser(service, username);
    const client = createTokensTestClient(service);
    requireStep('done', await client.login.withPassword({ username, password: PASSWORD }));
    const secret = await enrolTotp(service, await readAccessToken(client));
    service.clock.advance(STEP_MS);
    return secret;
  }

  it('proves the password, and sends neither it nor an equivalent', async () => {
    const canonical = await addUser(service, username);
    const client = createTokensTestClient(service);
    const changes: string[] = [];
    const stop = client.onChange(() => changes.push('changed'));
    const done = requireStep('done', await client.login.withPassword({ username, password: PASSWORD }));
    assert.deepEqual([done.username, changes.length], [canonical, 1]);
    assert.equal((await client.profile.show()).email, username);
    assert.ok(!JSON.stringify(client.requests).includes(PASSWORD));
    const { accessToken, expiresAtMs } = (await client.tokens()) ?? { accessToken: '', expiresAtMs: 0 };
    assert.equal(expiresAtMs, service.clock.now() + 3_600_000);
    stop();
    await client.logOut();
    assert.deepEqual([await client.tokens(), changes.length], [null, 1]);
    const bearer = { authorization: `Bearer ${accessToken}` };
    assert.equal((await service.ask('GET', '/user/profile', { headers: bearer })).status, 401);
    await client.logOut();
  });

  it('returns the reason for a wrong password, and a retry asks again', async () => {
    await addUser(service, username);
    const client = createTokensTestClient(service);
    const refused = requireStep('refused', await client.login.withPassword({ username, password: WRONG }));
    const { code, status, requestId, message } = refused.error;
    assert.deepEqual([refused.username, code, status], [username, 'invalid_credentials', 401]);
    assert.ok(requestId);
    assert.notEqual(message, code);
    const asked = requireStep('password', await refused.retry());
    assert.deepEqual([asked.username, asked.error], [username, null]);
    requireStep('done', await asked.submit(PASSWORD));
  });

  it("uses each prepared value once, and fetches the service's parameters once", async () => {
    await addUser(service, username);
    const client = createTokensTestClient(service);
    await client.login.prepare();
    assert.deepEqual(
      client.requests.map(({ path }) => path),
      ['/api/cognito/login/parameters'],
    );
    for (let times = 0; times < 2; times += 1) {
      requireStep('done', await client.login.withPassword({ username, password: PASSWORD }));
    }
    const begun = client.requests.filter(({ path }) => path.endsWith('/login/srp'));
    assert.equal(new Set(begun.map(({ body }) => JSON.parse(body).srp_a)).size, 2);
    assert.equal(client.requests.filter(({ path }) => path.endsWith('/parameters')).length, 1);
  });

  it('stays at a step after a wrong answer, and finishes with an authenticator or recovery code', async () => {
    const secret = await withAuthenticator();
    const client = createTokensTestClient(service);
    const asked = requireStep('totp', await client.login.withPassword({ username, password: PASSWORD }));
    assert.deepEqual([asked.username, asked.error], [username, null]);
    const again = requireStep('totp', await asked.submit(computeWrongTotpCode(service, secret)));
    assert.equal(again.error?.code, 'code_mismatch');
    const recovery = again.useRecoveryCode();
    assert.deepEqual([recovery.username, recovery.error], [username, null]);
    assert.equal(requireStep('totp', recovery.back()).error, null);
    requireStep('done', await again.submit(computeTestTotpCode(service, secret)));
    const { codes } = await client.mfa.newRecoveryCodes({ endOtherSessions: false });
    const second = createTokensTestClient(service);
    const totp = requireStep('totp', await second.login.withPassword({ username, password: PASSWORD }));
    const wrong = requireStep('recoveryCode', await totp.useRecoveryCode().submit('aaaa-bbbb-cccc'));
    assert.equal(wrong.error?.code, 'code_mismatch');
    requireStep('done', await wrong.submit(` ${codes[0]} `));
  });

  it('sets a required new password without sending it', async () => {
    await inviteUser(service, username);
    const client = createTokensTestClient(service);
    const asked = requireStep('newPassword', await client.login.withPassword({ username, password: PASSWORD }));
    assert.deepEqual([asked.attributes.email, asked.requiredAttributes], [username, []]);
    for (const [password, code] of [
      ['short', 'password_too_short'],
      [PASSWORD, 'password_temporary_again'],
    ] as const) {
      const refused = requireStep('newPassword', await asked.submit(password));
      assert.equal(refused.error?.code, 'validation_failed');
      assert.ok(
        refused.error.fieldErrors.some((problem) => problem.code === code && problem.field === 'challenge_value'),
        JSON.stringify(refused.error.fieldErrors),
      );
    }
    requireStep('done', await asked.submit(NEXT, { given_name: 'Ada' }));
    assert.equal((await client.profile.show()).attributes.given_name, 'Ada');
    assert.ok(!JSON.stringify(client.requests).includes(NEXT));
    requireStep('done', await createTokensTestClient(service).login.withPassword({ username, password: NEXT }));
  });

  it('accepts a code that was sent, and sends another after half a minute', async () => {
    await addUser(service, username);
    const client = createTokensTestClient(service);
    const step = await client.login.withFactor({ username, factor: 'EMAIL_OTP' });
    const asked = requireStep('sentCode', step);
    assert.deepEqual([asked.channel, asked.isSecondFactor, asked.useRecoveryCode], ['email', false, null]);
    assert.match(asked.destination ?? '', /^s\*\*\*@/);
    assert.equal(asked.resendAtMs, service.clock.now() + STEP_MS);
    const early = requireStep('sentCode', (await asked.resend?.()) ?? assert.fail());
    assert.deepEqual([early.error?.code, early.error?.retryAfterSeconds], ['too_many_requests', 30]);
    service.clock.advance(STEP_MS);
    const first = sentCode(service, username);
    const resent = requireStep('sentCode', (await asked.resend?.()) ?? assert.fail());
    assert.equal(resent.error, null);
    assert.notEqual(sentCode(service, username), first);
    const wrong = requireStep('sentCode', await resent.submit('00000000'));
    assert.equal(wrong.error?.code, 'code_mismatch');
    requireStep('done', await wrong.submit(sentCode(service, username)));
  });

  it('starts with a choice of the factors that the user and the pool allow', async () => {
    await addUser(service, username);
    const client = createTokensTestClient(service);
    const choice = requireStep('selectFactor', await client.login.choose({ username }));
    assert.equal(choice.factors[0], 'PASSWORD');
    assert.equal(new Set(choice.factors).size, choice.factors.length);
    const password = requireStep('password', await choice.choose('PASSWORD'));
    requireStep('done', await password.submit(PASSWORD));
  });

  it('offers to remember the device, which then proves itself and is forgotten when the service forgets it', async () => {
    await addUser(service, username);
    const devices = memoryVault();
    const client = createTokensTestClient(service, { devices });
    const done = requireStep('done', await client.login.withPassword({ username, password: PASSWORD }));
    assert.ok(done.rememberDevice, 'a new device is offered');
    await done.rememberDevice('Laptop');
    const owner = { userPoolId: service.userPoolId, username: done.username };
    const kept = await devices.find(owner);
    assert.equal((await client.tokens())?.deviceKey, kept?.deviceKey);
    const [device] = (await client.devices.list()).items;
    assert.deepEqual([device?.device_name, await client.devices.current()], ['Laptop', kept?.deviceKey]);
    service.clock.advance(3_600_000);
    assert.ok(await client.tokens(), 'its refresh token is good together with its key');
    const told: string[] = [];
    const second = createTokensTestClient(service, { devices });
    const onDevice = ({ deviceKey }: { deviceKey: string }) => told.push(deviceKey);
    const known = requireStep('done', await second.login.withPassword({ username, password: PASSWORD, onDevice }));
    assert.deepEqual([told, known.rememberDevice], [[kept?.deviceKey], null]);
    assert.ok(!JSON.stringify(second.requests).includes(kept?.devicePassword ?? 'x'));
    await second.devices.forget(kept?.deviceKey ?? '');
    assert.equal(await devices.find(owner), undefined);
    await devices.save(owner, kept ?? assert.fail());
    const third = createTokensTestClient(service, { devices });
    const anew = requireStep('done', await third.login.withPassword({ username, password: PASSWORD }));
    assert.ok(anew.rememberDevice, 'a device that the service forgot is a new one');
    assert.equal(await devices.find(owner), undefined);
  });

  it('sets up an authenticator app if the pool requires one', async () => {
    const strict = await startPoolService({ pool: { mfaConfiguration: 'ON' } });
    await addUser(strict, 'ada@example.com');
    const client = createTokensTestClient(strict);
    const login = { username: 'ada@example.com', password: PASSWORD };
    const step = requireStep('setUpAuthenticator', await client.login.withPassword(login));
    assert.match(step.uri, /^otpauth:\/\/totp\//);
    const again = requireStep('setUpAuthenticator', await step.submit(computeWrongTotpCode(strict, step.secretCode)));
    assert.equal(again.error?.code, 'code_mismatch');
    requireStep('done', await again.submit(computeTestTotpCode(strict, step.secretCode), 'Phone'));
    assert.ok(await client.tokens());
    strict.clock.advance(STEP_MS);
    const asked = requireStep('totp', await createTokensTestClient(strict).login.withPassword(login));
    assert.equal(asked.authenticator, 'Phone');
    await strict.close();
  });

  it('becomes recent when the signed-in user proves their identity, and nobody else can do so', async () => {
    await addUser(service, username);
    const client = createTokensTestClient(service);
    await assert.rejects(client.reauthenticate.withPassword(PASSWORD), { code: 'unauthenticated', status: 401 });
    requireStep('done', await client.login.withPassword({ username, password: PASSWORD }));
    service.clock.advance(20 * 60_000);
    await assert.rejects(client.mfa.activate(), { code: 'reauthentication_required' });
    const refused = requireStep('refused', await client.reauthenticate.withPassword(WRONG));
    assert.equal(refused.error.code, 'invalid_credentials');
    requireStep('done', await client.reauthenticate.withPassword(PASSWORD));
    assert.ok((await client.mfa.activate()).secretCode);
    requireStep('selectFactor', await client.reauthenticate.choose());
    requireStep('sentCode', await client.reauthenticate.withFactor('EMAIL_OTP'));
  });

  it('reaches a level with what is missing, even after a wrong password', async () => {
    await addUser(service, username);
    const [tokens, session] = [createTokensTestClient(service), createSessionTestClient(service)];
    for (const client of [tokens, session]) {
      const asked = requireStep('sentCode', await client.login.withFactor({ username, factor: 'EMAIL_OTP' }));
      requireStep('done', await asked.submit(sentCode(service, username)));
      const level = { acrValues: 'urn:cognito:loa:3', maxAgeSeconds: 60 };
      const choice = requireStep('selectFactor', await client.reauthenticate.forLevel(level));
      assert.deepEqual(choice.factors, ['PASSWORD']);
      const password = requireStep('password', await choice.choose('PASSWORD'));
      const wrong = requireStep('refused', await password.submit(WRONG));
      assert.equal(wrong.error.code, 'invalid_credentials');
      requireStep('done', await password.submit(PASSWORD));
      const none = requireStep('refused', await client.reauthenticate.forLevel({ acrValues: 'urn:cognito:loa:4' }));
      assert.equal(none.error.code, 'invalid_parameter');
      service.clock.advance(3_600_000);
    }
    const [, payload = ''] = (await readAccessToken(tokens)).split('.');
    const { acr, amr } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    assert.deepEqual([acr, amr], ['urn:cognito:loa:3', ['pwd', 'email_otp', 'mfa']]);
  });

  it('opens a browser session on a page of the service, without exposing tokens', async () => {
    const canonical = await addUser(service, username);
    const client = createSessionTestClient(service);
    assert.equal((await client.session()).user, null);
    const changes: string[] = [];
    client.onChange(() => changes.push('changed'));
    const done = requireStep(
      'done',
      await client.login.withPassword({ username, password: PASSWORD, staySignedIn: true }),
    );
    assert.equal(done.username, canonical);
    const { user, expiresAt, authenticatedAt, proofs, returnTo } = await client.session('/account');
    assert.deepEqual([user?.email, returnTo], [username, `${service.baseUrl}/account`]);
    assert.ok(Date.parse(expiresAt ?? '') > service.clock.now() + 29 * 86_400_000, 'it stays');
    assert.ok(authenticatedAt);
    assert.deepEqual(
      proofs.map(({ factor }) => factor),
      ['PASSWORD'],
    );
    service.clock.advance(20 * 60_000);
    await assert.rejects(client.mfa.activate(), { code: 'reauthentication_required' });
    requireStep('done', await client.reauthenticate.withPassword(PASSWORD));
    assert.ok((await client.mfa.activate()).secretCode);
    await client.logOut();
    assert.equal((await client.session()).user, null);
    assert.equal(changes.length, 3);
    await assert.rejects(client.logOut(), { code: 'unauthenticated' });
  });

  it('fetches a new CSRF token once if the old one is no longer valid', async () => {
    await addUser(service, username);
    const client = createSessionTestClient(service);
    await client.session();
    requireStep('done', await client.login.withPassword({ username, password: PASSWORD }));
    const sessions = () => client.requests.filter(({ path }) => path === '/cognito/session').length;
    const before = sessions();
    await client.profile.update({ given_name: 'Ada' });
    assert.equal(sessions(), before, 'the token of the login is used');
    service.clock.advance(2 * 86_400_000);
    await assert.rejects(client.profile.update({ given_name: 'Eve' }), { code: 'unauthenticated' });
    const fresh = createSessionTestClient(service);
    await fresh.session();
    service.clock.advance(86_400_000);
    requireStep('done', await fresh.login.withPassword({ username, password: PASSWORD }));
  });

  it('ends after an unrecoverable response, and throws programming errors', async () => {
    await addUser(service, username);
    await service.operations.adminDisableUser({ UserPoolId: service.userPoolId, Username: username }, TEST_CALL);
    const client = createTokensTestClient(service);
    requireStep('refused', await client.login.withPassword({ username, password: PASSWORD }));
    const away = createTokensTestClient(service, {
      fetch: async () => {
        throw new TypeError('fetch failed');
      },
    });
    const step = requireStep('password', await away.login.withPassword({ username, password: PASSWORD }));
    assert.deepEqual([step.error?.code, step.error?.status], ['network_error', 0]);
    const broken = createTokensTestClient(service, {
      isCommonPassword: () => {
        throw new RangeError('mine');
      },
    });
    await assert.rejects(broken.password.problems(PASSWORD), RangeError);
    const lost = createTokensTestClient(service, { fetch: async () => new Response('<html>', { status: 200 }) });
    const refused = requireStep('refused', await lost.login.choose({ username }));
    assert.deepEqual([refused.error.code, refused.error instanceof PoolgateError], ['unexpected_answer', true]);
  });
});
