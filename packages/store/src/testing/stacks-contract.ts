import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PoolTransaction, StackResourceRecord } from '@poolgate/pool/store';
import { RACERS } from './races.ts';
import type { StoreLocation } from './store-locations.ts';
import { openPoolStoreForTests } from './test-store.ts';

function sampleResource(stack: string, logicalId: string): StackResourceRecord {
  return {
    stack,
    logicalId,
    type: 'UserPoolGroup',
    poolId: 'us-east-1_Stack',
    physicalId: 'crew "é"',
    state: 'pending',
    applied: { Precedence: 1 },
    described: { Precedence: 1, Description: 'Crew' },
    modifiedAtMs: 1_700_000_000_060,
  };
}

/** Requirements of every store for infrastructure files. Each test uses its own stack. */
export function stacksContract(locationName: string, makeLocation: () => Promise<StoreLocation>): void {
  describe(`stacks on ${locationName}`, () => {
    const poolStore = openPoolStoreForTests(makeLocation);
    const write = <Result>(work: (transaction: PoolTransaction) => Promise<Result>) => poolStore().write(work);

    it('returns resources as they were stored, the newest state of each', async () => {
      const [one, other] = [sampleResource('kept', 'b'), sampleResource('kept', 'a')];
      await write(async ({ stacks }) => {
        for (const resource of [one, other, sampleResource('another', 'b')]) await stacks.putResource(resource);
      });
      assert.deepEqual(await poolStore().stacks.listResources('kept'), [other, one]);
      const changed = {
        ...one,
        type: 'UserPool',
        poolId: 'p2',
        physicalId: 'x',
        state: 'applied',
        applied: {},
        described: { a: [1] },
        modifiedAtMs: 9,
      } as const;
      await write(async ({ stacks }) => {
        await stacks.putResource(changed);
        await stacks.deleteResource('kept', 'a');
      });
      assert.deepEqual(await poolStore().stacks.listResources('kept'), [changed]);
      const all = await poolStore().stacks.listAllResources();
      assert.deepEqual(
        all.filter(({ stack }) => stack !== 'kept').map(({ stack, logicalId }) => [stack, logicalId]),
        [['another', 'b']],
      );
    });

    it('gives the lease of a stack to one apply, until it is released or expires', async () => {
      const lease = (leaseId: string, nowMs: number) => ({ stack: 'leased', leaseId, nowMs, untilMs: nowMs + 10 });
      const ids = Array.from({ length: RACERS }, (_, index) => `racer-${index}`);
      const outcomes = await Promise.all(ids.map((id) => write(({ stacks }) => stacks.takeLease(lease(id, 100)))));
      assert.equal(outcomes.filter(Boolean).length, 1);
      const winner = ids[outcomes.indexOf(true)] ?? '';
      const steps = await write(async ({ stacks }) => [
        await stacks.extendLease(lease('nobody', 105)),
        await stacks.extendLease(lease(winner, 105)),
        await stacks.takeLease(lease('early', 114)),
        await stacks.takeLease(lease('late', 115)),
        await stacks.extendLease(lease(winner, 116)),
      ]);
      assert.deepEqual(steps, [false, true, false, true, false]);
      await write(async ({ stacks }) => {
        await stacks.releaseLease('leased', winner);
        assert.equal(await stacks.takeLease(lease('next', 116)), false);
        await stacks.releaseLease('leased', 'late');
        assert.equal(await stacks.takeLease(lease('next', 116)), true);
      });
    });
  });
}
