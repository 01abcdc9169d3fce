import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addUser, openTestPool, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { computeSrpAnswer, describeOutcome, startSrpLogin } from '../testing/test-srp-logins.ts';

const NAME = 'ada@example.com';

describe('the operations with which users log in', () => {
  let pool: TestPool;
  before(async () => {
    pool = await openTestPool('sqlite::memory:');
    await addUser(pool, NAME);
  });
  after(() => pool.close());

  it('identify their client and, for administrators, its pool', async () => {
    const { operations, embedded, clientId, userPoolId } = pool;
    const { log_in_with_password, start_discoverable_login, finish_discoverable_login } = embedded.extensions;
    assert.ok(log_in_with_password && start_discoverable_login && finish_discoverable_login);
    const challenged = await startSrpLogin(pool, NAME);
    const answer = computeSrpAnswer(pool, challenged);
    const { start } = challenged;
    const begun = { AuthFlow: 'USER_SRP_AUTH', AuthParameters: { USERNAME: NAME, SRP_A: start.srpAHex } } as const;
    const noClient = 'User pool client none does not exist.';
    const noPool = 'User pool us-east-1_none does not exist.';
    for (const [call, expected] of [
      [() => operations.initiateAuth({ ...begun, ClientId: 'none' }, TEST_CALL), noClient],
      [() => operations.respondToAuthChallenge({ ...answer, ClientId: 'none' }, TEST_CALL), noClient],
      [() => log_in_with_password({ ClientId: 'none', Username: NAME, Password: 'x' }, TEST_CALL), noClient],
      [() => finish_discoverable_login({ ClientId: 'none', Session: 's', Credential: '{}' }, TEST_CALL), noClient],
      [() => operations.adminInitiateAuth({ ...begun, ClientId: 'none', UserPoolId: userPoolId }, TEST_CALL), noClient],
      [
        () => operations.adminInitiateAuth({ ...begun, ClientId: clientId, UserPoolId: 'us-east-1_none' }, TEST_CALL),
        noPool,
      ],
      [() => operations.adminRespondToAuthChallenge({ ...answer, UserPoolId: 'us-east-1_none' }, TEST_CALL), noPool],
    ] as const) {
      assert.equal(await describeOutcome(call()), expected);
    }
    await assert.rejects(async () => start_discoverable_login({ ClientId: 'none' }, TEST_CALL), { message: noClient });
    const admin = { ...begun, ClientId: clientId, UserPoolId: userPoolId };
    assert.equal(await describeOutcome(operations.adminInitiateAuth(admin, TEST_CALL)), 'PASSWORD_VERIFIER');
    const right = operations.adminRespondToAuthChallenge({ ...answer, UserPoolId: userPoolId }, TEST_CALL);
    assert.equal(await describeOutcome(right), 'tokens');
  });
});
