import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Input } from '@poolgate/provider';
import { assertRefused } from '../testing/assert-refused.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import {
  addUser,
  createCallFromNewAddress,
  openTestPool,
  PASSWORD,
  TEST_CALL,
  type TestPool,
  type TestPoolOptions,
} from '../testing/test-pool.ts';
import { describeOutcome, loginByPassword } from '../testing/test-srp-logins.ts';

const OTHER = 'Another-Horse2!';
const DAY_MS = 86_400_000;
const UNCONFIRMED = 'User is not confirmed.';
const WRONG = 'Incorrect username or password.';

function signUp({ operations, clientId }: TestPool, Username: string, Password = PASSWORD, email?: string) {
  const UserAttributes = email === undefined ? [] : [{ Name: 'email', Value: email }];
  return operations.signUp({ ClientId: clientId, Username, Password, UserAttributes }, createCallFromNewAddress());
}

function confirm(pool: TestPool, Username: string, more: Partial<Input<'ConfirmSignUp'>> = {}, to = Username) {
  const ConfirmationCode = pool.sent.findLast((message) => message.to === to && message.code)?.code ?? '';
  return pool.operations.confirmSignUp({ ClientId: pool.clientId, Username, ConfirmationCode, ...more }, TEST_CALL);
}

/** Pools that reject a taken username, as Cognito does. */
const AS_COGNITO: Readonly<Record<string, TestPoolOptions>> = {
  'a client that tells who exists': { client: { preventUserExistenceErrors: false } },
  'user names': { pool: { usernameAttributes: [] } },
  'user names with aliases': { pool: { usernameAttributes: [], aliasAttributes: ['email'] } },
};

forEachDatabase((database) => {
  describe(`registrations on ${database.name}`, () => {
    async function withPool(options: TestPoolOptions, work: (pool: TestPool) => Promise<void>): Promise<void> {
      const pool = await openTestPool(await database.create(), options);
      try {
        await work(pool);
      } finally {
        await pool.close();
      }
    }

    for (const [what, options] of Object.entries(AS_COGNITO)) {
      it(`with ${what}: a second one is refused, and makes the first one's password doubtful without its session`, () =>
        withPool(options, async (pool) => {
          const email = 'ada@example.com';
          const name = options.pool === undefined ? email : 'ada';
          const { Session } = await signUp(pool, name, OTHER, email);
          assert.ok(Session);
          await assertRefused(signUp(pool, name, PASSWORD, email), 'UsernameExistsException');
          await confirm(pool, name, {}, email);
          assert.equal(await describeOutcome(loginByPassword(pool, name, OTHER)), WRONG);
        }));

      it(`with ${what}: the session of the first one keeps its password, and so does a refusal of the same password`, () =>
        withPool(options, async (pool) => {
          for (const [n, second] of [OTHER, PASSWORD].entries()) {
            const email = `ada${n}@example.com`;
            const name = options.pool === undefined ? email : `ada${n}`;
            const { Session } = await signUp(pool, name, PASSWORD, email);
            assert.ok(Session);
            await assertRefused(signUp(pool, name, second, email), 'UsernameExistsException');
            await confirm(pool, name, second === PASSWORD ? {} : { Session }, email);
            assert.equal(await describeOutcome(loginByPassword(pool, name)), 'tokens');
          }
        }));
    }

    it('respond, count and continue alike for a new name and a taken one', () =>
      withPool({}, async (pool) => {
        await addUser(pool, 'known@example.com', OTHER);
        const shapes = [];
        for (const name of ['known@example.com', 'fresh@example.com']) {
          const first = await signUp(pool, name);
          const again = await signUp(pool, name);
          const other = await signUp(pool, name, `${PASSWORD}x`);
          assert.equal(again.UserSub, first.UserSub, 'the same password is the same registration');
          assert.notEqual(other.UserSub, first.UserSub);
          assert.equal(await describeOutcome(loginByPassword(pool, first.UserSub)), UNCONFIRMED);
          assert.equal(await describeOutcome(loginByPassword(pool, first.UserSub, OTHER)), WRONG);
          const wrong = confirm(pool, name, {
            ConfirmationCode: '0',
            ...(first.Session && { Session: first.Session }),
          });
          const error = await assertRefused(wrong, 'CodeMismatchException');
          shapes.push([
            first.Session?.length,
            other.Session?.length,
            Object.keys(first),
            first.CodeDeliveryDetails?.AttributeName,
            error.message,
          ]);
        }
        const [known, fresh] = shapes;
        assert.deepEqual(known?.slice(2), fresh?.slice(2));
        assert.ok(Math.abs(Number(known?.[0]) - Number(fresh?.[0])) <= 2, 'as the typed names differ');
        assert.equal(await describeOutcome(loginByPassword(pool, 'known@example.com', OTHER)), 'tokens');
        const listed = await pool.operations.listUsers({ UserPoolId: pool.userPoolId }, TEST_CALL);
        assert.deepEqual(listed.Users?.map(({ UserStatus }) => UserStatus).sort(), ['CONFIRMED', 'UNCONFIRMED']);
      }));

    it('expire after their days, swept or not', () =>
      withPool({}, async (pool) => {
        const name = 'late@example.com';
        const { Session = '', UserSub } = await signUp(pool, name, OTHER);
        pool.clock.advance(7 * DAY_MS - 1);
        const aside = await signUp(pool, name);
        assert.notEqual(aside.UserSub, UserSub);
        pool.clock.advance(1);
        const error = await assertRefused(confirm(pool, name, { Session }), 'NotAuthorizedException');
        assert.equal(error.reason, 'invalid_session');
        const again = await signUp(pool, name);
        assert.equal(again.UserSub, aside.UserSub);
        await pool.store.sweep(pool.clock.now());
        assert.equal(await pool.store.users.byUsername(pool.userPoolId, UserSub), undefined);
        assert.ok(again.Session);
        await confirm(pool, name, { Session: again.Session });
        assert.equal(await describeOutcome(loginByPassword(pool, name)), 'tokens');
        pool.clock.advance(30 * DAY_MS);
        await pool.store.sweep(pool.clock.now());
        assert.equal(await describeOutcome(loginByPassword(pool, name)), 'tokens');
      }));

    it('have a doubtful password while another one is pending, even after the first one has expired', () =>
      withPool({}, async (pool) => {
        const name = 'third@example.com';
        await signUp(pool, name, OTHER);
        pool.clock.advance(DAY_MS);
        await signUp(pool, name, `${OTHER}x`);
        pool.clock.advance(6 * DAY_MS);
        await signUp(pool, name);
        await confirm(pool, name);
        assert.equal(await describeOutcome(loginByPassword(pool, name)), WRONG);
      }));

    it('of a taken name notify its owner at once, and get the response of new ones if users are hidden', () =>
      withPool(AS_COGNITO['user names'] ?? {}, async (pool) => {
        const UserAttributes = [{ Name: 'email', Value: 'ada@example.com' }];
        const asked = { ClientId: pool.clientId, Username: 'ada', Password: PASSWORD, UserAttributes };
        const hidden = () => pool.operations.signUp(asked, { ...createCallFromNewAddress(), entryPoint: 'routes' });
        const first = await hidden();
        const again = await hidden();
        assert.equal(again.UserSub, first.UserSub, 'the same password is the same registration');
        await confirm(pool, 'ada', {}, 'ada@example.com');
        const before = pool.sent.length;
        const taken = await hidden();
        assert.notEqual(taken.UserSub, first.UserSub);
        assert.deepEqual(
          pool.sent.slice(before).map(({ to, code }) => [to, code]),
          [['ada@example.com', undefined]],
        );
      }));

    it('do not end if an administrator says that the address is verified', () =>
      withPool({}, async (pool) => {
        const name = 'vouched@example.com';
        await signUp(pool, name);
        const UserAttributes = [{ Name: 'email_verified', Value: 'true' }];
        const input = { UserPoolId: pool.userPoolId, Username: name, UserAttributes };
        await pool.operations.adminUpdateUserAttributes(input, TEST_CALL);
        pool.clock.advance(30 * DAY_MS);
        await pool.store.sweep(pool.clock.now());
        const UserPoolId = pool.userPoolId;
        await pool.operations.adminConfirmSignUp({ UserPoolId, Username: name }, TEST_CALL);
        assert.equal(await describeOutcome(loginByPassword(pool, name)), 'tokens');
      }));

    it('accept only their own session, whatever it looks like', () =>
      withPool({}, async (pool) => {
        const { Session = '' } = await signUp(pool, 'ada@example.com');
        const other = await signUp(pool, 'eve@example.com');
        const foreign = await openTestPool(await database.create());
        const ofOtherPool = (await signUp(foreign, 'ada@example.com')).Session;
        await foreign.close();
        for (const bad of [
          other.Session,
          ofOtherPool,
          '',
          'x',
          Session.slice(1),
          `${Session}A`,
          Session.toUpperCase(),
        ]) {
          const error = await assertRefused(
            confirm(pool, 'ada@example.com', { Session: bad ?? '' }),
            'NotAuthorizedException',
          );
          assert.equal(error.reason, 'invalid_session', bad ?? '');
        }
        await confirm(pool, 'ADA@example.com', { Session }, 'ada@example.com');
      }));

    it('are replaced by an import, and by a user who verifies the address as a new one', () =>
      withPool({}, async (pool) => {
        const { embedded, userPoolId, operations } = pool;
        await signUp(pool, 'moved@example.com');
        const moved = {
          username: 'moved@example.com',
          attributes: { email: 'moved@example.com', email_verified: 'true' },
        };
        assert.deepEqual(await embedded.importUsers(userPoolId, [moved]), [{ ok: true }]);
        await addUser(pool, 'old@example.com');
        await signUp(pool, 'new@example.com', OTHER);
        const login = await loginByPassword(pool, 'old@example.com');
        const AccessToken = login.AuthenticationResult?.AccessToken ?? '';
        const UserAttributes = [{ Name: 'email', Value: 'new@example.com' }];
        await operations.updateUserAttributes({ AccessToken, UserAttributes }, TEST_CALL);
        const Code = pool.sent.findLast(({ to, code }) => to === 'new@example.com' && code)?.code ?? '';
        await operations.verifyUserAttribute({ AccessToken, AttributeName: 'email', Code }, TEST_CALL);
        assert.equal(await describeOutcome(loginByPassword(pool, 'new@example.com')), 'tokens');
        assert.equal(await describeOutcome(loginByPassword(pool, 'new@example.com', OTHER)), WRONG);
      }));
  });
});
