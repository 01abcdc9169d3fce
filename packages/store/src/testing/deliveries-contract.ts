import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DeliveryRecord, EventRecord, WebhookRecord } from '@poolgate/gateway/records';
import { createConflictCheck, RACERS } from './races.ts';
import { sampleEvent, sampleWebhook } from './sample-account-records.ts';
import type { StoreLocation } from './store-locations.ts';
import { openStoreForTests } from './test-store.ts';

const listIds = (deliveries: readonly DeliveryRecord[]) =>
  deliveries.map((delivery) => `${delivery.event.id} to ${delivery.webhookId}`);

/** Requirements of every store for webhooks. All webhooks receive all events, so each test removes its own. */
export function deliveriesContract(locationName: string, makeLocation: () => Promise<StoreLocation>): void {
  describe(`webhooks on ${locationName}`, () => {
    const store = openStoreForTests(makeLocation);
    const records = () => store().records;

    /** Runs a test with its own webhooks. */
    const withWebhooks = (webhooks: readonly WebhookRecord[], work: () => Promise<void>) => async () => {
      for (const webhook of webhooks) await records().webhooks.insert(webhook);
      await work();
      for (const { id } of webhooks) await records().webhooks.delete(id);
      assert.deepEqual(await records().webhooks.list(), []);
    };
    const append = async (...events: readonly EventRecord[]) => {
      for (const event of events) await records().events.append(event);
    };

    it('are stored, listed by age, and deleted once', async () => {
      const younger = { ...sampleWebhook('a'), events: ['login.failed', 'user.locked'] as const };
      const older = { ...sampleWebhook('b'), createdAtMs: 1 };
      for (const webhook of [younger, older]) await records().webhooks.insert(webhook);
      await assert.rejects(records().webhooks.insert(older), createConflictCheck('webhooks'));
      assert.deepEqual(await records().webhooks.list(), [older, younger]);
      const outcomes = [
        await records().webhooks.delete('a'),
        await records().webhooks.delete('a'),
        await records().webhooks.delete('b'),
      ];
      assert.deepEqual(outcomes, [true, false, true]);
      assert.deepEqual(await records().webhooks.list(), []);
    });

    it(
      'get the types that they subscribe to, from either entry point',
      withWebhooks(
        [
          sampleWebhook('all'),
          { ...sampleWebhook('failures'), events: ['user.locked', 'login.failed'] },
          { ...sampleWebhook('others'), events: ['login.ended', 'user.deleted'] },
        ],
        async () => {
          const event = { ...sampleEvent('types', 't1'), type: 'login.failed' as const };
          await append(event, { ...sampleEvent('types', 't2'), type: 'password.changed' });
          await store().poolStore.write((transaction) =>
            transaction.events.append({ ...sampleEvent('types', 't3'), type: 'user.locked' }),
          );
          const leased = await records().deliveries.lease(100, 200, 10);
          assert.deepEqual(listIds(leased), [
            't1 to all',
            't1 to failures',
            't2 to all',
            't3 to all',
            't3 to failures',
          ]);
          const { expiresAtMs: _, ...told } = event;
          assert.deepEqual(leased[0], {
            webhookId: 'all',
            event: told,
            tries: 0,
            nextTryAtMs: 100,
            deadAtMs: null,
            lastFailure: null,
          });
        },
      ),
    );

    it(
      'get nothing that was rolled back',
      withWebhooks([sampleWebhook('undone')], async () => {
        const write = store().poolStore.write(async (transaction) => {
          await transaction.events.append(sampleEvent('undone', 'u1'));
          throw new RangeError('undone');
        });
        await assert.rejects(write, RangeError);
        assert.deepEqual(await records().deliveries.lease(1_000, 2_000, 10), []);
      }),
    );

    it(
      'get due deliveries, the longest waiting first, up to the limit, and once until the lease expires',
      withWebhooks([sampleWebhook('w')], async () => {
        const event = (id: string, atMs: number) => ({ ...sampleEvent('leases', id), atMs });
        await append(event('l1', 30), event('l3', 10), event('l2', 20));
        assert.deepEqual(await records().deliveries.lease(9, 200, 10), [], 'nothing is due before its time');
        assert.deepEqual(listIds(await records().deliveries.lease(100, 200, 2)), ['l3 to w', 'l2 to w']);
        assert.deepEqual(listIds(await records().deliveries.lease(101, 250, 2)), ['l1 to w']);
        assert.deepEqual(await records().deliveries.lease(199, 300, 10), []);
        assert.deepEqual(listIds(await records().deliveries.lease(200, 300, 10)), ['l3 to w', 'l2 to w']);
        await assert.rejects(records().deliveries.lease(400, 500, 0), RangeError);
      }),
    );

    it(
      'get an event again when it is due, with the number of attempts, until it arrived',
      withWebhooks([sampleWebhook('w'), sampleWebhook('x')], async () => {
        await append(sampleEvent('retries', 'r1'));
        await records().deliveries.lease(100, 200, 10);
        await records().deliveries.postpone('w', 'r1', 160, 'refused');
        assert.deepEqual(await records().deliveries.lease(159, 300, 10), []);
        const [again] = await records().deliveries.lease(160, 300, 1);
        assert.deepEqual(
          [again?.webhookId, again?.tries, again?.nextTryAtMs, again?.lastFailure],
          ['w', 1, 160, 'refused'],
        );
        await records().deliveries.postpone('w', 'r1', 0, 'at once');
        assert.deepEqual(listIds(await records().deliveries.lease(0, 300, 10)), ['r1 to w'], 'at the first moment');
        await records().deliveries.finish('w', 'r1');
        await records().deliveries.postpone('w', 'r1', 160, 'late');
        assert.deepEqual(
          listIds(await records().deliveries.lease(900, 950, 10)),
          ['r1 to x'],
          'the other one has its own',
        );
      }),
    );

    it(
      'show abandoned deliveries, the latest first, until the event expires, without further attempts',
      withWebhooks([sampleWebhook('w'), sampleWebhook('x')], async () => {
        await append({ ...sampleEvent('dead', 'd1'), expiresAtMs: 500 }, sampleEvent('dead', 'd2'));
        await records().deliveries.lease(100, 200, 10);
        await records().deliveries.postpone('w', 'd1', 160, 'refused');
        await records().deliveries.deadLetter('w', 'd1', 170, 'timeout');
        await records().deliveries.deadLetter('w', 'd2', 180, 'refused');
        await records().deliveries.deadLetter('w', 'd1', 190, 'again');
        await records().deliveries.postpone('w', 'd1', 190, 'again');
        const dead = await records().deliveries.listDead('w', 10);
        assert.deepEqual(listIds(dead), ['d2 to w', 'd1 to w']);
        assert.deepEqual([dead[1]?.deadAtMs, dead[1]?.tries, dead[1]?.lastFailure], [170, 2, 'timeout']);
        assert.deepEqual(listIds(await records().deliveries.listDead('w', 1)), ['d2 to w']);
        assert.deepEqual(await records().deliveries.listDead('x', 10), []);
        await records().sweep(500);
        assert.deepEqual(listIds(await records().deliveries.listDead('w', 10)), ['d2 to w']);
        assert.deepEqual(listIds(await records().deliveries.lease(600, 700, 10)), ['d1 to x', 'd2 to x'], 'these live');
        await assert.rejects(records().deliveries.listDead('w', 0), RangeError);
      }),
    );

    it(
      'remove pending and abandoned deliveries when they are deleted',
      withWebhooks([sampleWebhook('stays')], async () => {
        await records().webhooks.insert(sampleWebhook('goes'));
        await append(sampleEvent('taken', 'g1'), sampleEvent('taken', 'g2'));
        await records().deliveries.deadLetter('goes', 'g1', 110, 'refused');
        assert.equal(await records().webhooks.delete('goes'), true);
        assert.deepEqual(await records().deliveries.listDead('goes', 10), []);
        assert.deepEqual(listIds(await records().deliveries.lease(100, 200, 10)), ['g1 to stays', 'g2 to stays']);
      }),
    );

    it(
      'get no event twice from fifty parallel leases, and every one from one of them',
      withWebhooks([sampleWebhook('w')], async () => {
        const ids = Array.from({ length: 120 }, (_, index) => `race-${index}`);
        await Promise.all(ids.map((id) => records().events.append(sampleEvent('race', id))));
        const leased: string[] = [];
        const leaseUntilNone = async (): Promise<void> => {
          const deliveries = await records().deliveries.lease(100, 200, 4);
          assert.ok(deliveries.length <= 4);
          leased.push(...deliveries.map(({ event }) => event.id));
          if (deliveries.length > 0) await leaseUntilNone();
        };
        await Promise.all(Array.from({ length: RACERS }, leaseUntilNone));
        assert.deepEqual(leased.toSorted(), ids.toSorted());
      }),
    );

    it('that are created and deleted while events are written fail none of them', async () => {
      const events = Array.from({ length: 60 }, (_, index) => sampleEvent('coming', `coming-${index}`));
      const comeAndGo = async () => {
        for (let round = 0; round < 15; round++) {
          await records().webhooks.insert(sampleWebhook('brief'));
          await records().webhooks.delete('brief');
        }
      };
      await Promise.all([comeAndGo(), ...events.map((event) => records().events.append(event))]);
      assert.equal((await records().events.page({ userPoolId: 'coming' }, 100, undefined)).rows.length, events.length);
      assert.deepEqual(await records().deliveries.lease(1_000, 2_000, 10), []);
    });
  });
}
