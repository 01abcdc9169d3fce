import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallContext } from '@poolgate/provider';
import { portsWithoutStore } from '../testing/ports-without-store.ts';
import { bindOperations } from './operation-table.ts';
import type { PoolPorts } from './pool-ports.ts';

const callFrom = (requestId: string): CallContext => ({ requestId, sourceAddress: '192.0.2.1' });

test('each of several parallel calls has its own call in its ports, and the shared caches', async () => {
  const seen: PoolPorts[] = [];
  const ports = portsWithoutStore();
  const { greet } = bindOperations(ports, {
    async greet(ports: PoolPorts, input: { readonly name: string }) {
      await new Promise(setImmediate);
      seen.push(ports);
      return `${input.name} by ${ports.call.requestId}`;
    },
  });
  const answers = await Promise.all([greet({ name: 'ada' }, callFrom('one')), greet({ name: 'bob' }, callFrom('two'))]);
  assert.deepEqual(answers, ['ada by one', 'bob by two']);
  for (const { settingsCache, servedPool, delivery } of seen) {
    assert.ok(settingsCache === ports.settingsCache && servedPool === ports.servedPool && delivery === ports.delivery);
  }
  assert.equal(ports.call.requestId, 'system');
});
