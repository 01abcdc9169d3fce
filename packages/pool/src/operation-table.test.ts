import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallContext } from '@poolgate/provider';
import { bindOperations } from './operation-table.ts';
import type { PoolRuntime } from './runtime.ts';
import { runtimeWithoutStore } from './testing/test-runtime.ts';

const callFrom = (requestId: string): CallContext => ({ requestId, sourceAddress: '192.0.2.1' });

test('each of several calls under way at once has its own call in its context, and the memory that all share', async () => {
  const seen: PoolRuntime[] = [];
  const runtime = runtimeWithoutStore();
  const { greet } = bindOperations(runtime, {
    async greet(context: PoolRuntime, input: { readonly name: string }) {
      await new Promise(setImmediate);
      seen.push(context);
      return `${input.name} by ${context.call.requestId}`;
    },
  });
  const answers = await Promise.all([greet({ name: 'ada' }, callFrom('one')), greet({ name: 'bob' }, callFrom('two'))]);
  assert.deepEqual(answers, ['ada by one', 'bob by two']);
  for (const { caches, servedPool, delivery } of seen) {
    assert.ok(caches === runtime.caches && servedPool === runtime.servedPool && delivery === runtime.delivery);
  }
  assert.equal(runtime.call.requestId, 'system');
});
