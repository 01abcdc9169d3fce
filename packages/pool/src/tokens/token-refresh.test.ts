import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { uuidV7 } from '@poolgate/provider';
import { createPoolPorts, type PoolPorts } from '../operations/pool-ports.ts';
import { type PoolAndClient, requireClientAndPool } from '../settings/pools-and-clients.ts';
import type { PoolStore } from '../store/index.ts';
import type { ClientRecord, LoginRecord, UserRecord } from '../store/records.ts';
import { assertRefused } from '../testing/assert-refused.ts';
import { createFailingStore, STORE_DOWN_ERROR } from '../testing/failing-store.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import { confirmTestDevice, issueDevice } from '../testing/test-devices.ts';
import { openTestEnvironment } from '../testing/test-environment.ts';
import { BY_PASSWORD } from '../testing/test-login-record.ts';
import { addUser, openTestPool, openTestPoolOn, PASSWORD, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { loginByPassword } from '../testing/test-srp-logins.ts';
import { decodeTokenPart, requireTokens, type Tokens } from '../testing/test-tokens.ts';
import { createTestTriggers, formatTriggerArn } from '../testing/test-triggers.ts';
import { createLogin } from './login-tokens.ts';
import { createRefreshToken } from './refresh-token.ts';
import { refreshTokens } from './token-refresh.ts';

const ADA = 'ada@example.com';
const DAY_MS = 86_400_000;

function refresh({ operations, clientId }: TestPool, token: string) {
  return operations.getTokensFromRefreshToken({ RefreshToken: token, ClientId: clientId }, TEST_CALL);
}

function getUser({ operations }: TestPool, token: string) {
  return operations.getUser({ AccessToken: token }, TEST_CALL);
}

forEachDatabase((database) => {
  describe(`refresh on ${database.name}`, () => {
    let pool: TestPool;
    let replica: TestPool;
    const login = async (name = ADA): Promise<Tokens> => requireTokens(await loginByPassword(pool, name));
    before(async () => {
      pool = await openTestPool(await database.create());
      replica = pool.replica();
      await addUser(pool, ADA);
    });
    after(() => pool.close());

    database.itOnSqlite('gives new tokens of the same login, and a new refresh token', async () => {
      const first = await login();
      pool.clock.advance(60_000);
      const second = requireTokens(await refresh(pool, first.refresh));
      assert.notEqual(second.refresh, first.refresh);
      for (const use of ['access', 'id'] as const) {
        const [before, after] = [decodeTokenPart(first[use], 1), decodeTokenPart(second[use], 1)];
        assert.equal(after.auth_time, before.auth_time);
        assert.equal(after.origin_jti, before.origin_jti);
        assert.equal(after.sub, before.sub);
        assert.equal(Number(after.iat), Number(before.iat) + 60);
        assert.notEqual(after.jti, before.jti);
      }
      assert.equal((await getUser(pool, second.access)).UserAttributes.length, 3);
    });

    database.itOnSqlite('also gives the new refresh token with REFRESH_TOKEN_AUTH', async () => {
      const { refresh: REFRESH_TOKEN } = await login();
      const output = await pool.operations.initiateAuth(
        { ClientId: pool.clientId, AuthFlow: 'REFRESH_TOKEN_AUTH', AuthParameters: { REFRESH_TOKEN } },
        TEST_CALL,
      );
      const successor = requireTokens(output).refresh;
      assert.equal(requireTokens(await refresh(pool, REFRESH_TOKEN)).refresh, successor);
    });

    it('gives one new refresh token for twenty parallel refreshes at two replicas', async () => {
      const { refresh: token } = await login();
      const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => refresh(i % 2 ? pool : replica, token)));
      assert.equal(new Set(answers.map((answer) => requireTokens(answer).refresh)).size, 1);
      const record = await pool.store.logins.byId(
        String(decodeTokenPart(requireTokens(answers[0] ?? {}).access, 1).origin_jti),
      );
      assert.equal(record?.generation, 1);
    });

    it('ends the login for a token that is reused after the grace period, including access tokens on every replica', async () => {
      const first = await login();
      const second = requireTokens(await refresh(pool, first.refresh));
      pool.clock.advance(9_999);
      assert.equal(requireTokens(await refresh(replica, first.refresh)).refresh, second.refresh);
      pool.clock.advance(1);
      const refusal = await assertRefused(refresh(pool, first.refresh), 'RefreshTokenReuseException');
      assert.equal(refusal.reason, 'invalid_grant');
      for (const at of [pool, replica]) {
        await assertRefused(refresh(at, second.refresh), 'NotAuthorizedException', 'Refresh Token has been revoked');
        await assertRefused(getUser(at, second.access), 'NotAuthorizedException', 'Access Token has been revoked');
        await assertRefused(getUser(at, first.access), 'NotAuthorizedException', 'Access Token has been revoked');
      }
    });

    database.itOnSqlite('ends no login for a text that the pool did not create', async () => {
      const { refresh: token, access } = await login();
      const second = requireTokens(await refresh(pool, token));
      pool.clock.advance(60_000);
      const [id = '', , mac = ''] = token.split('.');
      const forged = `${id}.0.${createHmac('sha256', 'guess').update(`${id}.0`).digest('base64url')}`;
      for (const garbage of [forged, `${id}.2.${mac}`, `${token}x`, token.slice(1), id, access, 'x', '']) {
        const refusal = await assertRefused(refresh(pool, garbage), 'NotAuthorizedException', 'Invalid Refresh Token');
        assert.equal(refusal.reason, 'invalid_grant');
      }
      assert.ok(requireTokens(await refresh(pool, second.refresh)));
    });

    database.itOnSqlite('keeps the remaining lifetime of the login, however often it rotates', async () => {
      let { refresh: token } = await login();
      for (let day = 0; day < 29; day += 10) {
        token = requireTokens(await refresh(pool, token)).refresh;
        pool.clock.advance(10 * DAY_MS);
      }
      await assertRefused(refresh(pool, token), 'NotAuthorizedException', 'Refresh Token has expired');
    });

    database.itOnSqlite(
      'is refused to users who are disabled or must reset, without using up their token',
      async () => {
        const username = await addUser(pool, 'eve@example.com');
        const { refresh: token } = await login('eve@example.com');
        const change = (fields: object) =>
          pool.store.write((transaction) =>
            transaction.users.update(pool.userPoolId, username, { ...fields, modifiedAtMs: pool.clock.now() }),
          );
        await change({ enabled: false });
        const refusal = await assertRefused(refresh(pool, token), 'NotAuthorizedException', 'User is disabled.');
        assert.equal(refusal.reason, 'user_disabled');
        await change({ enabled: true, status: 'RESET_REQUIRED' });
        const reset = await assertRefused(refresh(pool, token), 'PasswordResetRequiredException');
        assert.deepEqual([reset.reason, reset.message], ['invalid_grant', 'Password reset required for the user']);
        await change({ status: 'CONFIRMED' });
        pool.clock.advance(60_000);
        assert.ok(requireTokens(await refresh(pool, token)));
      },
    );

    database.itOnSqlite('is only for the client of the login', async () => {
      const { refresh: token } = await login();
      const wanted = { userPoolId: pool.userPoolId, clientId: 'secondclient', clientSecret: 'x'.repeat(24) };
      const { client } = await pool.embedded.setUp(wanted);
      const foreign = { RefreshToken: token, ClientId: client.id, ClientSecret: wanted.clientSecret };
      const { operations } = pool;
      await assertRefused(
        operations.getTokensFromRefreshToken(foreign, TEST_CALL),
        'NotAuthorizedException',
        'Invalid Refresh Token',
      );
      for (const ClientSecret of [undefined, 'y'.repeat(24)]) {
        const call = operations.getTokensFromRefreshToken(
          { RefreshToken: token, ClientId: client.id, ...(ClientSecret ? { ClientSecret } : {}) },
          TEST_CALL,
        );
        assert.equal((await assertRefused(call, 'NotAuthorizedException')).reason, 'client_secret');
      }
      const revoke = (ClientSecret: string) =>
        operations.revokeToken({ ...foreign, ClientSecret, Token: token }, TEST_CALL);
      assert.equal((await assertRefused(revoke(wanted.clientSecret), 'UnauthorizedException')).reason, 'invalid_grant');
      assert.equal((await assertRefused(revoke('y'.repeat(24)), 'UnauthorizedException')).reason, 'client_secret');
      assert.ok(requireTokens(await refresh(pool, token)));
    });

    it('ends with RevokeToken, and a second revocation is no error', async () => {
      const { refresh: token, access } = await login();
      const other = await login();
      const revoke = (Token: string) => pool.operations.revokeToken({ Token, ClientId: pool.clientId }, TEST_CALL);
      assert.deepEqual(await revoke(token), {});
      assert.deepEqual(await revoke(token), {});
      await assertRefused(refresh(replica, token), 'NotAuthorizedException', 'Refresh Token has been revoked');
      await assertRefused(getUser(replica, access), 'NotAuthorizedException', 'Access Token has been revoked');
      await assertRefused(revoke(access), 'UnsupportedTokenTypeException');
      assert.deepEqual(await revoke(`${other.refresh.slice(0, -1)}${other.refresh.endsWith('A') ? 'E' : 'A'}`), {});
      assert.ok(requireTokens(await refresh(pool, other.refresh)));
    });

    it('ends with the login of an access token, and not with another login of the user', async () => {
      const ended = await login();
      const other = await login();
      const endLogin = pool.embedded.extensions.end_login;
      assert.ok(endLogin);
      await endLogin({ AccessToken: ended.access }, TEST_CALL);
      await endLogin({ AccessToken: ended.access }, TEST_CALL);
      await assertRefused(refresh(pool, ended.refresh), 'NotAuthorizedException', 'Refresh Token has been revoked');
      await assertRefused(getUser(replica, ended.access), 'NotAuthorizedException', 'Access Token has been revoked');
      await assertRefused(endLogin({ AccessToken: 'x' }, TEST_CALL), 'NotAuthorizedException', 'Invalid Access Token');
      assert.ok(requireTokens(await refresh(pool, other.refresh)));
    });
  });

  describe(`refresh without rotation on ${database.name}`, () => {
    let pool: TestPool;
    before(async () => {
      pool = await openTestPool(await database.create(), {
        client: { refreshRotation: null, tokenRevocation: false },
      });
      await addUser(pool, ADA);
    });
    after(() => pool.close());

    database.itOnSqlite('gives no refresh token, and accepts the same one again', async () => {
      const { refresh: token } = requireTokens(await loginByPassword(pool, ADA));
      for (const _ of [1, 2]) {
        const { AuthenticationResult } = await refresh(pool, token);
        assert.deepEqual(Object.keys(AuthenticationResult ?? {}).sort(), [
          'AccessToken',
          'ExpiresIn',
          'IdToken',
          'TokenType',
        ]);
        pool.clock.advance(60_000);
      }
    });

    database.itOnSqlite('refuses to revoke if the client does not track logins, and names no origin', async () => {
      const { refresh: Token, access } = requireTokens(await loginByPassword(pool, ADA));
      const revoke = pool.operations.revokeToken({ Token, ClientId: pool.clientId }, TEST_CALL);
      await assertRefused(revoke, 'UnsupportedOperationException');
      const end = pool.embedded.extensions.end_login?.({ AccessToken: access }, TEST_CALL) ?? assert.fail();
      await assertRefused(end, 'UnsupportedOperationException');
      assert.equal('origin_jti' in decodeTokenPart(access, 1), false);
      assert.ok(await getUser(pool, access));
    });

    it('still ends with every login of the user, on every replica', async () => {
      const user = { UserPoolId: pool.userPoolId, Username: ADA };
      const acts = [
        () => pool.operations.adminUserGlobalSignOut(user, TEST_CALL),
        () => pool.operations.adminSetUserPassword({ ...user, Password: PASSWORD, Permanent: true }, TEST_CALL),
        (AccessToken: string) => pool.operations.globalSignOut({ AccessToken }, TEST_CALL),
      ];
      for (const end of acts) {
        const { access, refresh: token } = requireTokens(await loginByPassword(pool, ADA));
        const { AuthenticationResult } = await refresh(pool, token);
        await end(access);
        for (const dead of [access, AuthenticationResult?.AccessToken ?? '']) {
          await assertRefused(getUser(pool.replica(), dead), 'NotAuthorizedException', 'Access Token has been revoked');
        }
      }
    });

    database.itOnSqlite('continues if its user changes the password, and the others end', async () => {
      const own = requireTokens(await loginByPassword(pool, ADA));
      const other = requireTokens(await loginByPassword(pool, ADA));
      const change = { AccessToken: own.access, PreviousPassword: PASSWORD, ProposedPassword: 'Another-Horse2!' };
      await pool.operations.changePassword(change, TEST_CALL);
      assert.ok(await getUser(pool, own.access));
      assert.ok(await refresh(pool, own.refresh));
      await assertRefused(getUser(pool, other.access), 'NotAuthorizedException', 'Access Token has been revoked');
    });
  });
});

const INVALID = ['NotAuthorizedException', 'Invalid Refresh Token'] as const;

describe('a refresh', () => {
  const triggers = createTestTriggers({ PreTokenGeneration: (event) => event });
  let pool: TestPool;
  let ports: PoolPorts;
  let owner: PoolAndClient;
  let user: UserRecord;
  before(async () => {
    const opened = await openTestEnvironment('sqlite::memory:');
    const options = { ...opened.options, triggers: triggers.invoker };
    pool = await openTestPoolOn({ ...opened, options });
    ports = createPoolPorts(options);
    owner = await requireClientAndPool(ports, pool.clientId);
    const found = await pool.store.users.byName(pool.userPoolId, await addUser(pool, ADA));
    user = found?.user ?? assert.fail();
  });
  after(() => pool.close());

  /** What differs for one refresh. */
  interface Given {
    readonly deviceKey?: string;
    readonly rotation?: ClientRecord['settings']['refreshRotation'];
    readonly settings?: Partial<PoolAndClient['pool']['settings']>;
    readonly store?: PoolStore;
  }
  function renew(refreshToken: string, { deviceKey, rotation, settings, store = ports.store }: Given = {}) {
    const { pool: ofPool, client } = owner;
    const rotating = rotation === undefined ? {} : { refreshRotation: rotation };
    return refreshTokens(
      { ...ports, store },
      {
        pool: { ...ofPool, settings: { ...ofPool.settings, ...settings } },
        client: { ...client, settings: { ...client.settings, ...rotating } },
        refreshToken,
        deviceKey,
        authorize: () => {},
        clientMetadata: { a: 'b' },
      },
    );
  }
  const start = (scope: string | null = null): Promise<LoginRecord> =>
    ports.store.write((transaction) =>
      createLogin(ports, transaction, { ...owner, user }, { deviceKey: null, ...BY_PASSWORD, ...(scope && { scope }) }),
    );
  const createToken = ({ id }: Pick<LoginRecord, 'id'>, generation = 0) =>
    createRefreshToken(ports, owner.pool, id, generation);

  it('is refused for an unknown login, and for a later generation, and ends nothing', async () => {
    const login = await start();
    const unknown = { id: uuidV7(pool.clock.now(), ports.random) };
    for (const token of [createToken(unknown), createToken(login, 1)]) {
      assert.equal((await assertRefused(renew(token), ...INVALID)).reason, 'invalid_grant');
    }
    assert.ok((await renew(createToken(login))).AccessToken);
  });

  it('is refused if the user is gone', async () => {
    const token = createToken(await start());
    const byIdWithUser: PoolStore['logins']['byIdWithUser'] = async (id) => {
      const found = await ports.store.logins.byIdWithUser(id);
      return found && { ...found, user: undefined };
    };
    const store = new Proxy(ports.store, {
      get: (of, key) => (key === 'logins' ? { byIdWithUser } : Reflect.get(of, key)),
    });
    await assertRefused(renew(token, { store }), ...INVALID);
  });

  it('of a login from a confirmed device requires its key, while devices are tracked', async () => {
    const device = await issueDevice(pool, ADA);
    const issued = await renew(device.tokens.refresh);
    assert.ok(issued.AccessToken, 'a key that was only issued binds nothing');
    await confirmTestDevice(pool, device);
    const { RefreshToken: token = '' } = issued;
    for (const deviceKey of [undefined, `${device.key}x`]) {
      const given = deviceKey === undefined ? {} : { deviceKey };
      const refusal = await assertRefused(renew(token, given), 'NotAuthorizedException', 'Invalid Refresh Token.');
      assert.equal(refusal.reason, 'invalid_grant');
    }
    assert.ok((await renew(token, { deviceKey: device.key })).AccessToken);
    assert.ok((await renew(token, { settings: { deviceTracking: null } })).AccessToken);
  });

  it('has no grace period if the client no longer rotates: an earlier token is used up', async () => {
    const token = createToken(await start());
    assert.ok((await renew(token)).RefreshToken);
    await assertRefused(renew(token, { rotation: null }), 'RefreshTokenReuseException');
  });

  it('succeeds for the first of two parallel ones without a grace period', async () => {
    const token = createToken(await start());
    const both = await Promise.allSettled([1, 2].map(() => renew(token, { rotation: { graceSeconds: 0 } })));
    assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
    const refused = both.find((one) => one.status === 'rejected');
    assert.equal(refused?.reason.code, 'RefreshTokenReuseException');
  });

  it('gives no tokens, and does not report reuse, if that cannot be written', async () => {
    const login = await start();
    const store = createFailingStore(ports.store, () => true);
    await assert.rejects(renew(createToken(login), { store }), STORE_DOWN_ERROR);
    await renew(createToken(login), { rotation: { graceSeconds: 0 } });
    await assert.rejects(renew(createToken(login), { store, rotation: { graceSeconds: 0 } }), STORE_DOWN_ERROR);
  });

  it('passes the scopes of an application to the trigger, and those of the API without one', async () => {
    const PreTokenGenerationConfig = {
      LambdaVersion: 'V2_0',
      LambdaArn: formatTriggerArn('PreTokenGeneration'),
    } as const;
    const settings = { kept: { LambdaConfig: { PreTokenGenerationConfig } } };
    for (const [scope, scopes] of [
      ['openid email', ['openid', 'email']],
      [null, ['aws.cognito.signin.user.admin']],
    ] as const) {
      await renew(createToken(await start(scope)), { settings });
      const [event] = triggers.takeEvents();
      assert.equal(event?.triggerSource, 'TokenGeneration_RefreshTokens');
      assert.deepEqual([event.request.scopes, event.request.clientMetadata], [scopes, { a: 'b' }]);
    }
  });
});
