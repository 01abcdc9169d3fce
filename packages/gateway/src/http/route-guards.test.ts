import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ROUTES } from '@poolgate/contract';
import { addUser, inviteUser, PASSWORD, TEST_CALL, WEB_AUTHN } from '@poolgate/pool/testing';
import type { FastifyRequest } from 'fastify';
import { createAccessToken, TOKEN_KEY } from '../testing/access-token.ts';
import { createTestProvider, createTestRuntime } from '../testing/gateway-deps.ts';
import { assertProblem } from '../testing/page-browser.ts';
import { type PoolService, startPoolService } from '../testing/pool-service.ts';
import { createOperatorGuard, createRouteGuard } from './route-guards.ts';

const ADA = 'ada@example.com';

describe('the guard of a route', () => {
  it('requires a recent login of a user if the route does, and of no one else', async () => {
    const service = await startPoolService();
    await addUser(service, ADA);
    const { body } = await service.ask('POST', '/login', { body: { username: ADA, password: PASSWORD } });
    const headers = { authorization: `Bearer ${body.access_token}` };
    service.clock.advance(901_000);
    assert.equal((await service.ask('GET', '/user/profile', { headers })).status, 200);
    const activate = (sent: object) => service.ask('POST', '/user/mfa/activate', sent);
    assertProblem(await activate({ headers, body: {} }), [403, 'reauthentication_required']);
    assertProblem(await activate({ body: { session: 'x'.repeat(20), username: ADA } }), [401, 'invalid_session']);
    await service.close();
  });

  it('refuses a body that is not an object', async () => {
    const service = await startPoolService();
    for (const body of [null, 5, 'x', []]) {
      const sent = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      assertProblem(await service.ask('POST', '/passkey/start', sent), [401, 'unauthenticated'], JSON.stringify(body));
    }
    await service.close();
  });

  it("passes the route and the named user to an integrator's rule", async () => {
    const asked: unknown[] = [];
    const guard = createOperatorGuard(
      createTestRuntime({
        provider: createTestProvider(() => [TOKEN_KEY], {
          getUser: async () => ({ Username: 'ada', UserAttributes: [] }),
        }),
        authorize: ({ route, username }) => asked.push([route, username]) > 0,
      }),
      'mfaDisable',
      ROUTES.mfaDisable,
      ({ headers }) => headers.authorization,
    );
    const request = (body: unknown) =>
      ({
        body,
        headers: { authorization: `Bearer ${createAccessToken('ada')}` },
        raw: { rawHeaders: [] },
        rawBody: null,
      }) as unknown as FastifyRequest;
    for (const body of [{ username: 'eve' }, { username: 5 }, {}, undefined]) {
      assert.equal((await guard(request(body), TEST_CALL)).kind, 'user');
    }
    const nobody = ['mfaDisable', undefined];
    assert.deepEqual(asked, [['mfaDisable', 'eve'], nobody, nobody, nobody]);
  });

  it('cannot be created for a scope that no admin key can have', () => {
    const route = { ...ROUTES.adminUserGet, scope: 'everything' };
    assert.throws(() => createRouteGuard(createTestRuntime({}), 'adminUserGet', route), {
      name: 'TypeError',
      message: 'scope of /admin/users/{username} is no admin scope',
    });
  });
});

describe('the access token of a request', () => {
  let service: PoolService;
  let tokens: string[];
  before(async () => {
    service = await startPoolService({ pool: { webAuthn: WEB_AUTHN } });
    await addUser(service, ADA);
    const login = () => service.ask('POST', '/login', { body: { username: ADA, password: PASSWORD } });
    tokens = [await login(), await login()].map(({ body }) => String(body.access_token));
  });
  after(() => service.close());

  const start = (body: object, headers: Readonly<Record<string, string>> = {}) =>
    service.ask('POST', '/passkey/start', { body, headers });
  const bearer = (token = '') => ({ authorization: `Bearer ${token}` });

  it('is in the header, or in the body if the route has it there', async () => {
    const [token] = tokens;
    for (const answer of [
      await start({}, bearer(token)),
      await start({ access_token: token }),
      await start({ access_token: token }, bearer(token)),
    ]) {
      assert.equal(answer.status, 200, answer.text);
    }
    assertProblem(await start({}), [401, 'unauthenticated']);
    assertProblem(await start({ access_token: 'x' }), [401, 'unauthenticated']);
    const elsewhere = { body: { access_token: token } };
    assertProblem(
      await service.ask('POST', '/user/mfa/activate', elsewhere),
      [401, 'unauthenticated'],
      'in no other body',
    );
  });

  it('must be a single one: two different tokens are refused, valid or not', async () => {
    const [one, other] = tokens;
    assertProblem(await start({ access_token: other }, bearer(one)), [400, 'conflicting_tokens']);
    assertProblem(await start({ access_token: 'x' }, bearer(one)), [400, 'conflicting_tokens']);
    for (const [method, path] of [
      ['POST', '/logout'],
      ['PUT', '/logout'],
      ['POST', '/logout/forced'],
      ['POST', '/user/mfa/activate'],
    ] as const) {
      const sent = { body: { access_token: other }, headers: bearer(one) };
      assertProblem(await service.ask(method, path, sent), [400, 'conflicting_tokens'], path);
    }
    for (const token of [one, other]) {
      const { status } = await service.ask('GET', '/user/profile', { headers: bearer(token) });
      assert.equal(status, 200, 'neither login has ended');
    }
  });

  it('can be in the body of a logout in addition to the header, if it is the same', async () => {
    const grant = await service.ask('POST', '/login', { body: { username: ADA, password: PASSWORD } });
    const token = String(grant.body.access_token);
    const sent = { body: { access_token: token }, headers: bearer(token) };
    assert.equal((await service.ask('POST', '/logout', sent)).status, 200);
    assertProblem(await service.ask('POST', '/logout', sent), [401, 'unauthenticated']);
  });

  it('is not needed to set up a factor in a pending login, and its session is not a token', async () => {
    const strict = await startPoolService({ pool: { mfaConfiguration: 'ON' } });
    await addUser(strict, ADA);
    const begun = await strict.ask('POST', '/login', { body: { username: ADA, password: PASSWORD } });
    assert.equal(begun.body.challenge_name, 'MFA_SETUP', begun.text);
    const { session } = begun.body;
    const set = await strict.ask('POST', '/user/mfa/activate', { body: { session, username: ADA } });
    assert.equal(set.status, 200, set.text);
    assertProblem(await strict.ask('GET', '/user/profile', { headers: bearer(String(session)) }), [
      401,
      'unauthenticated',
    ]);
    await strict.close();
  });

  it('of an operator gives the rights of operators to members of their group only', async () => {
    const operated = await startPoolService({ settings: { adminGroups: ['operators'] } });
    const { operations, userPoolId: UserPoolId } = operated;
    await addUser(operated, ADA);
    await addUser(operated, 'op@example.com');
    await inviteUser(operated, 'eve@example.com');
    await operations.createGroup({ UserPoolId, GroupName: 'operators' }, TEST_CALL);
    await operations.adminAddUserToGroup({ UserPoolId, GroupName: 'operators', Username: 'op@example.com' }, TEST_CALL);
    const asUser = async (username: string) => {
      const { body } = await operated.ask('POST', '/login', { body: { username, password: PASSWORD } });
      const asked = { headers: bearer(String(body.access_token)), body: { username: 'eve@example.com' } };
      return operated.ask('POST', '/user/mfa/disable', asked);
    };
    assert.equal((await asUser('op@example.com')).status, 200);
    assertProblem(await asUser(ADA), [403, 'forbidden']);
    const admin = { UserPoolId, GroupName: 'operators', Username: 'op@example.com' };
    await operations.adminRemoveUserFromGroup(admin, TEST_CALL);
    assertProblem(await asUser('op@example.com'), [403, 'forbidden']);
    await operated.close();
  });
});
