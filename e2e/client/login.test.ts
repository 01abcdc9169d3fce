import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type DeviceStep, memoryVault } from '@poolgate/client';
import { createRecordedClient, type RecordedClient, requireStep } from '../support/clients/recorded-client.ts';
import { ON_COGNITO } from '../support/provider/tested-provider.ts';
import { createBearerHeader } from '../support/requests/exchange.ts';
import { computeTotpCode, computeWrongTotpCode, createActiveAuthenticator } from '../support/routes/route-mfa.ts';
import { addUser, inviteUser, PASSWORD, startTestService, type TestService } from '../support/services/test-service.ts';

const STEP_MS = 30_000;

const pathsOf = ({ requests }: RecordedClient): string[] => requests.map(({ path }) => path);

describe('the login state machine of the client', () => {
  let service: TestService;
  let username: string;
  let users = 0;

  before(async () => {
    service = await startTestService();
  });
  after(() => service?.close());
  beforeEach(async () => {
    username = `sdk${users++}@example.com`;
  });

  const codeSent = (): string => service.outbox?.list(username)[0]?.code ?? '';

  it('logs in with a password that is never sent, and the service accepts the tokens', async () => {
    const canonical = await addUser(service, username);
    const client = createRecordedClient(service);
    const done = requireStep('done', await client.login.withPassword({ username, password: PASSWORD }));
    assert.equal(done.username, canonical);
    const tokens = await client.tokens();
    const profile = await service.get('/user/profile', createBearerHeader(tokens?.accessToken ?? ''));
    assert.equal((profile.body.user as { email: string }).email, username);
    assert.doesNotMatch(JSON.stringify(client.requests), new RegExp(`${PASSWORD}|PASSKEY_HASH|PRIVATE_KEY`));
    await client.logOut();
    assert.equal(await client.tokens(), null);
    assert.equal((await service.get('/user/profile', createBearerHeader(tokens?.accessToken ?? ''))).status, 401);
  });

  it('requests the parameters once when the form is shown, and uses them once', async () => {
    await addUser(service, username);
    const client = createRecordedClient(service);
    await client.login.prepare();
    assert.deepEqual(pathsOf(client), ['/api/cognito/login/parameters']);
    requireStep('done', await client.login.withPassword({ username, password: PASSWORD }));
    requireStep('done', await client.login.withPassword({ username, password: PASSWORD }));
    assert.equal(pathsOf(client).filter((path) => path.endsWith('/login/parameters')).length, 1);
    const publicValues = client.requests
      .filter(({ path }) => path.endsWith('/login/srp'))
      .map(({ body }) => JSON.parse(body).srp_a);
    assert.equal(new Set(publicValues).size, 2);
  });

  it('logs in once the service is back, if it was away while the page prepared the login', async () => {
    await addUser(service, username);
    const away = { is: true };
    const reaching: typeof fetch = async (input, init) => {
      if (away.is) throw new TypeError('fetch failed');
      return fetch(input, init);
    };
    const client = createRecordedClient(service, { fetch: reaching });
    await client.login.prepare();
    away.is = false;
    requireStep('done', await client.login.withPassword({ username, password: PASSWORD }));
  });

  it('ends the login after a wrong password, and asks for it again on a retry', async () => {
    await addUser(service, username);
    const client = createRecordedClient(service);
    const refused = requireStep('refused', await client.login.withPassword({ username, password: 'wrong' }));
    assert.deepEqual([refused.error.code, refused.error.status], ['invalid_credentials', 401]);
    assert.match(refused.error.requestId ?? '', /./);
    const asked = requireStep('password', await refused.retry());
    requireStep('done', await asked.submit(PASSWORD));
  });

  it('keeps the step after a wrong authenticator code, and logs in with the right one', async () => {
    await addUser(service, username);
    const secret = await createActiveAuthenticator(service, username);
    service.clock.advance(STEP_MS);
    const client = createRecordedClient(service);
    const asked = requireStep('totp', await client.login.withPassword({ username, password: PASSWORD }));
    const again = requireStep('totp', await asked.submit(computeWrongTotpCode(service, secret)));
    assert.equal(again.error?.code, 'code_mismatch');
    requireStep('done', await again.submit(computeTotpCode(service, secret)));
  });

  it('names the field of a malformed code', async () => {
    await addUser(service, username);
    await createActiveAuthenticator(service, username);
    const asked = requireStep(
      'totp',
      await createRecordedClient(service).login.withPassword({ username, password: PASSWORD }),
    );
    const again = requireStep('totp', await asked.submit(''));
    assert.deepEqual([again.error?.code, again.error?.fieldErrors[0]?.field], ['validation_failed', 'challenge_value']);
  });

  it('accepts a recovery code instead of an authenticator code', async () => {
    await addUser(service, username);
    const secret = await createActiveAuthenticator(service, username);
    service.clock.advance(STEP_MS);
    const first = createRecordedClient(service);
    const asked = requireStep('totp', await first.login.withPassword({ username, password: PASSWORD }));
    requireStep('done', await asked.submit(computeTotpCode(service, secret)));
    const tokens = await first.tokens();
    const made = await service.post('/user/mfa/recovery-codes', {}, createBearerHeader(tokens?.accessToken ?? ''));
    const [code = ''] = made.body.recovery_codes as readonly string[];
    const totp = requireStep(
      'totp',
      await createRecordedClient(service).login.withPassword({ username, password: PASSWORD }),
    );
    const recovery = totp.useRecoveryCode();
    assert.equal(recovery.back().kind, 'totp');
    requireStep('done', await recovery.submit(code));
  });

  it('asks for a new password after a temporary one', async () => {
    await inviteUser(service, username, 'Interim-Horse7!');
    const client = createRecordedClient(service);
    const asked = requireStep(
      'newPassword',
      await client.login.withPassword({ username, password: 'Interim-Horse7!' }),
    );
    const weak = requireStep('newPassword', await asked.submit('weak'));
    assert.equal(weak.error?.code, 'validation_failed');
    const again = requireStep('newPassword', await weak.submit('Interim-Horse7!'));
    assert.equal(again.error?.fieldErrors[0]?.code, 'password_temporary_again');
    requireStep('done', await again.submit(PASSWORD));
    assert.ok(ON_COGNITO || !JSON.stringify(client.requests).includes(PASSWORD), 'the new password was sent');
    requireStep('done', await createRecordedClient(service).login.withPassword({ username, password: PASSWORD }));
  });

  it('sends a code by mail, sends it again after a wait, and logs in', async () => {
    await addUser(service, username);
    const client = createRecordedClient(service);
    const choice = requireStep('selectFactor', await client.login.choose({ username }));
    assert.ok(choice.factors.includes('PASSWORD') && choice.factors.includes('EMAIL_OTP'), choice.factors.join());
    const sent = requireStep('sentCode', await choice.choose('EMAIL_OTP'));
    assert.deepEqual([sent.channel, sent.isSecondFactor, sent.useRecoveryCode], ['email', false, null]);
    const first = codeSent();
    const tooEarly = requireStep('sentCode', (await sent.resend?.()) ?? sent);
    assert.deepEqual([tooEarly.error?.code, tooEarly.error?.retryAfterSeconds], ['too_many_requests', 30]);
    assert.equal(codeSent(), first);
    service.clock.advance(sent.resendAtMs - service.clock.now());
    const next = requireStep('sentCode', (await sent.resend?.()) ?? sent);
    assert.equal(next.error, null);
    assert.notEqual(codeSent(), first);
    requireStep('done', await next.submit(codeSent()));
  });

  it('uses a remembered device instead of a second factor until the service forgets it', async () => {
    await addUser(service, username);
    const devices = memoryVault();
    const first = createRecordedClient(service, { devices });
    const done = requireStep('done', await first.login.withPassword({ username, password: PASSWORD }));
    await done.rememberDevice?.('Laptop');
    const secret = await createActiveAuthenticator(service, username);
    service.clock.advance(STEP_MS);

    const seen: DeviceStep[] = [];
    const onDevice = (step: DeviceStep): void => void seen.push(step);
    const second = createRecordedClient(service, { devices });
    requireStep('done', await second.login.withPassword({ username, password: PASSWORD, onDevice }));
    const [{ deviceKey = '' } = {}] = seen;
    const owner = { userPoolId: service.userPoolId, username: done.username };
    const kept = await devices.find(owner);
    assert.equal(kept?.deviceKey, deviceKey);
    const log = JSON.stringify(second.requests);
    assert.ok(!log.includes(kept?.devicePassword ?? '') && !log.includes(PASSWORD), log);

    const tokens = await second.tokens();
    const forgotten = await service.ask('DELETE', `/device/${deviceKey}`, {
      headers: createBearerHeader(tokens?.accessToken ?? ''),
    });
    assert.equal(forgotten.status, 200, forgotten.text);
    const third = createRecordedClient(service, { devices });
    const totp = requireStep('totp', await third.login.withPassword({ username, password: PASSWORD }));
    requireStep('done', await totp.submit(computeTotpCode(service, secret)));
    assert.equal(await devices.find(owner), undefined);
  });

  it('refreshes tokens before they expire, once for all parallel callers', async () => {
    await addUser(service, username);
    const client = createRecordedClient(service);
    const done = requireStep('done', await client.login.withPassword({ username, password: PASSWORD }));
    await done.rememberDevice?.();
    const before = await client.tokens();
    service.clock.advance((before?.expiresAtMs ?? 0) - service.clock.now() - 1000);
    const all = await Promise.all([client.tokens(), client.tokens(), client.tokens()]);
    const [first] = all;
    assert.notEqual(first?.accessToken, before?.accessToken);
    assert.ok(all.every((tokens) => tokens?.accessToken === first?.accessToken));
    assert.equal(client.requests.filter(({ path }) => path.endsWith('/token/refresh')).length, 1);
  });
});

describe('the login state machine when every user needs a second factor', () => {
  it('sets up an authenticator app during the login', async (t) => {
    const service = await startTestService({ mfaSetup: 'ON' });
    t.after(() => service.close());
    await addUser(service, 'mfa@example.com');
    const login = { username: 'mfa@example.com', password: PASSWORD };
    const asked = requireStep('setUpAuthenticator', await createRecordedClient(service).login.withPassword(login));
    assert.match(asked.uri, /^otpauth:\/\/totp\//);
    const again = requireStep(
      'setUpAuthenticator',
      await asked.submit(computeWrongTotpCode(service, asked.secretCode)),
    );
    assert.equal(again.error?.code, 'code_mismatch');
    requireStep('done', await again.submit(computeTotpCode(service, asked.secretCode), 'Phone'));
  });
});
