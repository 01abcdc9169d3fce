import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createPoolPorts, type PoolPorts } from '../pool-ports.ts';
import { openTestContext, type TestContext } from '../testing/context.ts';
import { login } from '../testing/login.ts';
import { addUser, CALL, openTestPoolOn, type TestPool } from '../testing/pool.ts';
import {
  type PendingMfaSetup,
  requirePendingMfaSetup,
  reservePendingMfaSetup,
  spendPendingMfaSetup,
} from './pending-mfa-setup.ts';

const FOREIGN = 'Invalid session for the user.';
const SPENT = 'Invalid session for the user, session can only be used once.';

describe('a write that sets a second factor up inside a login', () => {
  let opened: TestContext;
  let pool: TestPool;
  let ports: PoolPorts;
  before(async () => {
    opened = await openTestContext('sqlite::memory:');
    const mfa = { mfaConfiguration: 'ON', mfaMethods: ['SOFTWARE_TOKEN_MFA'] } as const;
    pool = await openTestPoolOn(opened, { pool: mfa });
    ports = createPoolPorts(opened.options);
  });
  after(() => opened.close());

  async function waiting(name: string): Promise<PendingMfaSetup> {
    await addUser(pool, name);
    const { Session = '' } = await login(pool, name);
    return requirePendingMfaSetup(ports, Session);
  }
  const reserve = async (setup: PendingMfaSetup) =>
    (await ports.store.write((transaction) => reservePendingMfaSetup(ports, transaction, setup)))?.message;
  const spend = async (setup: PendingMfaSetup) =>
    (await ports.store.write((transaction) => spendPendingMfaSetup(transaction, setup)))?.message;

  it('goes on once', async () => {
    const setup = await waiting('once@example.com');
    assert.deepEqual([await reserve(setup), await reserve(setup)], [undefined, undefined]);
    assert.deepEqual([await spend(setup), await spend(setup), await reserve(setup)], [undefined, SPENT, SPENT]);
  });

  it('is refused where the user is gone by then, or has another password', async () => {
    const user = (Username: string) => ({ UserPoolId: pool.userPoolId, Username });
    const gone = await waiting('gone@example.com');
    await pool.operations.adminDeleteUser(user('gone@example.com'), CALL);
    assert.equal(await reserve(gone), FOREIGN);
    const replaced = await waiting('replaced@example.com');
    const password = { Password: 'Another-Horse2!', Permanent: true };
    await pool.operations.adminSetUserPassword({ ...user('replaced@example.com'), ...password }, CALL);
    assert.equal(await reserve(replaced), FOREIGN);
  });
});
