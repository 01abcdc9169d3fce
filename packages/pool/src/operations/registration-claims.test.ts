import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CallContext, Input, ProviderExtensions } from '@poolgate/provider';
import { secureRandom, startClient } from '@poolgate/srp';
import { openSslEngine } from '@poolgate/srp/openssl';
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
import { computeSrpAnswer, describeOutcome, loginByPassword } from '../testing/test-srp-logins.ts';
import { requireTokens } from '../testing/test-tokens.ts';
import { createVerifier } from '../testing/test-verifiers.ts';

const OTHER = 'Another-Horse2!';
const CHOSEN = 'Chosen-Horse3!';
const DAY_MS = 86_400_000;
const UNCONFIRMED = 'User is not confirmed.';
const WRONG = 'Incorrect username or password.';

const ROUTE: CallContext = { ...TEST_CALL, entryPoint: 'routes' };
const routeFromNewAddress = (): CallContext => ({ ...createCallFromNewAddress(), entryPoint: 'routes' });

type SignUp = Partial<Input<'SignUp'>>;
type Claim = Partial<Parameters<ProviderExtensions['confirm_registration']>[0]>;

async function signUp({ operations, clientId }: TestPool, Username: string, more: SignUp = {}): Promise<string> {
  const input = { ClientId: clientId, Username, Password: OTHER, ...more };
  const { Session = '' } = await operations.signUp(input, routeFromNewAddress());
  return Session;
}

function confirm(pool: TestPool, Username: string, claim: Claim = {}, to = Username) {
  const { confirm_registration } = pool.embedded.extensions;
  assert.ok(confirm_registration);
  const ConfirmationCode = pool.sent.findLast((message) => message.to === to && message.code)?.code ?? '';
  return confirm_registration({ ClientId: pool.clientId, Username, ConfirmationCode, ...claim }, ROUTE);
}

async function logIn({ embedded, clientId: ClientId }: TestPool, Username: string, Password: string, Session: string) {
  const { log_in_with_password } = embedded.extensions;
  assert.ok(log_in_with_password);
  return describeOutcome(log_in_with_password({ ClientId, Username, Password, Session }, ROUTE));
}

async function logInBySrp(pool: TestPool, Username: string, password: string, Session: string) {
  const { operations, clientId: ClientId } = pool;
  const start = startClient({ engine: openSslEngine, random: secureRandom });
  const AuthParameters = { USERNAME: Username, SRP_A: start.srpAHex };
  const input = { ClientId, AuthFlow: 'USER_SRP_AUTH', AuthParameters, Session } as const;
  const output = await operations.initiateAuth(input, ROUTE);
  const challenged = { start, parameters: output.ChallengeParameters ?? {}, output };
  return describeOutcome(operations.respondToAuthChallenge(computeSrpAnswer(pool, challenged, password), ROUTE));
}

async function fetchAttributes(pool: TestPool, Username: string): Promise<Readonly<Record<string, string>>> {
  const user = await pool.operations.adminGetUser({ UserPoolId: pool.userPoolId, Username }, TEST_CALL);
  return Object.fromEntries(user.UserAttributes?.map(({ Name, Value = '' }) => [Name, Value]) ?? []);
}

const POOLS: Readonly<Record<string, TestPoolOptions>> = {
  'addresses that several may register': {},
  'a client that tells who exists': { client: { preventUserExistenceErrors: false } },
  'user names': { pool: { usernameAttributes: [] } },
};

forEachDatabase((database) => {
  describe(`registrations on the routes, on ${database.name}`, () => {
    async function withPool(options: TestPoolOptions, work: (pool: TestPool) => Promise<void>): Promise<void> {
      const pool = await openTestPool(await database.create(), options);
      try {
        await work(pool);
      } finally {
        await pool.close();
      }
    }

    for (const [what, options] of Object.entries(POOLS)) {
      it(`with ${what}: the session of a taken name gets the responses of a new one until it expires, whatever its owner does`, () =>
        withPool(options, async (pool) => {
          const isPlain = options.pool !== undefined;
          const toUsername = (local: string) => (isPlain ? local : `${local}@example.com`);
          const attributes = (local: string): SignUp =>
            isPlain ? { UserAttributes: [{ Name: 'email', Value: `${local}@example.com` }] } : {};
          await signUp(pool, toUsername('known'), { Password: PASSWORD, ...attributes('known') });
          await confirm(pool, toUsername('known'), { Password: PASSWORD }, 'known@example.com');
          const sessions = new Map<string, string>();
          for (const local of ['known', 'fresh']) {
            sessions.set(toUsername(local), await signUp(pool, toUsername(local), attributes(local)));
          }
          const seen = async () =>
            Promise.all(
              [...sessions].map(async ([name, session]) => [
                await logIn(pool, name, OTHER, session),
                await logInBySrp(pool, name, OTHER, session),
                await logIn(pool, name, 'Wrong-Horse4!', session),
                await logInBySrp(pool, name, 'Wrong-Horse4!', session),
                await describeOutcome(
                  pool.operations.initiateAuth(
                    {
                      ClientId: pool.clientId,
                      AuthFlow: 'USER_PASSWORD_AUTH',
                      AuthParameters: { USERNAME: name, PASSWORD: OTHER },
                    },
                    ROUTE,
                  ),
                ),
              ]),
            );
          const [known, fresh] = await seen();
          assert.deepEqual(known, [UNCONFIRMED, UNCONFIRMED, WRONG, WRONG, WRONG]);
          assert.deepEqual(fresh, known);
          await confirm(pool, toUsername('fresh'), { Password: CHOSEN }, 'fresh@example.com');
          assert.equal(await describeOutcome(loginByPassword(pool, toUsername('fresh'), CHOSEN)), 'tokens');
          const [later, confirmed] = await seen();
          assert.deepEqual([later, confirmed], [known, fresh]);
          pool.clock.advance(7 * DAY_MS);
          const [expired, other] = await seen();
          assert.deepEqual(expired, [WRONG, WRONG, WRONG, WRONG, WRONG]);
          assert.deepEqual(other, expired);
        }));
    }

    it("accept another password in spite of the session, and lock guesses of the session's password", () =>
      withPool({}, async (pool) => {
        const name = 'ada@example.com';
        await addUser(pool, name);
        const session = await signUp(pool, name);
        assert.equal(await logIn(pool, name, PASSWORD, session), 'tokens');
        for (let tries = 0; tries < 4; tries += 1) assert.equal(await logInBySrp(pool, name, 'x', session), WRONG);
        assert.equal(await logInBySrp(pool, name, OTHER, session), 'Password attempts exceeded');
        assert.equal(await describeOutcome(loginByPassword(pool, name)), 'tokens');
      }));

    it('count the right password of an unconfirmed user as a wrong one, but not at the Cognito-compatible API', () =>
      withPool({}, async (pool) => {
        const { operations, clientId: ClientId } = pool;
        const name = 'ada@example.com';
        await signUp(pool, name);
        for (let tries = 0; tries < 6; tries += 1) {
          assert.equal(await describeOutcome(loginByPassword(pool, name, OTHER)), UNCONFIRMED);
        }
        const AuthParameters = { USERNAME: name, PASSWORD: OTHER };
        const input = { ClientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters } as const;
        for (let tries = 0; tries < 5; tries += 1) {
          assert.equal(await describeOutcome(operations.initiateAuth(input, ROUTE)), WRONG);
        }
        assert.equal(await describeOutcome(operations.initiateAuth(input, ROUTE)), 'Password attempts exceeded');
      }));

    it('need the password, or a new one, without the session; the code stays valid until then', () =>
      withPool({}, async (pool) => {
        const name = 'ada@example.com';
        await signUp(pool, name, { UserAttributes: [{ Name: 'nickname', Value: 'Ada' }] });
        const { Missing } = await confirm(pool, name);
        const identity = Missing?.Password;
        assert.ok(identity);
        const proof = (password: string) => ({
          PasswordVerifier: createVerifier(pool, identity.UserIdForSrp, identity.SaltHex, password),
        });
        const wrong = await assertRefused(confirm(pool, name, proof(CHOSEN)), 'NotAuthorizedException', WRONG);
        assert.equal(wrong.reason, 'invalid_credentials');
        await assertRefused(confirm(pool, name, { Password: 'weak' }), 'InvalidPasswordException');
        assert.deepEqual(await confirm(pool, name, proof(OTHER)), {});
        assert.equal(await describeOutcome(loginByPassword(pool, name, OTHER)), 'tokens');
        assert.equal((await fetchAttributes(pool, name)).nickname, 'Ada');
      }));

    it("do not allow guesses of the registrant's password: wrong ones are counted at every entry point", () =>
      withPool({ pool: { requiredAttributes: ['email', 'nickname'] } }, async (pool) => {
        const name = 'ada@example.com';
        await signUp(pool, name, { UserAttributes: [{ Name: 'nickname', Value: 'Ada' }] });
        const identity = (await confirm(pool, name)).Missing?.Password;
        assert.ok(identity);
        const verifier = (password: string) => ({
          PasswordVerifier: createVerifier(pool, identity.UserIdForSrp, identity.SaltHex, password),
        });
        assert.ok((await confirm(pool, name, { Password: CHOSEN })).Missing, 'attributes are missing');
        assert.ok((await confirm(pool, name, { Password: 'weak' })).Missing);
        for (let tries = 0; tries < 3; tries += 1) {
          await assertRefused(confirm(pool, name, verifier(CHOSEN)), 'NotAuthorizedException', WRONG);
        }
        for (const right of [verifier(OTHER), { Password: OTHER }, { Password: CHOSEN }]) {
          const { reason, retryAfterSeconds } = await assertRefused(
            confirm(pool, name, right),
            'NotAuthorizedException',
          );
          assert.deepEqual([reason, retryAfterSeconds], ['locked', 1]);
        }
        pool.clock.advance(1_000);
        assert.deepEqual(await confirm(pool, name, verifier(OTHER)), {});
        assert.equal(await describeOutcome(loginByPassword(pool, name, OTHER)), 'tokens');
      }));

    it('accept a new password as a verifier only for the username of the registration', () =>
      withPool({}, async (pool) => {
        const name = 'ada@example.com';
        await signUp(pool, name);
        const identity = (await confirm(pool, name)).Missing?.Password;
        assert.ok(identity);
        const { UserIdForSrp } = identity;
        const PasswordVerifier = createVerifier(pool, UserIdForSrp, 'ab'.repeat(16), CHOSEN);
        await assertRefused(confirm(pool, name, { PasswordVerifier }), 'InvalidParameterException');
        assert.deepEqual(await confirm(pool, UserIdForSrp, { PasswordVerifier }, name), {});
        assert.equal(await describeOutcome(loginByPassword(pool, name, CHOSEN)), 'tokens');
      }));

    it('accept a verifier as a proof in a pool that accepts none as a password', () =>
      withPool({ pool: { verifierPasswords: false } }, async (pool) => {
        const name = 'ada@example.com';
        await signUp(pool, name);
        const identity = (await confirm(pool, name)).Missing?.Password;
        assert.ok(identity);
        const { UserIdForSrp, SaltHex } = identity;
        const other = { PasswordVerifier: createVerifier(pool, UserIdForSrp, 'ab'.repeat(16), CHOSEN) };
        await assertRefused(confirm(pool, UserIdForSrp, other, name), 'UnsupportedOperationException');
        const proof = { PasswordVerifier: createVerifier(pool, UserIdForSrp, SaltHex, OTHER) };
        assert.deepEqual(await confirm(pool, name, proof), {});
      }));

    it('lose unverified data with a new password, and require required attributes again', () =>
      withPool({ pool: { requiredAttributes: ['email', 'nickname'] } }, async (pool) => {
        const name = 'ada@example.com';
        const UserAttributes = [
          { Name: 'nickname', Value: 'Mallory' },
          { Name: 'locale', Value: 'de' },
          { Name: 'phone_number', Value: '+15550001111' },
        ];
        await signUp(pool, name, { UserAttributes });
        const { UserIdForSrp } = (await confirm(pool, name)).Missing?.Password ?? assert.fail();
        const messages = { mfaMethods: ['SMS_MFA'], preferredMfa: 'SMS_MFA', modifiedAtMs: pool.clock.now() } as const;
        await pool.store.write(({ users }) => users.update(pool.userPoolId, UserIdForSrp, messages));
        assert.deepEqual((await confirm(pool, name)).Missing?.Attributes, ['nickname']);
        assert.deepEqual((await confirm(pool, name, { Password: CHOSEN })).Missing, { Attributes: ['nickname'] });
        const own = [{ Name: 'nickname', Value: 'Ada' }];
        assert.deepEqual(await confirm(pool, name, { Password: CHOSEN, UserAttributes: own }), {});
        const { sub: _, ...attributes } = await fetchAttributes(pool, name);
        assert.deepEqual(attributes, { nickname: 'Ada', email: name, email_verified: 'true' });
        const user = await pool.store.users.byUsername(pool.userPoolId, UserIdForSrp);
        assert.deepEqual([user?.mfaMethods, user?.preferredMfa], [[], null]);
        assert.equal(await describeOutcome(loginByPassword(pool, name, CHOSEN)), 'tokens');
        assert.equal(await describeOutcome(loginByPassword(pool, name, OTHER)), WRONG);
      }));

    it('without a password need none, and still lose unverified data', () =>
      withPool({}, async (pool) => {
        const name = 'ada@example.com';
        const UserAttributes = [{ Name: 'phone_number', Value: '+15550001111' }];
        const { operations, clientId: ClientId } = pool;
        await operations.signUp({ ClientId, Username: name, UserAttributes }, TEST_CALL);
        assert.deepEqual(await confirm(pool, name), {});
        assert.equal((await fetchAttributes(pool, name)).phone_number, undefined);
      }));

    it('keep everything with the session, and are confirmed by no session of another registration', () =>
      withPool({}, async (pool) => {
        const name = 'ada@example.com';
        const foreign = await signUp(pool, 'eve@example.com');
        const session = await signUp(pool, name, { UserAttributes: [{ Name: 'nickname', Value: 'Ada' }] });
        assert.ok((await confirm(pool, name, { Session: foreign })).Missing);
        assert.ok((await confirm(pool, name, { Session: session })).Session);
        assert.equal((await fetchAttributes(pool, name)).nickname, 'Ada');
        const login = await loginByPassword(pool, name, OTHER);
        assert.ok(requireTokens(login).access);
        assert.equal(await logIn(pool, name, OTHER, session), 'tokens');
      }));

    it('notify the owner of a taken name, within the message limits', () =>
      withPool({}, async (pool) => {
        const name = 'ada@example.com';
        await addUser(pool, name);
        const { operations, clientId: ClientId } = pool;
        const before = pool.sent.length;
        let refused = 0;
        for (let tries = 0; tries < 8; tries += 1) {
          const call = operations.signUp(
            { ClientId, Username: name, Password: `${OTHER}${tries}` },
            createCallFromNewAddress(),
          );
          await call.catch(() => {
            refused += 1;
          });
        }
        const mails = pool.sent.slice(before);
        assert.ok(refused >= 3, `${refused} refused`);
        assert.ok(mails.length > 0 && mails.length <= 5);
        assert.deepEqual(new Set(mails.map(({ to, code }) => `${to} ${code}`)), new Set([`${name} undefined`]));
      }));
  });
});
