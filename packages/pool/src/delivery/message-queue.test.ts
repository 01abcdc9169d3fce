import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SendFailure, type SendOutcome } from '../index.ts';
import { type CrashPoint, createCrashingStore, createHaltingStore } from '../testing/crashing-store.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import {
  createRecordingSender,
  createReportCollector,
  openTestMessageQueue,
  type TestMessageQueue,
} from '../testing/test-message-queue.ts';

const LEASE_MS = 60_000;

const failing = (outcome: SendOutcome) => () => Promise.reject(new SendFailure('planted', outcome));

/** A restarted machine: the same store, with the clock past every lease. */
async function restart(office: TestMessageQueue, act?: () => Promise<void>) {
  office.clock.advance(LEASE_MS);
  const { sender, given } = createRecordingSender(act);
  await office.instance({ email: sender }).delivery.wake();
  return given;
}

forEachDatabase((database) => {
  describe(`the queue of messages on ${database.name}`, () => {
    it('delivers a message once and keeps nothing of it', async () => {
      const office = await openTestMessageQueue(await database.create());
      const { sender, given } = createRecordingSender();
      const { delivery } = office.instance({ email: sender });
      await office.enqueue();
      await delivery.wake();
      await delivery.wake();
      assert.deepEqual(
        given.map(({ channel, to, code }) => [channel, to, code]),
        [['email', 'ada@example.com', '123456']],
      );
      assert.deepEqual([await office.dead(), await office.waiting()], [[], 0]);
      await office.close();
    });

    it('stores messages encrypted, without a readable code or recipient', async () => {
      const office = await openTestMessageQueue(await database.create());
      const contact = { channel: 'email', destination: 'ada.lovelace@example.com' } as const;
      await office.enqueue({ contact, username: 'ada.lovelace' });
      const nowMs = office.clock.now();
      const [record] = await office.options.store.write((transaction) => transaction.messages.lease(nowMs, nowMs, 1));
      assert.ok(record && record.contentEncrypted.length > 0);
      // With a dot, because a word as short as `ada` can occur in IDs and base64 by chance.
      const code = Buffer.from('123456').toString('base64').slice(0, 6);
      for (const secret of ['123456', 'ada.lovelace', 'example.com', code]) {
        assert.ok(!JSON.stringify(record).includes(secret), secret);
      }
      await office.close();
    });

    it('retries what was certainly not sent, with growing delays, until it is', async () => {
      const office = await openTestMessageQueue(await database.create());
      const { reports, report } = createReportCollector();
      let failures = 3;
      const { sender, given } = createRecordingSender(() => (failures-- > 0 ? failing('retry')() : Promise.resolve()));
      const { delivery } = office.instance({ email: sender });
      delivery.start(report);
      await office.enqueue();
      await delivery.wake();
      const waits: number[] = [];
      while (given.length < 4) {
        const before = given.length;
        const nextMs = office.timer.nextAtMs ?? 0;
        waits.push(nextMs - office.clock.now());
        office.clock.advance(nextMs - office.clock.now());
        await delivery.wake();
        assert.equal(given.length, before + 1, 'it was looked for when it was due');
      }
      for (const [index, wait] of waits.entries()) {
        const most = 2_000 * 2 ** index;
        assert.ok(wait >= most / 2 && wait <= most + 1_000, `${index}: ${wait}`);
      }
      assert.deepEqual(
        reports.map(({ result, tries, failure }) => [result, tries, failure]),
        [
          ['postponed', 1, 'planted'],
          ['postponed', 2, 'planted'],
          ['postponed', 3, 'planted'],
          ['sent', 4, null],
        ],
      );
      assert.equal(new Set(given.map(({ id }) => id)).size, 1, 'one id for all tries');
      await delivery.stop();
      await office.close();
    });

    it('gives up an unsent message before it becomes useless', async () => {
      const office = await openTestMessageQueue(await database.create());
      const { sender, given } = createRecordingSender(failing('retry'));
      const { delivery } = office.instance({ email: sender });
      await office.enqueue();
      for (let second = 0; second < 200; second += 1) {
        await delivery.wake();
        office.clock.advance(1_000);
      }
      assert.deepEqual(await office.dead(), ['planted']);
      assert.ok(given.length >= 5 && given.length <= 10, String(given.length));
      await office.close();
    });

    it('gives up after ten attempts, however long the message is useful', async () => {
      const office = await openTestMessageQueue(await database.create());
      const { sender, given } = createRecordingSender(failing('retry'));
      const { delivery } = office.instance({ email: sender });
      await office.enqueue({ expiresAtMs: office.clock.now() + 7 * 86_400_000 });
      for (let round = 0; round < 20; round += 1) {
        await delivery.wake();
        office.clock.advance(300_000);
      }
      assert.equal(given.length, 10);
      assert.deepEqual(await office.dead(), ['planted']);
      await office.close();
    });

    for (const outcome of ['refused', 'unknown'] as const) {
      it(`gives up at once what was ${outcome}, and erases its content`, async () => {
        const office = await openTestMessageQueue(await database.create());
        const { sender, given } = createRecordingSender(failing(outcome));
        await office.enqueue();
        await office.instance({ email: sender }).delivery.wake();
        assert.equal((await restart(office)).length, 0);
        assert.equal(given.length, 1);
        const [message] = await office.options.store.messages.listDead(office.userPoolId, 10);
        assert.deepEqual([message?.lastFailure, message?.contentEncrypted, message?.tries], ['planted', '', 1]);
        await office.close();
      });
    }

    it('treats a sender that breaks its contract as one that may have sent', async () => {
      const office = await openTestMessageQueue(await database.create());
      const { sender } = createRecordingSender(() => Promise.reject(new TypeError('ada@example.com 123456')));
      const { reports, report } = createReportCollector();
      const { delivery } = office.instance({ email: sender });
      delivery.start(report);
      await office.enqueue();
      await delivery.wake();
      assert.deepEqual(await office.dead(), ['sender_defect']);
      assert.ok(!/ada@|123456/.test(JSON.stringify(reports)));
      await delivery.stop();
      await office.close();
    });

    it('sends no message that has become useless, and reports it', async () => {
      const office = await openTestMessageQueue(await database.create());
      const { sender, given } = createRecordingSender();
      await office.enqueue({ expiresAtMs: office.clock.now() });
      await office.instance({ email: sender }).delivery.wake();
      assert.deepEqual([given.length, await office.dead()], [0, ['expired']]);
      await office.close();
    });

    it('treats a decoy message like any other, and sends it nowhere', async () => {
      const office = await openTestMessageQueue(await database.create());
      const { sender, given } = createRecordingSender();
      await office.enqueue({ discard: true });
      await office.instance({ email: sender }).delivery.wake();
      assert.deepEqual([given.length, await office.dead(), await office.waiting()], [0, [], 0]);
      await office.close();
    });

    it('leaves a message to an instance with a sender for it', async () => {
      const office = await openTestMessageQueue(await database.create());
      const sms = createRecordingSender();
      await office.enqueue();
      await office.instance({ sms: sms.sender }).delivery.wake();
      assert.deepEqual([sms.given.length, await office.dead()], [0, []]);
      assert.equal((await restart(office)).length, 1);
      await office.close();
    });

    it('sends each message once, although three instances work in parallel', async () => {
      const office = await openTestMessageQueue(await database.create());
      const { sender, given } = createRecordingSender(() => new Promise((resolve) => setImmediate(resolve)));
      const instances = [1, 2, 3].map(() => office.instance({ email: sender }));
      await Promise.all(Array.from({ length: 60 }, (_, index) => office.enqueue({ code: `${index + 100_000}` })));
      await Promise.all(instances.map(({ delivery }) => delivery.wake()));
      assert.equal(given.length, 60);
      assert.equal(new Set(given.map(({ code }) => code)).size, 60);
      await office.close();
    });

    it('does not send what another instance took over while it was stopped', async () => {
      const office = await openTestMessageQueue(await database.create());
      const { sender, given } = createRecordingSender();
      const { store, isHeld, release } = createHaltingStore(office.options.store, 2);
      await office.enqueue();
      const woken = office.instance({ email: sender }, store).delivery.wake();
      await isHeld;
      assert.equal((await restart(office)).length, 1, 'the other one, once the lease is over');
      release();
      await woken;
      assert.deepEqual([given.length, await office.dead()], [0, []]);
      await office.close();
    });
  });

  describe(`a crash on ${database.name}`, () => {
    const points: readonly CrashPoint[] = [1, 2, 3].flatMap((write) => [
      { write, isCommitted: false },
      { write, isCommitted: true },
    ]);
    const outcomes = { sent: undefined, 'try again': failing('retry'), refused: failing('refused') };
    for (const [outcome, act] of Object.entries(outcomes)) {
      for (const point of outcome === 'sent' ? points : points.filter(({ write }) => write === 3)) {
        const where = `${point.isCommitted ? 'after' : 'before'} write ${point.write}`;
        it(`${where} of a delivery that ends with "${outcome}" sends nothing twice and reports every loss`, async () => {
          const office = await openTestMessageQueue(await database.create());
          const { sender, given } = createRecordingSender(act);
          const { store, died } = createCrashingStore(office.options.store, point);
          await office.enqueue();
          void office.instance({ email: sender }, store).delivery.wake();
          await died;
          const accepted = outcome === 'sent' ? given.length : 0;
          const again = await restart(office);
          assert.ok(accepted + again.length <= 1, `sent ${accepted} and ${again.length} times`);
          assert.ok(accepted + again.length + (await office.dead()).length >= 1, 'neither sent nor given up');
          assert.equal(await office.waiting(), 0);
          await office.close();
        });
      }
    }

    it('in the middle of sending leaves a message in doubt: given up, not sent again', async () => {
      const office = await openTestMessageQueue(await database.create());
      const { promise: isGiven, resolve } = Promise.withResolvers<void>();
      const { sender } = createRecordingSender(() => {
        resolve();
        return new Promise(() => {});
      });
      await office.enqueue();
      void office.instance({ email: sender }).delivery.wake();
      await isGiven;
      assert.equal((await restart(office)).length, 0);
      assert.deepEqual(await office.dead(), ['in_doubt']);
      await office.close();
    });
  });
});
