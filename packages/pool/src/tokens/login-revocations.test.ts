import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ProviderError, revocationSubjects, tokenState, tombstoneSubject } from '@poolgate/provider';
import type { PoolStore } from '../store/index.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import { confirmTestDevice, issueDevice, type TestDevice } from '../testing/test-devices.ts';
import { openTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import { sentCode } from '../testing/test-logins.ts';
import {
  addUser,
  createCallFromNewAddress,
  openTestPoolOn,
  PASSWORD,
  TEST_CALL,
  type TestPool,
} from '../testing/test-pool.ts';
import { loginByPassword } from '../testing/test-srp-logins.ts';
import { decodeTokenPart } from '../testing/test-tokens.ts';
import { enrolTotp } from '../testing/test-totp.ts';
import { deleteUserAndLogins, revokeLoginById } from './login-revocations.ts';

const NEW_PASSWORD = 'A-New-Horse2!';
const LINK = /\/not-me#([\w-]{43})/;
const MOST_SESSIONS = 3;

/** A user with two logins, each from its own device. */
interface Scene {
  readonly pool: TestPool;
  readonly name: string;
  readonly named: { readonly UserPoolId: string; readonly Username: string };
  /** The login of the caller, if a user calls. */
  readonly own: TestDevice;
  readonly elsewhere: TestDevice;
}

type Revoked = 'own' | 'elsewhere' | 'both';
type Act = () => Promise<unknown>;

/** An action that ends logins: which ones, and how. Preparations run before its last step. */
interface Revocation {
  readonly revokes: Revoked;
  readonly act: (scene: Scene) => Act | Promise<Act>;
}

const loginId = ({ tokens }: TestDevice) => String(decodeTokenPart(tokens.access, 1).origin_jti);
const refresh = ({ operations, clientId }: TestPool, { key, tokens }: TestDevice) =>
  operations.getTokensFromRefreshToken({ ClientId: clientId, RefreshToken: tokens.refresh, DeviceKey: key }, TEST_CALL);
const changed = ({ tokens }: TestDevice) => ({
  AccessToken: tokens.access,
  PreviousPassword: PASSWORD,
  ProposedPassword: NEW_PASSWORD,
});

async function fetchSessionId({ pool, own, elsewhere }: Scene): Promise<string> {
  const { Logins = [] } =
    (await pool.embedded.extensions.list_logins?.({ AccessToken: own.tokens.access }, TEST_CALL)) ?? {};
  return Logins.find(({ Id }) => Id === loginId(elsewhere))?.SessionId ?? assert.fail('no such session');
}

/** Every way in which the pool ends logins. */
const REVOCATIONS: Readonly<Record<string, Revocation>> = {
  AdminDeleteSoftwareToken: {
    revokes: 'both',
    async act({ pool, named, own }) {
      await enrolTotp(pool, own.tokens.access);
      return () => pool.operations.adminDeleteSoftwareToken(named, TEST_CALL);
    },
  },
  AdminDeleteUser: {
    revokes: 'both',
    act:
      ({ pool, named }) =>
      () =>
        pool.operations.adminDeleteUser(named, TEST_CALL),
  },
  AdminDisableUser: {
    revokes: 'both',
    act:
      ({ pool, named }) =>
      () =>
        pool.operations.adminDisableUser(named, TEST_CALL),
  },
  AdminForgetDevice: {
    revokes: 'elsewhere',
    act:
      ({ pool, named, elsewhere }) =>
      () =>
        pool.operations.adminForgetDevice({ ...named, DeviceKey: elsewhere.key }, TEST_CALL),
  },
  AdminResetUserPassword: {
    revokes: 'both',
    act:
      ({ pool, named }) =>
      () =>
        pool.operations.adminResetUserPassword(named, createCallFromNewAddress()),
  },
  AdminRevokeUserSession: {
    revokes: 'elsewhere',
    async act(scene) {
      const SessionId = await fetchSessionId(scene);
      return () => scene.pool.operations.adminRevokeUserSession({ ...scene.named, SessionId }, TEST_CALL);
    },
  },
  AdminSetUserMFAPreference: {
    revokes: 'both',
    async act({ pool, named, own }) {
      await enrolTotp(pool, own.tokens.access);
      const off = { ...named, SoftwareTokenMfaSettings: { Enabled: false } };
      return () => pool.operations.adminSetUserMFAPreference(off, TEST_CALL);
    },
  },
  AdminSetUserPassword: {
    revokes: 'both',
    act:
      ({ pool, named }) =>
      () =>
        pool.operations.adminSetUserPassword({ ...named, Password: NEW_PASSWORD, Permanent: true }, TEST_CALL),
  },
  AdminUserGlobalSignOut: {
    revokes: 'both',
    act:
      ({ pool, named }) =>
      () =>
        pool.operations.adminUserGlobalSignOut(named, TEST_CALL),
  },
  ChangePassword: {
    revokes: 'elsewhere',
    act:
      ({ pool, own }) =>
      () =>
        pool.operations.changePassword(changed(own), TEST_CALL),
  },
  ConfirmForgotPassword: {
    revokes: 'both',
    async act({ pool, name }) {
      const { clientId: ClientId, operations } = pool;
      await operations.forgotPassword({ ClientId, Username: name }, createCallFromNewAddress());
      const proof = { ClientId, Username: name, ConfirmationCode: sentCode(pool, name) };
      return () => operations.confirmForgotPassword({ ...proof, Password: NEW_PASSWORD }, TEST_CALL);
    },
  },
  DeleteUser: {
    revokes: 'both',
    act:
      ({ pool, own }) =>
      () =>
        pool.operations.deleteUser({ AccessToken: own.tokens.access }, TEST_CALL),
  },
  ForgetDevice: {
    revokes: 'elsewhere',
    act:
      ({ pool, own, elsewhere }) =>
      () =>
        pool.operations.forgetDevice({ AccessToken: own.tokens.access, DeviceKey: elsewhere.key }, TEST_CALL),
  },
  GlobalSignOut: {
    revokes: 'both',
    act:
      ({ pool, own }) =>
      () =>
        pool.operations.globalSignOut({ AccessToken: own.tokens.access }, TEST_CALL),
  },
  RevokeToken: {
    revokes: 'own',
    act:
      ({ pool, own }) =>
      () =>
        pool.operations.revokeToken({ ClientId: pool.clientId, Token: own.tokens.refresh }, TEST_CALL),
  },
  RevokeUserSession: {
    revokes: 'elsewhere',
    async act(scene) {
      const SessionId = await fetchSessionId(scene);
      const { pool, own } = scene;
      return () => pool.operations.revokeUserSession({ AccessToken: own.tokens.access, SessionId }, TEST_CALL);
    },
  },
  disown: {
    revokes: 'both',
    async act({ pool, name, own }) {
      await pool.operations.changePassword(changed(own), TEST_CALL);
      pool.clock.advance(2_000);
      const text = pool.sent.findLast(({ to, code }) => to === name && code === undefined)?.text ?? '';
      const Token = LINK.exec(text)?.[1] ?? assert.fail('no link');
      return async () => pool.embedded.extensions.disown?.({ Token }, TEST_CALL);
    },
  },
  end_login: {
    revokes: 'own',
    act:
      ({ pool, own }) =>
      async () =>
        pool.embedded.extensions.end_login?.({ AccessToken: own.tokens.access }, TEST_CALL),
  },
  end_login_by_id: {
    revokes: 'elsewhere',
    act: ({ pool, own, elsewhere }) => {
      const input = { AccessToken: own.tokens.access, LoginId: loginId(elsewhere) };
      return async () => pool.embedded.extensions.end_login_by_id?.(input, TEST_CALL);
    },
  },
  end_other_logins: {
    revokes: 'elsewhere',
    act:
      ({ pool, own }) =>
      async () =>
        pool.embedded.extensions.end_other_logins?.({ AccessToken: own.tokens.access }, TEST_CALL),
  },
  force_password_reset: {
    revokes: 'both',
    act:
      ({ pool, named }) =>
      async () =>
        pool.embedded.extensions.force_password_reset?.(named, createCallFromNewAddress()),
  },
  reset_mfa: {
    revokes: 'both',
    act:
      ({ pool, named }) =>
      async () =>
        pool.embedded.extensions.reset_mfa?.(named, TEST_CALL),
  },
  'a refresh token that comes back': {
    revokes: 'own',
    async act({ pool, own }) {
      await refresh(pool, own);
      pool.clock.advance(60_000);
      return () => refresh(pool, own);
    },
  },
  'a login beyond the most sessions': {
    revokes: 'own',
    async act({ pool, name, elsewhere }) {
      for (let count = 2; count < MOST_SESSIONS; count++) await loginByPassword(pool, name);
      pool.clock.advance(2_000);
      await refresh(pool, elsewhere);
      return () => loginByPassword(pool, name);
    },
  },
};

/** What happens to a write. */
interface Fate {
  /** The write that runs to its end but is not committed, counted from 0; undefined: none. */
  failing: number | undefined;
}

class NotCommitted extends Error {}

function failingAtCommit(store: PoolStore, fate: Fate): PoolStore {
  const write: PoolStore['write'] = (work) => {
    const fails = fate.failing === 0;
    if (fate.failing !== undefined) fate.failing -= 1;
    if (!fails) return store.write(work);
    return store.write(async (transaction) => {
      await work(transaction);
      throw new NotCommitted('the write is not committed');
    });
  };
  return new Proxy(store, { get: (target, key) => (key === 'write' ? write : Reflect.get(target, key)) });
}

/** More than any of these needs. */
const MAX_WRITES = 8;

forEachDatabase((database) => {
  describe(`what ends logins on ${database.name}`, () => {
    const fate: Fate = { failing: undefined };
    let opened: TestEnvironment;
    let pool: TestPool;
    before(async () => {
      opened = await openTestEnvironment(await database.create());
      const store = failingAtCommit(opened.options.store, fate);
      pool = await openTestPoolOn(
        { ...opened, options: { ...opened.options, store } },
        {
          pool: {
            mfaConfiguration: 'OPTIONAL',
            notMeUrl: 'https://pool.example/cognito/not-me',
            mfaMethods: ['SOFTWARE_TOKEN_MFA'],
            sessions: { tracked: true, mostPerUser: MOST_SESSIONS },
          },
          client: { refreshRotation: { graceSeconds: 0 } },
        },
      );
    });
    after(() => pool.close());

    let count = 0;
    async function scene(): Promise<Scene> {
      const name = `user${count++}@example.com`;
      await addUser(pool, name);
      const [own, elsewhere] = [await issueDevice(pool, name), await issueDevice(pool, name)];
      for (const device of [own, elsewhere]) await confirmTestDevice(pool, device);
      // Tokens contain whole seconds, so a token that ends in its first second is ambiguous.
      pool.clock.advance(2_000);
      return { pool, name, named: { UserPoolId: pool.userPoolId, Username: name }, own, elsewhere };
    }

    /** As an API guard sees it: by the committed rows. */
    async function isRefusedByRows({ tokens }: TestDevice): Promise<boolean> {
      const { sub, iat } = decodeTokenPart(tokens.access, 1);
      const token = { sub: String(sub), originJti: String(decodeTokenPart(tokens.access, 1).origin_jti) };
      const judged = { ...token, issuedAtSeconds: Number(iat) };
      const rows = await opened.records.revocations.listBySubjects(
        pool.userPoolId,
        revocationSubjects(judged),
        pool.clock.now(),
      );
      return tokenState(judged, rows) === 'revoked';
    }

    /** As the pool itself sees it: by its logins and users. */
    function isRefusedByPool({ tokens }: TestDevice): Promise<boolean> {
      return pool.operations.getUser({ AccessToken: tokens.access }, TEST_CALL).then(
        () => false,
        (error: unknown) => error instanceof ProviderError || assert.fail(String(error)),
      );
    }

    async function assertRevoked({ own, elsewhere }: Scene, revoked: Revoked | undefined, message?: string) {
      for (const [side, device] of [
        ['own', own],
        ['elsewhere', elsewhere],
      ] as const) {
        const expected = revoked === side || revoked === 'both';
        assert.equal(await isRefusedByPool(device), expected, `${side}, by the pool ${message}`);
        assert.equal(await isRefusedByRows(device), expected, `${side}, by the rows ${message}`);
      }
    }

    for (const [name, { act, revokes }] of Object.entries(REVOCATIONS)) {
      it(`${name} is visible to the pool and to all who read its revocations, or to neither`, async () => {
        for (let failing = 0; ; failing++) {
          assert.ok(failing < MAX_WRITES, 'too many writes');
          const current = await scene();
          const step = await act(current);
          const before = await Promise.all([current.own, current.elsewhere].map(isRefusedByPool));
          fate.failing = failing;
          const error = await step().then(
            () => undefined,
            (cause: unknown) => cause,
          );
          const hasFailed = fate.failing < 0;
          fate.failing = undefined;
          if (!hasFailed) {
            assert.ok(failing > 0, 'nothing was written');
            return assertRevoked(current, revokes, 'when all is written');
          }
          assert.ok(error === undefined || error instanceof Error);
          const now = await Promise.all([current.own, current.elsewhere].map(isRefusedByPool));
          const rows = await Promise.all([current.own, current.elsewhere].map(isRefusedByRows));
          assert.deepEqual(rows, now, `write ${failing}`);
          if (failing === 0 && error instanceof NotCommitted) assert.deepEqual(now, before);
        }
      });
    }

    it('ending one login reports whether it was active, and deleting a user whether there was one', async () => {
      const { own } = await scene();
      const { userPoolId, store } = pool;
      const nowMs = pool.clock.now();
      const end = () => store.write((transaction) => revokeLoginById(transaction, userPoolId, loginId(own), nowMs));
      assert.deepEqual([await end(), await end()], [true, false]);
      const nobody = { poolId: userPoolId, username: 'nobody', sub: 'nobody' };
      assert.equal(await store.write((transaction) => deleteUserAndLogins(transaction, nobody, nowMs)), false);
      const rows = await opened.records.revocations.listBySubjects(userPoolId, [tombstoneSubject('nobody')], nowMs);
      assert.deepEqual(rows, []);
    });

    for (const name of ['AdminDeleteUser', 'DeleteUser']) {
      it(`${name} also removes the gateway's data of the user, and only together`, async () => {
        const current = await scene();
        const sub = String(decodeTokenPart(current.own.tokens.access, 1).sub);
        const { userPoolId } = pool;
        await opened.records.localUsers.upsert({ userPoolId, sub, username: current.name }, pool.clock.now());
        await opened.records.localDevices.put({
          userPoolId,
          sub,
          deviceKey: current.own.key,
          name: 'Phone',
          remembered: null,
          createdAtMs: pool.clock.now(),
          updatedAtMs: pool.clock.now(),
        });
        const step = await (REVOCATIONS[name] ?? assert.fail()).act(current);
        fate.failing = 0;
        await assert.rejects(step(), NotCommitted);
        fate.failing = undefined;
        assert.ok(await opened.records.localUsers.find(userPoolId, sub));
        await step();
        assert.equal(await opened.records.localUsers.find(userPoolId, sub), undefined);
        assert.deepEqual(await opened.records.localDevices.listByKeys(userPoolId, sub, [current.own.key]), []);
      });
    }
  });
});
