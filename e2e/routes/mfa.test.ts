import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { checkSchema, ROUTES } from '@poolgate/contract';
import { URI } from 'otpauth';
import { createBearerHeader } from '../support/requests/exchange.ts';
import {
  activateAuthenticator,
  computeTotpCode,
  computeWrongTotpCode,
  createActiveAuthenticator,
  logInForAccessToken,
  verifyAuthenticator,
} from '../support/routes/route-mfa.ts';
import {
  addUser,
  assertInvalidField,
  assertProblem,
  PASSWORD,
  requireTokens,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

const STEP_MS = 30_000;

describe('second factors at the routes', () => {
  let service: TestService;
  let count = 0;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.close());

  const someone = async (): Promise<string> => {
    const email = `user${count++}@example.test`;
    await addUser(service, email);
    return email;
  };
  const logIn = (username: string) => service.post('/login', { username, password: PASSWORD });
  const answer = (
    username: string,
    session: unknown,
    challenge_value: unknown,
    challenge_name = 'SOFTWARE_TOKEN_MFA',
  ) => service.post('/challenge', { challenge_name, session, username, challenge_value });
  const logInWith = async (username: string, code: string) =>
    answer(username, (await logIn(username)).body.session, code);

  it('activation and a code turn the factor on, then POST /login asks for a code, and the right code gives tokens', async () => {
    const email = await someone();
    const access = await logInForAccessToken(service, email);
    const activation = await service.post('/user/mfa/activate', { guard: 'api' }, createBearerHeader(access));
    assert.equal(activation.status, 200, activation.text);
    assert.deepEqual(checkSchema(ROUTES.mfaActivate.responses[200].schema, activation.body), []);
    const secretCode = String(activation.body.SecretCode);
    assert.match(secretCode, /^[A-Z2-7]{52}$/);

    const verified = await verifyAuthenticator(service, access, computeTotpCode(service, secretCode));
    assert.deepEqual([verified.status, verified.body.status], [200, 'success'], verified.text);
    service.clock.advance(STEP_MS);
    const asked = await logIn(email);
    assert.deepEqual(
      [asked.body.status, asked.body.challenge_name, asked.body.username],
      ['challenge', 'SOFTWARE_TOKEN_MFA', email],
    );
    const parameters = asked.body.challenge_params as Record<string, string>;
    assert.equal(parameters.FRIENDLY_DEVICE_NAME, 'Authenticator');
    assert.ok(parameters.USER_ID_FOR_SRP);
    requireTokens(await answer(email, asked.body.session, computeTotpCode(service, secretCode)));
  });

  it('POST /user/mfa/deactivate turns the factor off', async () => {
    const email = await someone();
    const access = await logInForAccessToken(service, email);
    const secretCode = await activateAuthenticator(service, access);
    await verifyAuthenticator(service, access, computeTotpCode(service, secretCode));
    assert.equal((await logIn(email)).body.challenge_name, 'SOFTWARE_TOKEN_MFA');
    assert.equal((await service.post('/user/mfa/deactivate', {}, createBearerHeader(access))).status, 200);
    requireTokens(await logIn(email));
  });

  it('GET /user/mfa/activate is equivalent, and POST /user/mfa/activate/{code} verifies', async () => {
    const email = await someone();
    const access = await logInForAccessToken(service, email);
    const activation = await service.get('/api/cognito/user/mfa/activate?guard=api', createBearerHeader(access));
    assert.equal(activation.status, 200, activation.text);
    const code = computeTotpCode(service, String(activation.body.SecretCode));
    const verified = await service.post(
      `/user/mfa/activate/${code}`,
      { device_name: 'Phone' },
      createBearerHeader(access),
    );
    assert.equal(verified.status, 200, verified.text);
    const asked = await logIn(email);
    assert.equal((asked.body.challenge_params as Record<string, string>).FRIENDLY_DEVICE_NAME, 'Phone');
  });

  it('the service draws the QR image, allows no caching, and encodes the URI with percent signs', async () => {
    const email = "a+b&c'd@example.test";
    await addUser(service, email);
    const { headers, body } = await service.post(
      '/user/mfa/activate',
      {},
      createBearerHeader(await logInForAccessToken(service, email)),
    );
    const { SecretCode, SecretCodeQR, TotpUri } = body as Record<string, string>;
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(TotpUri, `otpauth://totp/Poolgate:a%2Bb%26c%27d%40example.test?secret=${SecretCode}&issuer=Poolgate`);
    const read = URI.parse(TotpUri ?? '');
    assert.deepEqual([read.issuer, read.label, read.secret.base32], ['Poolgate', email, SecretCode]);
    const svg = Buffer.from(SecretCodeQR?.replace('data:image/svg+xml;base64,', '') ?? '', 'base64').toString();
    assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^<]*><rect [^<]*\/><path [^<]*\/><\/svg>$/);
    assert.doesNotMatch(svg, /href|url\(|script/);
  });

  it('codes must be text, sessions are verified, and other challenges cannot be answered', async () => {
    const email = await someone();
    const secretCode = await createActiveAuthenticator(service, email);
    service.clock.advance(STEP_MS);
    const { session } = (await logIn(email)).body;
    for (const value of [123456, null, [], {}, undefined, '', { SOFTWARE_TOKEN_MFA_CODE: '1' }, 'é', 'x'.repeat(65)]) {
      assertInvalidField(await answer(email, session, value), 'challenge_value', JSON.stringify(value));
    }
    const code = computeTotpCode(service, secretCode);
    for (const bad of ['x', 'A'.repeat(4096), `${String(session).slice(0, -4)}AAAA`]) {
      assertProblem(await answer(email, bad, code), 401, 'invalid_session');
    }
    assertProblem(await answer('eve@example.test', session, code), 401, 'invalid_session');
    assertProblem(await answer(email, session, code, 'SMS_MFA'), 400, 'challenge_mismatch');
    const response = { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' };
    const assertion = { id: 'AQID', rawId: 'AQID', type: 'public-key', clientExtensionResults: {}, response };
    assertProblem(await answer(email, session, assertion, 'WEB_AUTHN'), 400, 'challenge_mismatch');
    assertInvalidField(await answer(email, session, code, 'NO_SUCH'), 'challenge_name');
    requireTokens(await answer(email, session, code, 'software_token_mfa'));
    assertProblem(await answer(email, session, code), 401, 'invalid_session');
  });

  it('a login older than fifteen minutes cannot change factors, and a refresh does not renew it', async () => {
    const email = await someone();
    const signedIn = requireTokens(await logIn(email));
    const secretCode = await activateAuthenticator(service, signedIn.access);
    service.clock.advance(901_000);
    const refreshed = requireTokens(await service.post('/token/refresh', { refresh_token: signedIn.refresh }));
    for (const { access } of [signedIn, refreshed]) {
      for (const [method, path, body] of [
        ['POST', '/user/mfa/activate', {}],
        ['GET', '/user/mfa/activate', undefined],
        ['POST', '/user/mfa/verify', { code: computeTotpCode(service, secretCode) }],
        ['POST', `/user/mfa/activate/${computeTotpCode(service, secretCode)}`, {}],
        ['PUT', '/user/mfa/preference', { methods: {} }],
        ['POST', '/user/mfa/recovery-codes', {}],
        ['POST', '/user/mfa/deactivate', {}],
      ] as const) {
        const headers = createBearerHeader(access);
        const refused = await service.ask(method, path, { headers, ...(body && { body }) });
        assertProblem(refused, 403, 'reauthentication_required', path);
      }
      assert.equal((await service.get('/user/factors', createBearerHeader(access))).status, 200);
    }
    requireTokens(await logIn(email));
  });

  it('the password alone does not add a second authenticator app', async () => {
    const email = await someone();
    await createActiveAuthenticator(service, email);
    const { body } = await logIn(email);
    const stolen = { session: body.session };
    for (const headers of [{}, createBearerHeader(String(body.session))]) {
      const refused = await service.post('/user/mfa/activate', stolen, headers);
      assert.ok([400, 401].includes(refused.status), refused.text);
      assert.equal(refused.body.SecretCode, undefined);
    }
    assertProblem(await service.post('/user/mfa/activate', {}), 401, 'unauthenticated');
    assertProblem(await service.get('/user/mfa/activate'), 401, 'unauthenticated');
  });

  it('users cannot enable or disable MFA, for themselves or others, under any name or mount', async () => {
    const [email, other] = [await someone(), await someone()];
    const access = await logInForAccessToken(service, email);
    for (const mount of ['', '/api/cognito']) {
      for (const path of ['/user/mfa/enable', '/user/mfa/disable', '/mfa/enable', '/mfa/disable']) {
        for (const username of [email, other, 'nobody@example.test', undefined]) {
          const refused = await service.post(`${mount}${path}`, { username }, createBearerHeader(access));
          assertProblem(refused, 403, 'forbidden', path);
        }
        assertProblem(await service.post(`${mount}${path}`, { username: email }), 401, 'unauthenticated', path);
        const badKey = { authorization: 'Bearer pg_dev_wrong' };
        assertProblem(await service.post(`${mount}${path}`, { username: email }, badKey), 401, 'unauthenticated', path);
      }
    }
  });

  it('an admin key turns the MFA of a user with a verified factor off and on', async () => {
    const email = await someone();
    await createActiveAuthenticator(service, email);
    const operate = (path: string, body: unknown) => service.post(path, body, service.asAdmin);
    assert.equal((await operate('/user/mfa/disable', { username: email })).status, 200);
    requireTokens(await logIn(email));
    for (const path of ['/user/mfa/enable', '/mfa/enable']) {
      const enabled = await operate(path, { username: email });
      assert.equal(enabled.status, 200, enabled.text);
    }
    assert.equal((await logIn(email)).body.challenge_name, 'SOFTWARE_TOKEN_MFA');
    assert.equal((await operate('/mfa/disable', { username: email, method: 'SOFTWARE_TOKEN_MFA' })).status, 200);
    requireTokens(await logIn(email));
    assertProblem(await operate('/mfa/enable', { username: email, method: 'SMS_MFA' }), 403, 'feature_disabled');
    assertInvalidField(await operate('/mfa/enable', { username: email, method: 'NO_SUCH' }), 'method');
    assertInvalidField(await operate('/mfa/enable', {}), 'username');
    assertProblem(await operate('/mfa/enable', { username: await someone() }), 422, 'mfa_not_configured');
    for (const path of ['/mfa/enable', '/mfa/disable']) {
      assertProblem(await operate(path, { username: 'nobody@example.test' }), 404, 'user_not_found');
    }
  });

  it('a user removed from an admin group loses the right at once, although the token is still valid', async (t) => {
    const other = await startTestService({ adminGroups: ['ops'] });
    t.after(() => other.close());
    const [member, email] = ['member@example.test', 'ada@example.test'];
    await addUser(other, member);
    await addUser(other, email);
    assert.equal((await other.post('/admin/groups', { group_name: 'ops' }, other.asAdmin)).status, 201);
    const groups = `/admin/users/${encodeURIComponent(member)}/groups`;
    assert.equal((await other.post(groups, { group_name: 'ops' }, other.asAdmin)).status, 200);
    const access = await logInForAccessToken(other, member);
    const disable = () => other.post('/mfa/disable', { username: email }, createBearerHeader(access));
    assert.equal((await disable()).status, 200);
    assert.equal((await other.ask('DELETE', `${groups}/ops`, { headers: other.asAdmin })).status, 200);
    assertProblem(await disable(), 403, 'forbidden');
    assert.equal((await other.get('/user/profile', createBearerHeader(access))).status, 200);
  });

  it('an integrator’s rule replaces the check, and receives the caller and the user', async (t) => {
    const asked: unknown[] = [];
    const other = await startTestService({
      authorize: ({ route, caller, username }) => {
        asked.push([route, caller.kind, username]);
        return caller.kind === 'user';
      },
    });
    t.after(() => other.close());
    await addUser(other, 'ada@example.test');
    const access = await logInForAccessToken(other, 'ada@example.test');
    const body = { username: 'ada@example.test' };
    assert.equal((await other.post('/mfa/disable', body, createBearerHeader(access))).status, 200);
    assertProblem(await other.post('/user/mfa/disable', body, other.asAdmin), 403, 'forbidden');
    assertProblem(await other.post('/user/mfa/disable', body), 401, 'unauthenticated');
    assert.deepEqual(asked, [
      ['mfaDisable', 'user', 'ada@example.test'],
      ['mfaDisable', 'admin', 'ada@example.test'],
    ]);
  });

  it('IDP_MFA_SETUP=OFF turns off activation, verification and enabling, and no user is prompted', async (t) => {
    const off = await startTestService({ mfaSetup: 'OFF' });
    t.after(() => off.close());
    await addUser(off, 'ada@example.test');
    const access = await logInForAccessToken(off, 'ada@example.test');
    for (const [method, path, body] of [
      ['POST', '/user/mfa/activate', {}],
      ['POST', '/user/mfa/verify', { code: '123456' }],
      ['PUT', '/user/mfa/preference', { methods: { SOFTWARE_TOKEN_MFA: true } }],
      ['POST', '/user/mfa/recovery-codes', {}],
    ] as const) {
      assertProblem(
        await off.ask(method, path, { headers: createBearerHeader(access), body }),
        403,
        'feature_disabled',
        path,
      );
    }
    const enable = await off.post('/user/mfa/enable', { username: 'ada@example.test' }, off.asAdmin);
    assertProblem(enable, 403, 'feature_disabled');
    assert.equal((await off.post('/user/mfa/deactivate', {}, createBearerHeader(access))).status, 200);
    assert.deepEqual((await off.get('/login/parameters')).body.mfa, { setup: 'OFF', types: ['SOFTWARE_TOKEN_MFA'] });
  });

  it('IDP_MFA_SETUP=ON lets a user without a factor set one up during the login, with the session as credential', async (t) => {
    const on = await startTestService({ mfaSetup: 'ON' });
    t.after(() => on.close());
    const username = 'ada@example.test';
    await addUser(on, username);
    const step = (challenge_name: string, session: unknown, challenge_value?: unknown) =>
      on.post('/login/auth-challenge', { challenge_name, session, username, challenge_value });
    const { body } = await on.post('/login', { username, password: PASSWORD });
    assert.equal(body.challenge_name, 'MFA_SETUP');
    assertProblem(await step('MFA_SETUP', body.session), 400, 'invalid_parameter');
    assertProblem(await on.post('/user/mfa/activate', { session: 'none' }), 401, 'invalid_session');
    assertInvalidField(await on.post('/user/mfa/activate', { session: 5 }), 'session');
    const activation = await on.post('/user/mfa/activate', { session: body.session, username });
    assert.equal(activation.status, 200, activation.text);
    assert.match(String(activation.body.TotpUri), /^otpauth:\/\/totp\/Poolgate:ada%40example\.test\?/);
    const { session } = activation.body;
    const secretCode = String(activation.body.SecretCode);
    const wrong = await on.post('/user/mfa/verify', { session, code: computeWrongTotpCode(on, secretCode) });
    assertProblem(wrong, 400, 'code_mismatch');
    const verified = await on.post('/user/mfa/verify', {
      session,
      code: computeTotpCode(on, secretCode),
      device_name: 'P',
    });
    assert.equal(verified.status, 200, verified.text);
    requireTokens(await step('MFA_SETUP', verified.body.session));
    on.clock.advance(STEP_MS);
    const again = await on.post('/login', { username, password: PASSWORD });
    assert.equal(again.body.challenge_name, 'SOFTWARE_TOKEN_MFA');
    requireTokens(await step('SOFTWARE_TOKEN_MFA', again.body.session, computeTotpCode(on, secretCode)));
  });

  it('factors and preferences can be read and set; a factor that is not set up cannot be turned on', async () => {
    const email = await someone();
    const access = await logInForAccessToken(service, email);
    const factors = async () => (await service.get('/user/factors', createBearerHeader(access))).body;
    const prefer = (body: unknown) =>
      service.ask('PUT', '/user/mfa/preference', { headers: createBearerHeader(access), body });
    assert.deepEqual((await factors()).mfa, { enabled: false, preferred: null, methods: [] });
    assertProblem(await prefer({ methods: { SOFTWARE_TOKEN_MFA: true } }), 422, 'mfa_not_configured');
    for (const body of [
      {},
      { methods: { NO_SUCH: true } },
      { methods: { SOFTWARE_TOKEN_MFA: 'true' } },
      { methods: {}, preferred: 'NO_SUCH' },
    ]) {
      assertProblem(await prefer(body), 422, 'validation_failed', JSON.stringify(body));
    }
    const secretCode = await activateAuthenticator(service, access);
    await verifyAuthenticator(service, access, computeTotpCode(service, secretCode));
    const shown = await factors();
    assert.deepEqual(checkSchema(ROUTES.userFactors.responses[200].schema, shown), []);
    const on = { enabled: true, preferred: 'SOFTWARE_TOKEN_MFA', methods: ['SOFTWARE_TOKEN_MFA'] };
    assert.deepEqual(shown.mfa, on);
    assert.ok((shown.factors as readonly string[]).includes('SOFTWARE_TOKEN'));
    assert.equal((await prefer({ methods: { SOFTWARE_TOKEN_MFA: false } })).status, 200);
    assert.deepEqual((await factors()).mfa, { enabled: false, preferred: null, methods: [] });
    assert.equal((await prefer({ methods: {}, preferred: 'SOFTWARE_TOKEN_MFA' })).status, 200);
    assert.deepEqual((await factors()).mfa, on);
  });

  it('ten recovery codes are shown once, each works once, and new ones replace them', async () => {
    const email = await someone();
    const access = await logInForAccessToken(service, email);
    const secretCode = await activateAuthenticator(service, access);
    await verifyAuthenticator(service, access, computeTotpCode(service, secretCode));
    const draw = async () => {
      const answer = await service.post('/user/mfa/recovery-codes', {}, createBearerHeader(access));
      assert.equal(answer.status, 200, answer.text);
      return answer.body.recovery_codes as readonly string[];
    };
    const left = async () => (await service.get('/user/factors', createBearerHeader(access))).body.recovery_codes_left;
    const [old = ''] = await draw();
    const codes = await draw();
    assert.deepEqual([codes.length, new Set(codes).size, await left()], [10, 10, 10]);
    const [code = ''] = codes;
    assert.match(code, /^[a-z]+$/);
    assertProblem(await logInWith(email, old), 400, 'code_mismatch');
    requireTokens(await logInWith(email, code));
    assert.equal((await logInWith(email, code)).status, 400);
    assert.equal(await left(), 9);
  });

  it('malformed codes get 422 immediately', async () => {
    const access = await logInForAccessToken(service, await someone());
    for (const code of ['12345', '1234567', 'abcdef', '１２３４５６', 123456, null, undefined, '12 456']) {
      assertInvalidField(
        await service.post('/user/mfa/verify', { code }, createBearerHeader(access)),
        'code',
        String(code),
      );
    }
    assertInvalidField(await service.post('/user/mfa/activate/12345x', {}, createBearerHeader(access)), 'code');
    assertInvalidField(
      await service.post('/user/mfa/activate', { guard: 'other' }, createBearerHeader(access)),
      'guard',
    );
    assertProblem(await verifyAuthenticator(service, access, '123456'), 422, 'mfa_not_configured');
  });
});
