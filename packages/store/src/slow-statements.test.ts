import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openStore, type Store } from './open.ts';
import type { SlowStatement } from './slow-statements.ts';
import { sampleEvent } from './testing/sample-account-records.ts';
import { insertSamplePool, sampleMessage } from './testing/sample-records.ts';
import { STORE_LOCATIONS, type StoreLocation } from './testing/store-locations.ts';

const VALUE = 'a-value-that-no-log-may-hold';

for (const [name, makeLocation] of Object.entries(STORE_LOCATIONS)) {
  describe(`slow statements on ${name}`, () => {
    let location: StoreLocation;
    let store: Store;
    const told: SlowStatement[] = [];

    before(async () => {
      location = await makeLocation();
      // From 0 ms on every statement is slow.
      store = await openStore(location.url, { slowStatements: { fromMs: 0, report: (slow) => told.push(slow) } });
    });
    after(async () => {
      await store.close();
      await location.remove();
    });

    it('are reported with their plan, outside a write and inside, once in a while, and never with a value', async () => {
      await insertSamplePool(store.poolStore, 'slow');
      await store.poolStore.write((transaction) => transaction.messages.enqueue(sampleMessage('slow', VALUE)));
      await store.records.events.append(sampleEvent('slow', VALUE));
      for (let times = 0; times < 3; times += 1) await store.poolStore.users.byName('slow', VALUE);
      // Behind the plans, which are asked for beside the answers, by connections of their own: the one of the read may be there first.
      const reads = () => told.filter(({ sql }) => /^select\b.*\busers\b/s.test(sql));
      const inserts = () => told.filter(({ sql }) => /^insert into "messages"/.test(sql));
      const isTold = () => reads().length > 0 && inserts().length > 0;
      for (let turns = 0; turns < 200 && !isTold(); turns += 1) await store.figures();
      const texts = told.map(({ sql }) => sql);
      assert.ok(inserts().length > 0, texts.join('\n'));
      assert.equal(reads().length, 1, texts.join('\n'));
      assert.ok((reads()[0]?.plan.length ?? 0) > 0);
      assert.doesNotMatch(JSON.stringify(told), new RegExp(VALUE));
    });
  });
}
