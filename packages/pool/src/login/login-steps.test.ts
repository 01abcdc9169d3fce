import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Input } from '@poolgate/provider';
import type { UserRecord } from '../store/index.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import { addUser, inviteUser, openTestPool, PASSWORD, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import {
  computeSrpAnswer,
  describeOutcome,
  loginByPassword,
  loginByPasswordAsAdmin,
  loginBySrp,
  startSrpLogin,
} from '../testing/test-srp-logins.ts';

const WRONG = 'Incorrect username or password.';
const LOGINS = { srpLogin: loginBySrp, passwordLogin: loginByPassword, adminPasswordLogin: loginByPasswordAsAdmin };

forEachDatabase((database) => {
  describe(`the steps of a login on ${database.name}`, () => {
    let pool: TestPool;
    let name: string;
    let username: string;
    let users = 0;
    before(async () => {
      pool = await openTestPool(await database.create());
    });
    after(() => pool.close());
    beforeEach(async () => {
      name = `user${users++}@example.com`;
      username = await addUser(pool, name);
    });

    function change(what: Partial<Pick<UserRecord, 'status' | 'enabled'>>): Promise<void> {
      const { store, userPoolId, clock } = pool;
      return store.write((transaction) =>
        transaction.users.update(userPoolId, username, { ...what, modifiedAtMs: clock.now() }),
      );
    }

    it('one of 20 identical parallel right answers gets tokens', async () => {
      const answer = computeSrpAnswer(pool, await startSrpLogin(pool, name));
      const replica = pool.replica();
      const calls = Array.from({ length: 20 }, (_, i) =>
        describeOutcome((i % 2 ? pool : replica).operations.respondToAuthChallenge(answer, TEST_CALL)),
      );
      const outcomes = await Promise.all(calls);
      assert.deepEqual(
        outcomes.filter((one) => one !== WRONG),
        ['tokens'],
      );
    });

    database.itOnSqlite('a secret block lasts as long as the session setting says', async () => {
      for (const [waitMs, expected] of [
        [179_999, 'tokens'],
        [180_000, WRONG],
      ] as const) {
        const challenged = await startSrpLogin(pool, name);
        pool.clock.advance(waitMs);
        const answer = computeSrpAnswer(pool, challenged);
        assert.equal(await describeOutcome(pool.operations.respondToAuthChallenge(answer, TEST_CALL)), expected);
      }
    });

    database.itOnSqlite('a secret block of one user is refused for another, and stays valid for its own', async () => {
      const other = await addUser(pool, `other${name}`);
      const answer = computeSrpAnswer(pool, await startSrpLogin(pool, name));
      const ChallengeResponses = { ...answer.ChallengeResponses, USERNAME: other };
      await assert.rejects(pool.operations.respondToAuthChallenge({ ...answer, ChallengeResponses }, TEST_CALL), {
        code: 'NotAuthorizedException',
        reason: 'invalid_session',
      });
      assert.equal(await describeOutcome(pool.operations.respondToAuthChallenge(answer, TEST_CALL)), 'tokens');
    });

    database.itOnSqlite('blocks and sessions of another client are refused', async () => {
      const guest = `guest${name}`;
      await inviteUser(pool, guest);
      const block = computeSrpAnswer(pool, await startSrpLogin(pool, name));
      const { Session = '' } = await loginByPassword(pool, guest);
      const session: Input<'RespondToAuthChallenge'> = {
        ClientId: pool.clientId,
        ChallengeName: 'NEW_PASSWORD_REQUIRED',
        Session,
        ChallengeResponses: { USERNAME: guest, NEW_PASSWORD: 'Brand-New-Horse2!' },
      };
      const ClientId = await addClient();
      for (const answer of [block, session]) {
        await assert.rejects(pool.operations.respondToAuthChallenge({ ...answer, ClientId }, TEST_CALL), {
          code: 'NotAuthorizedException',
          reason: 'invalid_session',
        });
        assert.equal(await describeOutcome(pool.operations.respondToAuthChallenge(answer, TEST_CALL)), 'tokens');
      }
    });

    async function addClient(): Promise<string> {
      const client = await pool.store.clients.byId(pool.clientId);
      assert.ok(client);
      const id = `other${users}client`;
      await pool.store.write((transaction) => transaction.clients.insert({ ...client, id }));
      return id;
    }

    database.itOnSqlite(
      'a session is not a secret block, and a pending challenge accepts no answer to another one',
      async () => {
        const guest = `guest${name}`;
        await inviteUser(pool, guest);
        const { Session = '' } = await loginByPassword(pool, guest);
        const block = computeSrpAnswer(pool, await startSrpLogin(pool, guest)).ChallengeResponses;
        const asBlock = { ...block, PASSWORD_CLAIM_SECRET_BLOCK: Buffer.from(Session).toString('base64') };
        const asSession = Buffer.from(block.PASSWORD_CLAIM_SECRET_BLOCK ?? '', 'base64').toString();
        const input = { ClientId: pool.clientId };
        for (const answer of [
          { ...input, ChallengeName: 'PASSWORD_VERIFIER' as const, ChallengeResponses: asBlock },
          {
            ...input,
            ChallengeName: 'NEW_PASSWORD_REQUIRED' as const,
            Session: asSession,
            ChallengeResponses: { USERNAME: guest, NEW_PASSWORD: 'Brand-New-Horse2!' },
          },
          { ...input, ChallengeName: 'SOFTWARE_TOKEN_MFA' as const, Session, ChallengeResponses: { USERNAME: guest } },
        ]) {
          await assert.rejects(pool.operations.respondToAuthChallenge(answer, TEST_CALL), {
            reason: 'challenge_mismatch',
          });
        }
      },
    );

    database.itOnSqlite("a session that was not issued, or is missing, is refused in Cognito's words", async () => {
      const answer = (Session?: string) =>
        describeOutcome(
          pool.operations.respondToAuthChallenge(
            {
              ClientId: pool.clientId,
              ChallengeName: 'NEW_PASSWORD_REQUIRED',
              ...(Session === undefined ? {} : { Session }),
              ChallengeResponses: { USERNAME: name, NEW_PASSWORD: PASSWORD },
            },
            TEST_CALL,
          ),
        );
      assert.equal(await answer('x'.repeat(40)), 'Invalid session for the user.');
      assert.equal(await answer(), 'Missing required parameter Session');
    });

    database.itOnSqlite('nothing before the tokens works as a token', async () => {
      const guest = `guest${name}`;
      await inviteUser(pool, guest);
      const { Session = '' } = await loginByPassword(pool, guest);
      const { SECRET_BLOCK = '' } = (await startSrpLogin(pool, name)).parameters;
      for (const AccessToken of [Session, SECRET_BLOCK]) {
        await assert.rejects(pool.operations.getUser({ AccessToken }, TEST_CALL), { code: 'NotAuthorizedException' });
      }
    });

    const STATES = [
      ['a disabled', { enabled: false }, 'User is disabled.'],
      ['an unconfirmed', { status: 'UNCONFIRMED' }, 'User is not confirmed.'],
      ['a to-be-reset', { status: 'RESET_REQUIRED' }, 'Password reset required for the user'],
    ] as const;
    for (const [who, state, words] of STATES) {
      database.itOnSqlite(
        `${who} user gets no tokens at any entry point, and only the right password reveals why`,
        async () => {
          await change(state);
          for (const login of Object.values(LOGINS)) {
            assert.equal(await describeOutcome(login(pool, name)), words);
            assert.equal(await describeOutcome(login(pool, name, 'wrong')), WRONG);
          }
        },
      );

      database.itOnSqlite(`${who} user is also refused if it became so between challenge and answer`, async () => {
        const answer = computeSrpAnswer(pool, await startSrpLogin(pool, name));
        await change(state);
        assert.equal(await describeOutcome(pool.operations.respondToAuthChallenge(answer, TEST_CALL)), words);
        await change({ enabled: true, status: 'CONFIRMED' });
        assert.equal(await describeOutcome(pool.operations.respondToAuthChallenge(answer, TEST_CALL)), WRONG);
      });
    }

    database.itOnSqlite('a password that was replaced between challenge and answer is wrong', async () => {
      const answer = computeSrpAnswer(pool, await startSrpLogin(pool, name));
      const input = { UserPoolId: pool.userPoolId, Username: name, Permanent: true };
      await pool.operations.adminSetUserPassword({ ...input, Password: 'Replaced-Horse9!' }, TEST_CALL);
      assert.equal(await describeOutcome(pool.operations.respondToAuthChallenge(answer, TEST_CALL)), WRONG);
    });

    it('a user without a password gets the response of a wrong password', async () => {
      const user = { ...(await userRecord()), username: `bare-${username}`, sub: `bare-${username}` };
      await pool.store.write((transaction) => transaction.users.insert(user, [user.username]));
      for (const login of Object.values(LOGINS)) assert.equal(await describeOutcome(login(pool, user.username)), WRONG);
      const salts = [await startSrpLogin(pool, user.username), await startSrpLogin(pool.replica(), user.username)];
      assert.equal(salts[0]?.parameters.SALT, salts[1]?.parameters.SALT);
    });

    async function userRecord(): Promise<UserRecord> {
      const user = await pool.store.users.byUsername(pool.userPoolId, username);
      assert.ok(user);
      return user;
    }

    database.itOnSqlite(
      'a refresh token gives new tokens with InitiateAuth, under both names of the flow',
      async () => {
        for (const AuthFlow of ['REFRESH_TOKEN_AUTH', 'REFRESH_TOKEN'] as const) {
          const { AuthenticationResult } = await loginBySrp(pool, name);
          const REFRESH_TOKEN = AuthenticationResult?.RefreshToken ?? '';
          const input = { ClientId: pool.clientId, AuthFlow, AuthParameters: { REFRESH_TOKEN } };
          assert.equal(await describeOutcome(pool.operations.initiateAuth(input, TEST_CALL)), 'tokens');
        }
      },
    );
  });

  describe(`what a client may start on ${database.name}`, () => {
    const SECRET = 'secret0123456789secret0123456789secret0123456789abc';
    const NAME = 'ada@example.com';
    let pool: TestPool;
    before(async () => {
      pool = await openTestPool(await database.create(), {
        clientSecret: SECRET,
        client: { allowedFlows: ['USER_SRP_AUTH'], preventUserExistenceErrors: false },
      });
      await addUser(pool, NAME);
    });
    after(() => pool.close());

    const computeSecretHash = (name: string) =>
      createHmac('sha256', SECRET)
        .update(name + pool.clientId)
        .digest('base64');

    database.itOnSqlite("is refused in Cognito's words if entry point, flow or parameters do not match", async () => {
      const { operations, clientId: ClientId, userPoolId: UserPoolId } = pool;
      const AuthParameters = { USERNAME: NAME, PASSWORD };
      const start = (
        AuthFlow: Input<'InitiateAuth'>['AuthFlow'],
        parameters: Record<string, string> = AuthParameters,
      ) => describeOutcome(operations.initiateAuth({ ClientId, AuthFlow, AuthParameters: parameters }, TEST_CALL));
      const adminStart = (AuthFlow: Input<'AdminInitiateAuth'>['AuthFlow']) =>
        describeOutcome(operations.adminInitiateAuth({ UserPoolId, ClientId, AuthFlow, AuthParameters }, TEST_CALL));
      const unsupported = 'Initiate Auth method not supported';
      assert.equal(await start('ADMIN_USER_PASSWORD_AUTH'), unsupported);
      assert.equal(await start('ADMIN_NO_SRP_AUTH'), unsupported);
      assert.equal(await adminStart('USER_PASSWORD_AUTH'), unsupported);
      assert.equal(await start('USER_PASSWORD_AUTH'), 'USER_PASSWORD_AUTH flow not enabled for this client');
      assert.equal(await adminStart('ADMIN_NO_SRP_AUTH'), 'Auth flow not enabled for this client');
      assert.equal(await start('USER_SRP_AUTH', {}), 'Missing required parameter USERNAME');
    });

    database.itOnSqlite('an unknown client or pool does not exist', async () => {
      const { operations, clientId: ClientId } = pool;
      const input = { AuthFlow: 'USER_SRP_AUTH', AuthParameters: {} } as const;
      assert.equal(
        await describeOutcome(operations.initiateAuth({ ...input, ClientId: 'none' }, TEST_CALL)),
        'User pool client none does not exist.',
      );
      assert.equal(
        await describeOutcome(
          operations.adminInitiateAuth({ ...input, ClientId, UserPoolId: 'us-east-1_none' }, TEST_CALL),
        ),
        'User pool us-east-1_none does not exist.',
      );
    });

    database.itOnSqlite('needs the secret hash at every step, over the typed name or the username', async () => {
      assert.match(await describeOutcome(start()), /configured with secret but SECRET_HASH was not received$/);
      assert.match(await describeOutcome(start({ SECRET_HASH: 'AAAA' })), /^Unable to verify secret hash/);
      for (const nameFor of [() => NAME, (userId: string) => userId]) {
        const challenged = await startSrpLogin(pool, NAME, { SECRET_HASH: computeSecretHash(NAME) });
        const answer = computeSrpAnswer(pool, challenged);
        assert.match(
          await describeOutcome(pool.operations.respondToAuthChallenge(answer, TEST_CALL)),
          /SECRET_HASH was not received$/,
        );
        const SECRET_HASH = computeSecretHash(nameFor(challenged.parameters.USER_ID_FOR_SRP ?? ''));
        const ChallengeResponses = { ...answer.ChallengeResponses, SECRET_HASH };
        const hashed = { ...answer, ChallengeResponses };
        assert.equal(await describeOutcome(pool.operations.respondToAuthChallenge(hashed, TEST_CALL)), 'tokens');
      }
    });

    async function start(more: Readonly<Record<string, string>> = {}) {
      return (await startSrpLogin(pool, NAME, more)).output;
    }

    database.itOnSqlite('reports an unknown user if the client does not hide users', async () => {
      const name = 'nobody@example.com';
      await assert.rejects(startSrpLogin(pool, name, { SECRET_HASH: computeSecretHash(name) }), {
        code: 'UserNotFoundException',
        message: 'User does not exist.',
      });
    });
  });

  describe(`typed usernames on ${database.name}`, () => {
    let pool: TestPool;
    before(async () => {
      pool = await openTestPool(await database.create(), {
        pool: { usernameAttributes: [], aliasAttributes: ['email'], requiredAttributes: [] },
      });
      await addUser(pool, 'ada');
    });
    after(() => pool.close());

    database.itOnSqlite('are the identity in SRP, for unknown names too', async () => {
      assert.equal((await startSrpLogin(pool, 'ada')).parameters.USER_ID_FOR_SRP, 'ada');
      assert.equal((await startSrpLogin(pool, 'bob')).parameters.USER_ID_FOR_SRP, 'bob');
      assert.equal(await describeOutcome(loginBySrp(pool, 'ADA')), 'tokens');
    });

    database.itOnSqlite('an unknown alias gets a generated identity', async () => {
      assert.match((await startSrpLogin(pool, 'bob@example.com')).parameters.USER_ID_FOR_SRP ?? '', /^[0-9a-f-]{36}$/);
    });
  });
});
