import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { forEachDatabase } from '../../packages/pool/src/testing/test-databases.ts';
import { createBearerHeader } from '../support/requests/exchange.ts';
import {
  addUser,
  assertProblem,
  PASSWORD,
  requireTokens,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

const NEW_PASSWORD = 'Another-Horse2!';

forEachDatabase((database) => {
  describe(`revocation by the Cognito-compatible API on ${database.name}`, () => {
    let service: TestService;
    let replica: TestService;
    let users = 0;
    before(async () => {
      const databaseUrl = await database.create();
      service = await startTestService({ databaseUrl, adminGroups: ['operators'] });
      await service.post('/admin/groups', { group_name: 'operators' }, service.asAdmin);
      await addUser(service, 'other@example.com');
      // A store in memory belongs to one service.
      replica = databaseUrl === 'sqlite::memory:' ? service : await service.replica();
    });
    after(async () => {
      if (replica !== service) await replica.close();
      await service.close();
    });

    /** What a token allows at each replica: the user's own account, and what an operator may do to other users. */
    async function tried(access: string) {
      const entryPoints = [replica, service];
      const own = entryPoints.map((entryPoint) => entryPoint.get('/user/profile', createBearerHeader(access)));
      const other = entryPoints.map((entryPoint) =>
        entryPoint.post('/user/mfa/disable', { username: 'other@example.com' }, createBearerHeader(access)),
      );
      return Promise.all([...own, ...other]);
    }

    async function loggedIn() {
      users += 1;
      const email = `ended${users}@example.com`;
      await addUser(service, email);
      await service.post(`/admin/users/${email}/groups`, { group_name: 'operators' }, service.asAdmin);
      service.clock.advance(1_000);
      const tokens = requireTokens(await service.post('/login', { username: email, password: PASSWORD }));
      for (const answer of await tried(tokens.access)) assert.equal(answer.status, 200, answer.text);
      return { email, tokens, named: { UserPoolId: service.userPoolId, Username: email } };
    }

    type Ended = Awaited<ReturnType<typeof loggedIn>>;

    for (const [operation, input] of [
      ['AdminDisableUser', ({ named }: Ended) => named],
      ['AdminDeleteUser', ({ named }: Ended) => named],
      ['AdminResetUserPassword', ({ named }: Ended) => named],
      ['AdminUserGlobalSignOut', ({ named }: Ended) => named],
      ['AdminSetUserPassword', ({ named }: Ended) => ({ ...named, Password: NEW_PASSWORD, Permanent: true })],
      ['GlobalSignOut', ({ tokens }: Ended) => ({ AccessToken: tokens.access })],
      ['DeleteUser', ({ tokens }: Ended) => ({ AccessToken: tokens.access })],
      ['RevokeToken', ({ tokens }: Ended) => ({ Token: tokens.refresh, ClientId: service.clientId })],
    ] as const) {
      for (const [when, pauseMs] of [
        ['in the same second', 0],
        ['a minute later', 60_000],
      ] as const) {
        it(`after ${operation} ${when} every replica immediately refuses the tokens at the routes`, async () => {
          const ended = await loggedIn();
          service.clock.advance(pauseMs);
          const answer = await service.call(operation, input(ended), service.asAdmin);
          assert.equal(answer.status, 200, answer.text);
          for (const refused of await tried(ended.tokens.access)) assertProblem(refused, 401, 'unauthenticated');
        });
      }
    }

    for (const [operation, caller] of [
      ['RevokeUserSession', (access: string) => ({ AccessToken: access })],
      ['AdminRevokeUserSession', (_access: string, named: object) => named],
    ] as const) {
      it(`after ${operation} every replica immediately refuses the tokens of that session at the routes`, async () => {
        const { email, tokens, named } = await loggedIn();
        const second = requireTokens(await service.post('/login', { username: email, password: PASSWORD }));
        const { Sessions } = (await service.call('ListUserSessions', { AccessToken: tokens.access })).body as {
          Sessions: readonly { readonly SessionId: string; readonly IsCurrentSession: boolean }[];
        };
        const SessionId = Sessions.find(({ IsCurrentSession }) => !IsCurrentSession)?.SessionId;
        const input = { ...caller(tokens.access, named), SessionId };
        const answer = await service.call(operation, input, service.asAdmin);
        assert.equal(answer.status, 200, answer.text);
        for (const refused of await tried(second.access)) assertProblem(refused, 401, 'unauthenticated');
        assertProblem(await replica.post('/token/refresh', { refresh_token: second.refresh }), 401, 'invalid_grant');
        for (const kept of await tried(tokens.access)) assert.equal(kept.status, 200, kept.text);
      });
    }

    it('a new login in the same second works', async () => {
      const { email, named } = await loggedIn();
      await service.call('AdminUserGlobalSignOut', named, service.asAdmin);
      const tokens = requireTokens(await service.post('/login', { username: email, password: PASSWORD }));
      assert.equal((await replica.get('/user/profile', createBearerHeader(tokens.access))).status, 200);
    });

    it('a revocation keeps other logins, and a password change ends them', async () => {
      const { email, tokens } = await loggedIn();
      const second = requireTokens(await service.post('/login', { username: email, password: PASSWORD }));
      const third = requireTokens(await service.post('/login', { username: email, password: PASSWORD }));
      await service.call('RevokeToken', { Token: tokens.refresh, ClientId: service.clientId });
      assert.equal((await replica.get('/user/profile', createBearerHeader(second.access))).status, 200);
      const change = { AccessToken: second.access, PreviousPassword: PASSWORD, ProposedPassword: NEW_PASSWORD };
      assert.equal((await service.call('ChangePassword', change)).status, 200);
      assert.equal((await replica.get('/user/profile', createBearerHeader(second.access))).status, 200);
      assertProblem(await replica.get('/user/profile', createBearerHeader(third.access)), 401, 'unauthenticated');
    });

    it('a user deleted by the Cognito-compatible API leaves no local record, and the name can be used for a new user', async () => {
      const { email, tokens, named } = await loggedIn();
      await service.call('AdminDeleteUser', named, service.asAdmin);
      await addUser(service, email);
      assertProblem(await replica.get('/user/profile', createBearerHeader(tokens.access)), 401, 'unauthenticated');
      const shown = await service.get(`/admin/users/${email}`, service.asAdmin);
      assert.equal((shown.body.user as { readonly password_reset_required: boolean }).password_reset_required, false);
    });

    it('a reset by the Cognito-compatible API appears as password_reset_required at the routes', async () => {
      const { email, named } = await loggedIn();
      await service.call('AdminResetUserPassword', named, service.asAdmin);
      const shown = await service.get(`/admin/users/${email}`, service.asAdmin);
      const user = shown.body.user as Readonly<Record<string, unknown>>;
      assert.deepEqual([user.status, user.password_reset_required], ['RESET_REQUIRED', true]);
    });
  });
});
