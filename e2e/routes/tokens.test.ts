import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeTokenPart } from '../../packages/pool/src/testing/test-tokens.ts';
import { createBearerHeader, type Exchange } from '../support/requests/exchange.ts';
import {
  addUser,
  assertInvalidField,
  assertProblem,
  PASSWORD,
  requireTokens,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

const ADA = 'ada@example.com';
describe('tokens of a login', () => {
  let service: TestService;
  let adaName: string;
  before(async () => {
    service = await startTestService();
    adaName = await addUser(service, ADA);
  });
  after(() => service.close());

  const logIn = async () => requireTokens(await service.post('/login', { username: ADA, password: PASSWORD }));
  const refresh = (refresh_token: unknown, prefix = '') => service.post(`${prefix}/token/refresh`, { refresh_token });
  const profile = (token: string): Promise<Exchange> => service.get('/user/profile', createBearerHeader(token));

  it('a refresh gives new tokens of the same login, under both mounts and its alias', async () => {
    const first = await logIn();
    for (const path of ['/token/refresh', '/api/cognito/token/refresh', '/token/revalidate']) {
      service.clock.advance(1000);
      const answer = await service.post(path, { refresh_token: first.refresh });
      const next = requireTokens(answer);
      assert.notEqual(next.access, first.access);
      assert.equal(decodeTokenPart(next.access, 1).origin_jti, decodeTokenPart(first.access, 1).origin_jti);
      assert.equal(decodeTokenPart(next.access, 1).auth_time, decodeTokenPart(first.access, 1).auth_time);
      assert.equal((await profile(next.access)).status, 200);
    }
  });

  it('a rotated refresh token stops working after its grace period, and its reuse ends the login', async () => {
    const first = await logIn();
    const next = requireTokens(await refresh(first.refresh));
    assert.notEqual(next.refresh, first.refresh);
    assert.equal(requireTokens(await refresh(first.refresh)).refresh, next.refresh);
    service.clock.advance(11_000);
    assertProblem(await refresh(first.refresh), 401, 'invalid_grant');
    assertProblem(await refresh(next.refresh), 401, 'invalid_grant');
    assertProblem(await profile(next.access), 401, 'unauthenticated');
  });

  it('invalid refresh tokens are refused, and values other than text are invalid', async () => {
    const { access, id } = await logIn();
    for (const token of [access, id, 'x', 'a.b.c', 'x'.repeat(8000)])
      assertProblem(await refresh(token), 401, 'invalid_grant');
    for (const token of [undefined, '', 5, null, 'a b', 'x'.repeat(8193)])
      assertInvalidField(await refresh(token), 'refresh_token');
  });

  it('a logout ends its own login at once, with its refresh token, and no other', async () => {
    for (const [method, path] of [
      ['POST', '/logout'],
      ['PUT', '/logout'],
      ['POST', '/api/cognito/logout'],
    ] as const) {
      const [mine, other] = [await logIn(), await logIn()];
      const answer = await service.ask(method, path, { headers: createBearerHeader(mine.access), body: {} });
      assert.deepEqual([answer.status, answer.body.status, answer.body.data], [200, 'success', {}], answer.text);
      assertProblem(await profile(mine.access), 401, 'unauthenticated');
      assertProblem(await refresh(mine.refresh), 401, 'invalid_grant');
      assert.equal((await service.call('GetUser', { AccessToken: mine.access })).body.__type, 'NotAuthorizedException');
      assert.equal((await profile(other.access)).status, 200);
    }
  });

  it('a logout needs no body, and a second one is refused', async () => {
    const { access } = await logIn();
    assert.equal((await service.ask('POST', '/logout', { headers: createBearerHeader(access) })).status, 200);
    const again = await service.ask('POST', '/logout', { headers: createBearerHeader(access) });
    assertProblem(again, 401, 'unauthenticated');
    assert.match(String(again.headers['www-authenticate']), /^Bearer/);
  });

  it('revoking a token at the Cognito-compatible API ends its access tokens at the routes', async () => {
    const { access, refresh: token } = await logIn();
    assert.equal((await service.call('RevokeToken', { ClientId: service.clientId, Token: token })).status, 200);
    assertProblem(await refresh(token), 401, 'invalid_grant');
    assertProblem(await profile(access), 401, 'unauthenticated');
  });

  it('the profile shows the user of the token in the same form under both mounts', async () => {
    const { access } = await logIn();
    for (const prefix of ['', '/api/cognito']) {
      const answer = await service.get(`${prefix}/user/profile`, createBearerHeader(access));
      const user = answer.body.user as Readonly<Record<string, unknown>>;
      assert.equal(answer.body.status, 'success');
      assert.deepEqual(
        [
          user.username,
          user.sub,
          user.email,
          user.email_verified,
          user.is_webauthn_enabled,
          user.password_reset_required,
        ],
        [adaName, adaName, ADA, true, false, false],
      );
      assert.deepEqual(user.mfa, { enabled: false, preferred: null, methods: [] });
      assert.equal(typeof user.attributes, 'object');
    }
  });

  it('a missing token, an ID token and a refresh token are not access tokens', async () => {
    const { id, refresh: token } = await logIn();
    for (const headers of [
      {},
      createBearerHeader(id),
      createBearerHeader(token),
      { authorization: 'Basic eDp5' },
      createBearerHeader('a.b.c'),
      service.asAdmin,
    ]) {
      const answer = await service.get('/user/profile', headers);
      assertProblem(answer, 401, 'unauthenticated', JSON.stringify(headers).slice(0, 60));
      assert.match(String(answer.headers['www-authenticate']), /^Bearer/);
    }
  });

  it('an access token expires to the second, and its login can still be refreshed', async () => {
    const { access, refresh: token } = await logIn();
    service.clock.advance(3_599_000);
    assert.equal((await profile(access)).status, 200);
    service.clock.advance(1_000);
    assertProblem(await profile(access), 401, 'unauthenticated');
    assert.equal((await profile(requireTokens(await refresh(token)).access)).status, 200);
  });
});
