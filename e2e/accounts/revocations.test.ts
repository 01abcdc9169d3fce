import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeTokenPart } from '../../packages/pool/src/testing/test-tokens.ts';
import { createBearerHeader, type Exchange } from '../support/requests/exchange.ts';
import {
  findLatestCode,
  findNotMeToken,
  type LoginTokens,
  listAcceptingEndpoints,
  logIn,
} from '../support/routes/owner-login.ts';
import { openReplicas, type Replicas } from '../support/services/replicas.ts';
import { addUser, PASSWORD, type TestService } from '../support/services/test-service.ts';

const NEW_PASSWORD = 'A-New-Horse2!';

/** A user with two logins at one of two replicas. */
interface Scene {
  readonly one: TestService;
  readonly email: string;
  /** The login of the request, if a user sends it. */
  readonly own: LoginTokens;
  /** Another login of the same user. */
  readonly elsewhere: LoginTokens;
}

/** Something that ends logins. */
interface Revocation {
  act(scene: Scene): Promise<Exchange>;
  /** Which logins it ends. */
  readonly revokes: 'own' | 'elsewhere' | 'both';
  /** The password for a login right afterwards. Undefined if that needs more steps first. */
  readonly next?: string;
}

const admin = ({ one }: Scene, operation: string, email: string, more: object = {}) =>
  one.call(operation, { UserPoolId: one.userPoolId, Username: email, ...more }, one.asAdmin);
const adminRoute = ({ one, email }: Scene, path: string) => one.post(`/admin/users/${email}${path}`, {}, one.asAdmin);
const byUser = ({ one, own }: Scene, method: string, path: string, body: unknown = {}) =>
  one.ask(method, path, { headers: createBearerHeader(own.access), body });

async function forgotten({ one, email }: Scene): Promise<string> {
  assert.equal((await one.post('/password/forgot', { email })).status, 200);
  return findLatestCode(one, email);
}

const CHANGE = { password: PASSWORD, new_password: NEW_PASSWORD };

/** Everything that ends logins, at the routes and at the Cognito-compatible API. */
const REVOCATIONS: Readonly<Record<string, Revocation>> = {
  'POST /logout': { revokes: 'own', next: PASSWORD, act: (scene) => byUser(scene, 'POST', '/logout') },
  RevokeToken: {
    revokes: 'own',
    next: PASSWORD,
    act: ({ one, own }) => one.call('RevokeToken', { ClientId: one.clientId, Token: own.refresh }),
  },
  'DELETE /user/sessions/{id}': {
    revokes: 'elsewhere',
    next: PASSWORD,
    act: (scene) => byUser(scene, 'DELETE', `/user/sessions/${decodeTokenPart(scene.elsewhere.access, 1).origin_jti}`),
  },
  'POST /logout/forced': { revokes: 'both', next: PASSWORD, act: (scene) => byUser(scene, 'POST', '/logout/forced') },
  'PUT /logout/forced': { revokes: 'both', next: PASSWORD, act: (scene) => byUser(scene, 'PUT', '/logout/forced') },
  GlobalSignOut: {
    revokes: 'both',
    next: PASSWORD,
    act: ({ one, own }) => one.call('GlobalSignOut', { AccessToken: own.access }),
  },
  'POST /admin/users/{username}/sign-out': {
    revokes: 'both',
    next: PASSWORD,
    act: (scene) => adminRoute(scene, '/sign-out'),
  },
  AdminUserGlobalSignOut: {
    revokes: 'both',
    next: PASSWORD,
    act: (scene) => admin(scene, 'AdminUserGlobalSignOut', scene.email),
  },
  'POST /user/changepassword': {
    revokes: 'elsewhere',
    next: NEW_PASSWORD,
    act: (scene) => byUser(scene, 'POST', '/user/changepassword', CHANGE),
  },
  ChangePassword: {
    revokes: 'elsewhere',
    next: NEW_PASSWORD,
    act: ({ one, own }) =>
      one.call('ChangePassword', {
        AccessToken: own.access,
        PreviousPassword: PASSWORD,
        ProposedPassword: NEW_PASSWORD,
      }),
  },
  'POST /password/reset': {
    revokes: 'both',
    next: NEW_PASSWORD,
    act: async (scene) =>
      scene.one.post('/password/reset', { email: scene.email, code: await forgotten(scene), password: NEW_PASSWORD }),
  },
  ConfirmForgotPassword: {
    revokes: 'both',
    next: NEW_PASSWORD,
    act: async (scene) =>
      scene.one.call('ConfirmForgotPassword', {
        ClientId: scene.one.clientId,
        Username: scene.email,
        ConfirmationCode: await forgotten(scene),
        Password: NEW_PASSWORD,
      }),
  },
  'POST /admin/users/{username}/reset-password': {
    revokes: 'both',
    act: (scene) => adminRoute(scene, '/reset-password'),
  },
  AdminResetUserPassword: { revokes: 'both', act: (scene) => admin(scene, 'AdminResetUserPassword', scene.email) },
  AdminSetUserPassword: {
    revokes: 'both',
    next: NEW_PASSWORD,
    act: (scene) => admin(scene, 'AdminSetUserPassword', scene.email, { Password: NEW_PASSWORD, Permanent: true }),
  },
  'POST /admin/users/{username}/disable': { revokes: 'both', act: (scene) => adminRoute(scene, '/disable') },
  AdminDisableUser: { revokes: 'both', act: (scene) => admin(scene, 'AdminDisableUser', scene.email) },
  'DELETE /admin/users/{username}': {
    revokes: 'both',
    act: ({ one, email }) =>
      one.ask('DELETE', `/admin/users/${email}`, { headers: one.asAdmin, body: { confirm: true } }),
  },
  AdminDeleteUser: { revokes: 'both', act: (scene) => admin(scene, 'AdminDeleteUser', scene.email) },
  'DELETE /user': { revokes: 'both', act: (scene) => byUser(scene, 'DELETE', '/user', { confirm: true }) },
  DeleteUser: { revokes: 'both', act: ({ one, own }) => one.call('DeleteUser', { AccessToken: own.access }) },
  'POST /account/not-me': {
    revokes: 'both',
    act: async (scene) => {
      assert.equal((await byUser(scene, 'POST', '/user/changepassword', CHANGE)).status, 200);
      return scene.one.post('/account/not-me', { token: findNotMeToken(scene.one, scene.email) });
    },
  },
};

describe('revocation at one of two services on one PostgreSQL', () => {
  let replicas: Replicas;
  let one: TestService;
  let other: TestService;
  before(async () => {
    replicas = await openReplicas();
    ({ one, other } = replicas);
  });
  after(() => replicas?.close());

  let count = 0;
  async function scene(): Promise<Scene> {
    count += 1;
    const email = `revocation-${count}@example.com`;
    await addUser(one, email);
    const [own, elsewhere] = [await logIn(one, email), await logIn(other, email)];
    // The replicas cache these logins from here on.
    for (const service of [one, other])
      for (const { access } of [own, elsewhere])
        assert.equal((await service.get('/user/profile', createBearerHeader(access))).status, 200);
    return { one, email, own, elsewhere };
  }

  const nowhere = { profile: false, device: false, cognitoApi: false, cognitoApiRefresh: false, route: false };

  for (const [name, { act, revokes, next }] of Object.entries(REVOCATIONS)) {
    it(`${name} takes effect on the other’s next request, at the routes and the Cognito-compatible API`, async () => {
      const revocation = await scene();
      const answer = await act(revocation);
      assert.equal(answer.status, 200, answer.text);
      for (const side of ['own', 'elsewhere'] as const) {
        const isOver = revokes === side || revokes === 'both';
        for (const at of [other, one]) {
          if (isOver) assert.deepEqual(await listAcceptingEndpoints(at, revocation[side]), nowhere, side);
          else
            assert.equal(
              (await at.get('/user/profile', createBearerHeader(revocation[side].access))).status,
              200,
              side,
            );
        }
      }
      if (next === undefined) return;
      // In the same second as the revocation.
      const later = await logIn(other, revocation.email, next);
      for (const at of [one, other])
        assert.equal((await at.get('/user/profile', createBearerHeader(later.access))).status, 200);
    });
  }

  it('a disabled user has to log in again after being enabled', async () => {
    const revocation = await scene();
    for (const path of ['/disable', '/enable']) assert.equal((await adminRoute(revocation, path)).status, 200);
    for (const at of [other, one]) assert.deepEqual(await listAcceptingEndpoints(at, revocation.own), nowhere);
    const next = await logIn(other, revocation.email);
    assert.equal((await one.get('/user/profile', createBearerHeader(next.access))).status, 200);
  });
});
