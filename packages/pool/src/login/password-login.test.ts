import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createRememberedDevice } from '../testing/test-devices.ts';
import { addUser, openTestPool, type TestPool, type TestPoolOptions } from '../testing/test-pool.ts';
import { describeOutcome, loginByPassword, loginBySrp, loginInProcess } from '../testing/test-srp-logins.ts';

const ADA = 'ada@example.com';
const WRONG = 'Incorrect username or password.';

describe('a password that is checked in process', () => {
  const opened: TestPool[] = [];
  after(() => Promise.all(opened.map((pool) => pool.close())));

  async function openPool(options: TestPoolOptions = {}): Promise<TestPool> {
    const pool = await openTestPool('sqlite::memory:', options);
    opened.push(pool);
    await addUser(pool, ADA);
    return pool;
  }

  it('replaces SRP only if the client allows nothing else', async () => {
    const srpAlone = await openPool({ client: { allowedFlows: ['USER_SRP_AUTH'] } });
    assert.equal(await describeOutcome(loginInProcess(srpAlone, ADA)), 'tokens');
    const without = await openPool({ client: { allowedFlows: ['USER_PASSWORD_AUTH'] } });
    assert.equal(await describeOutcome(loginInProcess(without, ADA)), 'USER_SRP_AUTH is not enabled for the client.');
  });

  it('requires the secret hash of a client with a secret', async () => {
    const pool = await openPool({ clientSecret: 'a'.repeat(32) });
    assert.match(await describeOutcome(loginInProcess(pool, ADA)), /SECRET_HASH was not received$/);
  });

  it('shares a counter and a lockout with guesses by SRP and plain text', async () => {
    const pool = await openPool();
    for (const logIn of [loginInProcess, loginBySrp, loginByPassword, loginInProcess, loginInProcess]) {
      assert.equal(await describeOutcome(logIn(pool, ADA, 'Wrong-Horse1!')), WRONG);
    }
    for (const logIn of [loginInProcess, loginBySrp, loginByPassword]) {
      assert.equal(await describeOutcome(logIn(pool, ADA)), 'Password attempts exceeded');
    }
  });

  it('asks a remembered device for its proof', async () => {
    const pool = await openPool();
    const { key } = await createRememberedDevice(pool, ADA);
    const { ChallengeName } = await loginInProcess(pool, ADA, undefined, { DeviceKey: key });
    assert.equal(ChallengeName, 'DEVICE_SRP_AUTH');
  });

  it('accepts no empty name and no empty password', async () => {
    const pool = await openPool();
    assert.equal(await describeOutcome(loginInProcess(pool, '')), 'Missing required parameter USERNAME');
    assert.equal(await describeOutcome(loginInProcess(pool, ADA, '')), WRONG);
  });
});
