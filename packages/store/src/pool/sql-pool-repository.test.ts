import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Executor } from '../sql/statement.ts';
import { SqlPoolRecordReads } from './sql-pool-repository.ts';

it('settings with the same text are shared, up to fifty texts', async () => {
  // Answers like a database that has a pool for every id.
  const executor = {
    run: async (_: unknown, { id }: { readonly id: string }) => ({
      rows: [{ id, settings: JSON.stringify({ tags: { id } }) }],
      changes: 0,
    }),
  } as unknown as Executor;
  const pools = new SqlPoolRecordReads(executor);
  const settings = async (index: number) => (await pools.byId(`pool-${index}`))?.settings;
  const first = await settings(0);
  assert.deepEqual(first, { tags: { id: 'pool-0' } });
  for (let index = 1; index < 50; index += 1) await settings(index);
  assert.equal(await settings(0), first);
  await settings(50);
  assert.notEqual(await settings(0), first, 'those that are too many make room');
  assert.deepEqual(await settings(0), first);
});
