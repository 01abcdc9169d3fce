import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeTokenPart } from '../../packages/pool/src/testing/test-tokens.ts';
import { UNCONFIRMED_ERROR } from '../support/provider/tested-provider.ts';
import { createSignedClaim, createVerifierAnswer, logInBySrp, startSrpLogin } from '../support/routes/route-srp.ts';
import {
  addUser,
  assertInvalidField,
  assertProblem,
  inviteUser,
  PASSWORD,
  requireTokens,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

const ADA = 'ada@example.com';

describe('password login', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
    await addUser(service, ADA);
  });
  after(() => service.close());

  for (const prefix of ['', '/api/cognito']) {
    it(`returns three tokens and their lifetime under "${prefix}"`, async () => {
      const answer = await service.post(`${prefix}/login`, { username: ADA, password: PASSWORD });
      const tokens = requireTokens(answer);
      assert.deepEqual(Object.keys(answer.body).sort(), [
        'access_token',
        'expires_in',
        'id_token',
        'new_device_metadata',
        'refresh_token',
        'status',
        'token_type',
      ]);
      assert.deepEqual([answer.body.token_type, answer.body.expires_in], ['Bearer', 3600]);
      assert.equal(decodeTokenPart(tokens.id, 1).email, ADA);
      assert.equal(decodeTokenPart(tokens.access, 1).client_id, service.clientId);
      const { device_key } = answer.body.new_device_metadata as { readonly device_key: string };
      assert.equal(decodeTokenPart(tokens.access, 1).device_key, device_key);
      assert.equal(answer.headers['cache-control'], 'no-store');
    });
  }

  it('logs in the demo user of development', async () => {
    requireTokens(await service.post('/login', { username: 'demo@poolgate.test', password: 'Demo-Passw0rd!' }));
  });

  it('returns the same response for a wrong password and an unknown user', async () => {
    const wrong = await service.post('/login', { username: ADA, password: 'Wrong-Horse1!' });
    const unknown = await service.post('/login', { username: 'nobody@example.com', password: PASSWORD });
    for (const answer of [wrong, unknown]) assertProblem(answer, 401, 'invalid_credentials');
    assert.equal(wrong.headers['www-authenticate'], undefined);
    const { instance: _, ...wrongWords } = wrong.body;
    const { instance: __, ...unknownWords } = unknown.body;
    assert.deepEqual(wrongWords, unknownWords);
    requireTokens(await service.post('/login', { username: ADA, password: PASSWORD }));
  });

  it('tells an unconfirmed user so only with the right password and the session of the registration', async () => {
    const email = 'unconfirmed@example.com';
    const { session } = (await service.post('/register', { email, password: PASSWORD })).body;
    const login = { username: email, password: PASSWORD };
    for (const more of [{}, { password: 'Wrong-Horse1!' }, { password: 'Wrong-Horse1!', session }]) {
      assertProblem(await service.post('/login', { ...login, ...more }), 401, 'invalid_credentials');
    }
    assertProblem(await logInBySrp(service, email), 401, 'invalid_credentials');
    assertProblem(await service.post('/login', { ...login, session }), ...UNCONFIRMED_ERROR);
    assertProblem(await logInBySrp(service, email, PASSWORD, { session }), ...UNCONFIRMED_ERROR);
    assertProblem(await logInBySrp(service, email, 'Wrong-Horse1!', { session }), 401, 'invalid_credentials');
    const AuthParameters = { USERNAME: email, PASSWORD };
    const input = { AuthFlow: 'USER_PASSWORD_AUTH', ClientId: service.clientId, AuthParameters };
    const byOperation = await service.call('InitiateAuth', input);
    assert.match(byOperation.text, /UserNotConfirmedException/);
    const [entry] = service.outbox?.list(email) ?? [];
    const confirmed = await service.post('/register/verify', { email, code: entry?.code, session });
    assert.equal(confirmed.status, 200, confirmed.text);
    requireTokens(await service.post('/login', login));
    requireTokens(await service.post('/login', { ...login, session }));
    assertProblem(await service.post('/login', { username: ADA, password: PASSWORD, session }), 401, 'invalid_session');
  });

  it('a temporary password leads to NEW_PASSWORD_REQUIRED and does not remain valid', async () => {
    const email = 'invited@example.com';
    await inviteUser(service, email);
    const step = await service.post('/login', { username: email, password: PASSWORD });
    assert.deepEqual([step.body.status, step.body.challenge_name], ['challenge', 'NEW_PASSWORD_REQUIRED'], step.text);
    const answer = { challenge_name: 'NEW_PASSWORD_REQUIRED', session: step.body.session, username: email };
    const changed = await service.post('/login/challenge', { ...answer, challenge_value: 'A-New-Horse2!' });
    requireTokens(changed);
    assertProblem(await service.post('/login', { username: email, password: PASSWORD }), 401, 'invalid_credentials');
    assertProblem(
      await service.post('/login/challenge', { ...answer, challenge_value: 'B-New-Horse3!' }),
      401,
      'invalid_session',
    );
  });

  it('refuses a session that is expired, invented or of another user in the same way', async () => {
    for (const email of ['one@example.com', 'other@example.com']) await inviteUser(service, email);
    const step = await service.post('/login', { username: 'one@example.com', password: PASSWORD });
    const answer = (username: string, session: unknown) =>
      service.post('/challenge', {
        challenge_name: 'NEW_PASSWORD_REQUIRED',
        session,
        username,
        challenge_value: 'A-New-Horse2!',
      });
    assertProblem(await answer('other@example.com', step.body.session), 401, 'invalid_session');
    assertProblem(await answer('one@example.com', 'x'.repeat(200)), 401, 'invalid_session');
    service.clock.advance(180_000);
    assertProblem(await answer('one@example.com', step.body.session), 401, 'invalid_session');
  });

  it('an unknown device key leads to the normal login', async () => {
    const device_key = 'us-east-1_00000000-0000-4000-8000-000000000000';
    requireTokens(await service.post('/login', { username: ADA, password: PASSWORD, device_key }));
    const challenge = await startSrpLogin(service, ADA);
    const value = { ...createSignedClaim(service, challenge), DEVICE_KEY: device_key };
    requireTokens(await service.post('/login/auth-challenge', createVerifierAnswer(challenge, value)));
  });

  it('names missing, mistyped and overlong fields', async () => {
    const good = { username: ADA, password: PASSWORD };
    for (const [field, value] of [
      ['username', undefined],
      ['username', ''],
      ['username', 5],
      ['username', 'a'.repeat(129)],
      ['username', 'a b'],
      ['username', 'a\u0000b'],
      ['password', undefined],
      ['password', ''],
      ['password', true],
      ['password', ['x']],
      ['password', '😀'.repeat(257)],
      ['device_key', 'no key'],
      ['device_key', null],
    ] as const) {
      assertInvalidField(
        await service.post('/login', { ...good, [field]: value }),
        field,
        `${field} ${String(value).slice(0, 20)}`,
      );
    }
  });

  it('counts failures across all entry points, for unknown names too, and returns Retry-After', async () => {
    const headers = { 'content-type': 'application/x-amz-json-1.1' };
    for (const username of ['ada@example.com', 'ghost@example.com']) {
      service.clock.advance(16 * 60_000);
      for (let attempt = 0; attempt < 2; attempt += 1) {
        assertProblem(
          await service.post('/login', { username, password: 'Wrong-Horse1!' }),
          401,
          'invalid_credentials',
        );
        assertProblem(await logInBySrp(service, username, 'Wrong-Horse1!'), 401, 'invalid_credentials');
      }
      const cognitoApi = await service.call(
        'InitiateAuth',
        {
          ClientId: service.clientId,
          AuthFlow: 'USER_PASSWORD_AUTH',
          AuthParameters: { USERNAME: username, PASSWORD: 'Wrong-Horse1!' },
        },
        headers,
      );
      assert.equal(cognitoApi.body.__type, 'NotAuthorizedException');
      const locked = [
        await service.post('/login', { username, password: PASSWORD }),
        await logInBySrp(service, username),
      ];
      for (const answer of locked) {
        assertProblem(answer, 429, 'too_many_requests', username);
        assert.equal(answer.headers['retry-after'], '1');
      }
    }
    service.clock.advance(2000);
    requireTokens(await service.post('/login', { username: ADA, password: PASSWORD }));
  });
});

describe('IDP_LOGIN_FLOW=password', () => {
  it('sends the password to the provider, with the same responses', async (t) => {
    const service = await startTestService({ loginFlow: 'password' });
    t.after(() => service.close());
    await addUser(service, ADA);
    requireTokens(await service.post('/login', { username: ADA, password: PASSWORD }));
    assertProblem(await service.post('/login', { username: ADA, password: 'x' }), 401, 'invalid_credentials');
    assertProblem(
      await service.post('/login', { username: 'nobody@example.com', password: 'x' }),
      401,
      'invalid_credentials',
    );
  });
});
