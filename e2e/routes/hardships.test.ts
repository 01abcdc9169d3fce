import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { logInUntil, type Slowness, slowClients, startSilentTarget } from '../proofs/hardships.ts';
import { startTestService } from '../support/services/test-service.ts';
import { startLedgerWriter } from '../support/services/write-ledger.ts';

const SLOW: readonly Slowness[] = ['head', 'body', 'reader'];

it('clients that send or read slowly do not delay others', async (t) => {
  const service = await startTestService();
  t.after(() => service.close());
  for (const slowness of SLOW) {
    const { answered, faults } = await logInUntil(
      service.url,
      slowClients(service.url, slowness, { count: 50, mostMs: 500 }),
    );
    assert.deepEqual(faults, [], slowness);
    assert.ok(answered > 0, slowness);
  }
});

it('a webhook target that accepts connections and never answers does not delay others', async (t) => {
  const target = await startSilentTarget();
  const service = await startTestService({ privateWebhooks: true });
  t.after(async () => {
    await service.close();
    await target.close();
  });
  const hook = { url: `http://127.0.0.1:${target.port}/events`, description: 'silent' };
  const made = await service.post('/admin/webhooks', hook, service.asAdmin);
  assert.equal(made.status, 201, made.text);
  const writer = startLedgerWriter({ url: service.url, asAdmin: service.asAdmin }, 'silent');
  while (target.taken() === 0) await delay(10);
  await writer.next('created');
  const { refused, others } = await writer.stop();
  assert.deepEqual([refused, others], [0, []]);
});
