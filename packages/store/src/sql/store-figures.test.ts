import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sampleEvent, sampleWebhook } from '../testing/sample-account-records.ts';
import { insertSamplePool, sampleMessage } from '../testing/sample-records.ts';
import { STORE_LOCATIONS } from '../testing/store-locations.ts';
import { openStoreForTests } from '../testing/test-store.ts';
import type { Executor } from './statement.ts';
import { readStoreFigures } from './store-figures.ts';

for (const [name, makeLocation] of Object.entries(STORE_LOCATIONS)) {
  describe(`the figures of a store on ${name}`, () => {
    const store = openStoreForTests(makeLocation);

    it("count what is pending and abandoned, and return the server's time", async () => {
      const { messages, deliveries, serverNowMs, fileBytes } = await store().figures();
      assert.equal(fileBytes === null, !/file/i.test(name), name);
      if (fileBytes !== null) assert.ok(fileBytes.database > 0 && fileBytes.log > 0, JSON.stringify(fileBytes));
      assert.deepEqual(
        [messages, deliveries],
        [
          { waiting: 0, dead: 0 },
          { waiting: 0, dead: 0 },
        ],
      );
      if (serverNowMs !== null) assert.ok(Math.abs(serverNowMs - Date.now()) < 60_000, String(serverNowMs));
      assert.equal(serverNowMs === null, !/postgres/i.test(name));
      const { poolStore, records } = store();
      await insertSamplePool(poolStore, 'figures');
      await poolStore.write(async (transaction) => {
        for (const id of ['m1', 'm2', 'm3']) await transaction.messages.enqueue(sampleMessage('figures', id));
        await transaction.messages.deadLetter('m2', 5, 'refused');
      });
      await records.webhooks.insert(sampleWebhook('w1'));
      for (const id of ['e1', 'e2', 'e3']) await records.events.append(sampleEvent('figures', id));
      await records.deliveries.deadLetter('w1', 'e1', 5, 'http_status');
      const full = await store().figures();
      assert.deepEqual(
        [full.messages, full.deliveries],
        [
          { waiting: 2, dead: 1 },
          { waiting: 2, dead: 1 },
        ],
      );
    });
  });
}

it('a database that reports nothing of its queues has empty ones', async () => {
  const silent = { run: async () => ({ rows: [], changes: 0 }) } as unknown as Executor;
  const none = { waiting: 0, dead: 0 };
  assert.deepEqual(await readStoreFigures(silent), { messages: none, deliveries: none, serverNowMs: null });
});
