import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestPool, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { createTestClientRecord, createTestPoolRecord } from '../testing/test-ports.ts';

/** All but the last two are written directly to the store, because each operation is a separate write. */
describe("Cognito's quotas", () => {
  let pool: TestPool;
  before(async () => {
    pool = await openTestPool('sqlite::memory:');
  });
  after(() => pool.close());

  it('limit a pool to a thousand app clients', async () => {
    const { operations, store, userPoolId: UserPoolId } = pool;
    const record = (await store.pools.byId(UserPoolId)) ?? assert.fail();
    await store.write(async ({ clients }) => {
      for (let count = 1; count < 999; count += 1) {
        await clients.insert(createTestClientRecord(record, `client${count}`));
      }
    });
    const create = () => operations.createUserPoolClient({ UserPoolId, ClientName: 'app' }, TEST_CALL);
    await create();
    const message = 'A user pool can have 1000 clients at most.';
    await assert.rejects(create(), { code: 'LimitExceededException', message });
    assert.equal((await store.clients.listOf(UserPoolId)).length, 1_000);
  });

  it('limit a region to a thousand pools', async () => {
    const { operations, store } = pool;
    const record = createTestPoolRecord();
    await store.write(async ({ pools }) => {
      for (let count = 1; count < 999; count += 1) {
        await pools.insert({ ...record, id: `us-east-1_${String(count).padStart(9, '0')}` });
      }
    });
    const create = () => operations.createUserPool({ PoolName: 'more' }, TEST_CALL);
    await create();
    const message = 'There can be 1000 user pools at most.';
    await assert.rejects(create(), { code: 'LimitExceededException', message });
  });
});
