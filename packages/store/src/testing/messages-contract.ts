import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MessageRecord } from '@poolgate/pool/store';
import { countWins, createConflictCheck, RACERS } from './races.ts';
import { insertSamplePool, sampleMessage } from './sample-records.ts';
import type { StoreLocation } from './store-locations.ts';
import { openPoolStoreForTests } from './test-store.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

const listIds = (messages: readonly MessageRecord[]) => messages.map((message) => message.id);

/** Requirements of every store for the message queue. All pools share it, so each test starts with an empty queue. */
export function messagesContract(locationName: string, makeLocation: () => Promise<StoreLocation>): void {
  describe(`messages in the pool's store on ${locationName}`, () => {
    const poolStore = openPoolStoreForTests(makeLocation);

    const enqueue = (...messages: readonly MessageRecord[]) =>
      poolStore().write(async (transaction) => {
        for (const message of messages) await transaction.messages.enqueue(message);
      });
    const lease = (nowMs: number, leasedUntilMs: number, limit = 1_000) =>
      poolStore().write((transaction) => transaction.messages.lease(nowMs, leasedUntilMs, limit));
    const empty = async () => {
      const messages = await lease(DAY_MS, DAY_MS + 1);
      await poolStore().write(async (transaction) => {
        for (const { id } of messages) await transaction.messages.delete(id);
      });
    };

    it('leases due messages, oldest first, up to the limit, and once until the lease expires', async () => {
      await insertSamplePool(poolStore(), 'leases');
      const message = (id: string, createdAtMs: number) => ({ ...sampleMessage('leases', id), createdAtMs });
      await enqueue(message('m1', 30), message('m3', 10), message('m2b', 20), message('m2a', 20));
      assert.deepEqual(await lease(99, 200), [], 'nothing is due before its time');
      const first = await lease(100, 200, 3);
      assert.deepEqual(
        first,
        [message('m3', 10), message('m2a', 20), message('m2b', 20)].map((one) => ({ ...one, leasedUntilMs: 200 })),
      );
      assert.deepEqual(listIds(await lease(101, 250)), ['m1']);
      assert.deepEqual(await lease(199, 300), []);
      assert.deepEqual(listIds(await lease(200, 300)), ['m3', 'm2a', 'm2b']);
      await assert.rejects(lease(400, 500, 0), RangeError);
      await empty();
    });

    it('gives no message to two of fifty, and every one to one of them', async () => {
      await insertSamplePool(poolStore(), 'leaserace');
      const messages = Array.from({ length: 120 }, (_, index) => sampleMessage('leaserace', `m${index}`));
      await enqueue(...messages);
      const leased: string[] = [];
      const leaseUntilNone = async (leasedUntilMs: number): Promise<void> => {
        const ids = listIds(await lease(100, leasedUntilMs, 4));
        assert.ok(ids.length <= 4);
        leased.push(...ids);
        if (ids.length > 0) await leaseUntilNone(leasedUntilMs);
      };
      await Promise.all(Array.from({ length: RACERS }, (_, index) => leaseUntilNone(200 + index)));
      assert.deepEqual(leased.toSorted(), listIds(messages).toSorted());
      await empty();
    });

    it('hands a message over only under its lease, and reports that after a crash', async () => {
      await insertSamplePool(poolStore(), 'handover');
      await enqueue(sampleMessage('handover', 'm'));
      const handOver = (leasedUntilMs: number) =>
        poolStore().write((transaction) => transaction.messages.handOver('m', leasedUntilMs));
      assert.equal(await handOver(200), false, 'nobody has leased it');
      await lease(100, 200);
      assert.equal(await handOver(200), true);
      const found = { ...sampleMessage('handover', 'm'), leasedUntilMs: 300, handedOver: true, tries: 1 };
      assert.deepEqual(await lease(200, 300), [found]);
      assert.equal(await handOver(200), false, 'that lease was lost');
      assert.equal(await handOver(300), true);
      await poolStore().write((transaction) => transaction.messages.delete('m'));
      assert.equal(await handOver(300), false);
    });

    it('returns a postponed message when it is due, with the number of attempts', async () => {
      await insertSamplePool(poolStore(), 'postpone');
      await enqueue(sampleMessage('postpone', 'm'));
      await lease(100, 200);
      await poolStore().write(async (transaction) => {
        await transaction.messages.handOver('m', 200);
        await transaction.messages.postpone('m', 160, 'refused');
      });
      assert.deepEqual(await lease(159, 300), []);
      assert.deepEqual(await lease(160, 300), [
        {
          ...sampleMessage('postpone', 'm'),
          tries: 1,
          nextTryAtMs: 160,
          leasedUntilMs: 300,
          lastFailure: 'refused',
        },
      ]);
      await poolStore().write((transaction) => transaction.messages.postpone('m', 0, 'at once'));
      assert.deepEqual(listIds(await lease(0, 300)), ['m'], 'at the first moment');
      await assert.rejects(poolStore().messages.listDead('postpone', 0), RangeError);
      await empty();
    });

    it('erases an abandoned message, and keeps the record visible, the latest first', async () => {
      await insertSamplePool(poolStore(), 'bury');
      await insertSamplePool(poolStore(), 'bury2');
      const unused = { ...sampleMessage('bury', 'unused'), expiresAtMs: 50 };
      await enqueue(unused, sampleMessage('bury', 'm1'), sampleMessage('bury', 'm2'), sampleMessage('bury2', 'm3'));
      assert.equal((await lease(100, 200)).length, 4, 'what is of no use any more is given out to be given up');
      await poolStore().write(async (transaction) => {
        await transaction.messages.handOver('m2', 200);
        await transaction.messages.deadLetter('unused', 110, 'expired');
        await transaction.messages.deadLetter('m2', 130, 'refused');
        await transaction.messages.deadLetter('m1', 120, 'refused');
        await transaction.messages.deadLetter('m3', 120, 'refused');
        await transaction.messages.deadLetter('m1', 140, 'again');
        await transaction.messages.postpone('m1', 150, 'again');
      });
      const dead = await poolStore().messages.listDead('bury', 10);
      assert.deepEqual(listIds(dead), ['m2', 'm1', 'unused']);
      assert.deepEqual(dead[0], {
        ...sampleMessage('bury', 'm2'),
        contentEncrypted: '',
        tries: 1,
        handedOver: true,
        deadAtMs: 130,
        lastFailure: 'refused',
      });
      assert.deepEqual([dead[1]?.deadAtMs, dead[1]?.lastFailure], [120, 'refused']);
      assert.deepEqual(listIds(await poolStore().messages.listDead('bury', 1)), ['m2']);
      assert.deepEqual(await lease(500, 600), []);
    });

    it('sweeps messages a month after they were abandoned, and no others', async () => {
      await insertSamplePool(poolStore(), 'sweep');
      const waiting = { ...sampleMessage('sweep', 'waiting'), expiresAtMs: 1, nextTryAtMs: DAY_MS };
      await enqueue(sampleMessage('sweep', 'dead1'), sampleMessage('sweep', 'dead2'), waiting);
      await poolStore().write(async (transaction) => {
        await transaction.messages.deadLetter('dead1', 1_000, 'refused');
        await transaction.messages.deadLetter('dead2', 1_001, 'refused');
      });
      await poolStore().sweep(1_000 + 30 * DAY_MS);
      assert.deepEqual(listIds(await poolStore().messages.listDead('sweep', 10)), ['dead2']);
      assert.deepEqual(listIds(await lease(DAY_MS, DAY_MS + 1)), ['waiting']);
      await empty();
    });

    it('refuses a taken ID, and a message without a pool', async () => {
      await insertSamplePool(poolStore(), 'messageids');
      await enqueue(sampleMessage('messageids', 'same'));
      await assert.rejects(enqueue(sampleMessage('messageids', 'same')), createConflictCheck('messages'));
      await assert.rejects(enqueue(sampleMessage('no-pool', 'other')), { reason: 'foreign_key' });
      await empty();
    });

    it('queues a message with its write, or not at all', async () => {
      await insertSamplePool(poolStore(), 'together');
      const write = poolStore().write(async (transaction) => {
        await transaction.messages.enqueue(sampleMessage('together', 'undone'));
        throw new RangeError('undone');
      });
      await assert.rejects(write, RangeError);
      assert.deepEqual(await lease(100, 200), []);
    });

    it('lets one of fifty deliver a message', async () => {
      await insertSamplePool(poolStore(), 'handrace');
      await enqueue(sampleMessage('handrace', 'm'));
      const deliver = async () => {
        const [message] = await lease(100, 200, 1);
        return (
          message !== undefined &&
          (await poolStore().write((transaction) => transaction.messages.handOver(message.id, 200)))
        );
      };
      assert.equal(await countWins(deliver), 1);
      await empty();
    });
  });
}
