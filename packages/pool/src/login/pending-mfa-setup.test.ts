import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createPoolPorts, type PoolPorts } from '../operations/pool-ports.ts';
import { openTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import { startPasswordLogin } from '../testing/test-logins.ts';
import { addUser, openTestPoolOn, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import {
  type PendingMfaSetup,
  requirePendingMfaSetup,
  reservePendingMfaSetup,
  spendPendingMfaSetup,
} from './pending-mfa-setup.ts';

const FOREIGN = 'Invalid session for the user.';
const SPENT = 'Invalid session for the user, session can only be used once.';

describe('a write that sets up a second factor during a login', () => {
  let opened: TestEnvironment;
  let pool: TestPool;
  let ports: PoolPorts;
  before(async () => {
    opened = await openTestEnvironment('sqlite::memory:');
    const mfa = { mfaConfiguration: 'ON', mfaMethods: ['SOFTWARE_TOKEN_MFA'] } as const;
    pool = await openTestPoolOn(opened, { pool: mfa });
    ports = createPoolPorts(opened.options);
  });
  after(() => opened.close());

  async function waiting(name: string): Promise<PendingMfaSetup> {
    await addUser(pool, name);
    const { Session = '' } = await startPasswordLogin(pool, name);
    return requirePendingMfaSetup(ports, Session);
  }
  const reserve = async (setup: PendingMfaSetup) =>
    (await ports.store.write((transaction) => reservePendingMfaSetup(ports, transaction, setup)))?.message;
  const spend = async (setup: PendingMfaSetup) =>
    (await ports.store.write((transaction) => spendPendingMfaSetup(transaction, setup)))?.message;

  it('continues once', async () => {
    const setup = await waiting('once@example.com');
    assert.deepEqual([await reserve(setup), await reserve(setup)], [undefined, undefined]);
    assert.deepEqual([await spend(setup), await spend(setup), await reserve(setup)], [undefined, SPENT, SPENT]);
  });

  it('is refused if the user is gone by then, or has another password', async () => {
    const user = (Username: string) => ({ UserPoolId: pool.userPoolId, Username });
    const gone = await waiting('gone@example.com');
    await pool.operations.adminDeleteUser(user('gone@example.com'), TEST_CALL);
    assert.equal(await reserve(gone), FOREIGN);
    const replaced = await waiting('replaced@example.com');
    const password = { Password: 'Another-Horse2!', Permanent: true };
    await pool.operations.adminSetUserPassword({ ...user('replaced@example.com'), ...password }, TEST_CALL);
    assert.equal(await reserve(replaced), FOREIGN);
  });
});
