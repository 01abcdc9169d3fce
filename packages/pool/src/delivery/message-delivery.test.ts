import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPool, type Sender, SendFailure } from '../index.ts';
import type { PoolStore } from '../store/index.ts';
import { replaceWrite } from '../testing/crashing-store.ts';
import { openTestEnvironment } from '../testing/test-environment.ts';
import {
  createRecordingSender,
  createReportCollector,
  openTestMessageQueue,
  type TestMessageQueue,
} from '../testing/test-message-queue.ts';
import { PASSWORD, TEST_CALL } from '../testing/test-pool.ts';

/** Lets everything run that needs no timer: several writes, each of which waits for some quiet turns. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
}

/** A mail server that accepts the connection and then stays silent. */
const silent: Sender = { send: () => new Promise(() => {}) };

/** A store that counts its writes. */
function counted(store: PoolStore): { readonly store: PoolStore; readonly writes: () => number } {
  let writes = 0;
  const write: PoolStore['write'] = (work) => {
    writes += 1;
    return store.write(work);
  };
  return { store: replaceWrite(store, write), writes: () => writes };
}

async function sleeping(office: TestMessageQueue): Promise<number> {
  await settled();
  return (office.timer.nextAtMs ?? Number.NaN) - office.clock.now();
}

describe('the worker of the queue', () => {
  it('delays no request for a sender that never responds', async () => {
    const opened = await openTestEnvironment('sqlite::memory:');
    const pool = createPool({ ...opened.options, senders: { email: silent } });
    const { client } = await pool.setUp();
    const stop = pool.startDelivery(() => {});
    for (let user = 0; user < 40; user += 1) {
      const input = { ClientId: client.id, Username: `u${user}@example.com`, Password: PASSWORD };
      const { CodeDeliveryDetails } = await pool.operations.signUp(input, TEST_CALL);
      assert.equal(CodeDeliveryDetails?.DeliveryMedium, 'EMAIL');
    }
    const stopped = stop();
    opened.clock.advance(5_000);
    opened.timer.runDue();
    await stopped;
    await opened.close();
  });

  it('gives up a message whose sender has not responded for half a minute, because it may have been sent', async () => {
    const office = await openTestMessageQueue('sqlite::memory:');
    const { reports, report } = createReportCollector();
    const { delivery } = office.instance({ email: silent });
    await office.enqueue();
    delivery.start(report);
    await settled();
    assert.equal(reports.length, 0);
    office.clock.advance(30_000);
    office.timer.runDue();
    await settled();
    assert.deepEqual(await office.dead(), ['timeout']);
    assert.equal(reports[0]?.result, 'dead');
    await delivery.stop();
    await office.close();
  });

  it('tells the sender that the result is no longer needed', async () => {
    const office = await openTestMessageQueue('sqlite::memory:');
    const signals: AbortSignal[] = [];
    const sender: Sender = {
      send(_message, signal) {
        signals.push(signal);
        return new Promise(() => {});
      },
    };
    const { delivery } = office.instance({ email: sender });
    await office.enqueue();
    delivery.start(() => {});
    await settled();
    assert.equal(signals[0]?.aborted, false);
    office.clock.advance(30_000);
    office.timer.runDue();
    assert.equal(signals[0]?.aborted, true);
    await settled();
    await delivery.stop();
    await office.close();
  });

  it('sends new messages at once, and checks twice a minute for messages of other instances', async () => {
    const office = await openTestMessageQueue('sqlite::memory:');
    const sent: string[] = [];
    const sender: Sender = { send: async ({ to }) => void sent.push(to) };
    const { delivery } = office.instance({ email: sender });
    delivery.start(() => {});
    assert.equal(await sleeping(office), 30_000);
    await office.enqueue();
    await settled();
    assert.equal(sent.length, 0, 'nobody said that there is something');
    await delivery.wake();
    await settled();
    assert.equal(sent.length, 1);
    await office.enqueue();
    office.clock.advance(30_000);
    office.timer.runDue();
    await settled();
    assert.equal(sent.length, 2);
    assert.equal(await sleeping(office), 30_000);
    await delivery.stop();
    assert.equal(office.timer.nextAtMs, undefined, 'nothing is left to wake it');
    await office.close();
  });

  it('continues with the rest after a full batch', async () => {
    const office = await openTestMessageQueue('sqlite::memory:');
    const open: (() => void)[] = [];
    const sender: Sender = { send: () => new Promise((resolve) => open.push(resolve)) };
    const { store, writes } = counted(office.options.store);
    const { delivery } = office.instance({ email: sender }, store);
    const enqueue = (length: number) => Promise.all(Array.from({ length }, () => office.enqueue()));
    const wake = async () => {
      await delivery.wake();
      await settled();
    };
    await enqueue(31);
    delivery.start(() => {});
    await settled();
    assert.equal(open.length, 31);
    await enqueue(9);
    await wake();
    assert.equal(open.length, 32);
    const before = writes();
    await wake();
    assert.deepEqual([open.length, writes()], [32, before], 'it asks for nothing that it could not send');
    for (const done of open.splice(0)) done();
    await settled();
    assert.equal(open.length, 8);
    for (const done of open.splice(0)) done();
    await delivery.stop();
    assert.equal(await office.waiting(), 0);
    await office.close();
  });

  it('ends with the message that is being sent, and takes no more', async () => {
    const office = await openTestMessageQueue('sqlite::memory:');
    const { promise: sent, resolve: finish } = Promise.withResolvers<void>();
    const { delivery } = office.instance({ email: { send: () => sent } });
    await office.enqueue();
    delivery.start(() => {});
    await settled();
    let isStopped = false;
    const stopped = delivery.stop().then(() => {
      isStopped = true;
    });
    await office.enqueue();
    await delivery.wake();
    await settled();
    assert.equal(isStopped, false);
    finish();
    await stopped;
    assert.equal(await office.waiting(), 1);
    assert.deepEqual(await office.dead(), []);
    await office.close();
  });

  it('does nothing by itself before it is started', async () => {
    const office = await openTestMessageQueue('sqlite::memory:');
    const { sender, given } = createRecordingSender();
    const { delivery } = office.instance({ email: { send: sender.send } });
    await office.enqueue();
    await delivery.wake();
    await settled();
    assert.deepEqual([given.length, office.timer.nextAtMs], [0, undefined]);
    await office.close();
  });

  it('survives a store that does not respond', async () => {
    const office = await openTestMessageQueue('sqlite::memory:');
    const { sender, given } = createRecordingSender();
    let isDown = true;
    const store = replaceWrite(office.options.store, (work) =>
      isDown ? Promise.reject(new Error('unavailable')) : office.options.store.write(work),
    );
    const { delivery } = office.instance({ email: sender }, store);
    await office.enqueue();
    delivery.start(() => {});
    await delivery.wake();
    assert.equal(given.length, 0);
    isDown = false;
    office.clock.advance(30_000);
    office.timer.runDue();
    await delivery.wake();
    assert.equal(given.length, 1);
    await delivery.stop();
    await office.close();
  });

  it('calls the store only when there is something to do, if only requests cause work', async () => {
    const office = await openTestMessageQueue('sqlite::memory:');
    const { sender, given } = createRecordingSender();
    const { store, writes } = counted(office.options.store);
    const { delivery } = office.instance({ email: sender }, store);
    await Promise.all(Array.from({ length: 33 }, () => office.enqueue()));
    await delivery.wake();
    await settled();
    // Two leases, then the handover and the success for each message.
    assert.deepEqual([given.length, writes()], [33, 2 + 33 + 33]);
    assert.equal(office.timer.nextAtMs, undefined, 'it works for requests alone');
    await office.close();
  });

  it('looks for no more messages than it was told of', async () => {
    const office = await openTestMessageQueue('sqlite::memory:');
    let sent = 0;
    const sender: Sender = {
      async send() {
        sent += 1;
        if (sent === 1) await office.enqueue();
      },
    };
    const { delivery } = office.instance({ email: sender });
    delivery.start(() => {});
    await office.enqueue();
    await delivery.wake();
    await settled();
    assert.equal(sent, 1);
    await delivery.wake();
    await settled();
    assert.equal(sent, 2);
    await delivery.stop();
    await office.close();
  });

  it('wakes in time for retries, and at once for messages that came due during its work', async () => {
    const office = await openTestMessageQueue('sqlite::memory:');
    const send = () => Promise.reject(new SendFailure('planted', 'retry'));
    const { delivery } = office.instance({ email: { send } });
    delivery.start(() => {});
    await office.enqueue();
    await delivery.wake();
    const ms = await sleeping(office);
    assert.ok(ms === 1_000 || ms === 2_000, `to the second: ${ms}`);
    await delivery.stop();
    const { delivery: slow } = office.instance({ email: { send, immediate: true } });
    office.clock.advance(2_000);
    slow.start(() => office.clock.advance(60_000));
    assert.equal(await sleeping(office), 0);
    await slow.stop();
    await office.close();
  });

  it('is not woken after its end by what it could not send', async () => {
    const office = await openTestMessageQueue('sqlite::memory:');
    const { promise, reject } = Promise.withResolvers<void>();
    const { delivery } = office.instance({ email: { send: () => promise } });
    await office.enqueue();
    delivery.start(() => {});
    await settled();
    const stopped = delivery.stop();
    reject(new SendFailure('planted', 'retry'));
    await stopped;
    assert.equal(office.timer.nextAtMs, undefined);
    assert.equal(await office.waiting(), 1);
    await office.close();
  });

  it('reports nothing for a message whose result it could not write', async () => {
    const office = await openTestMessageQueue('sqlite::memory:');
    const { sender, given } = createRecordingSender();
    const { reports, report } = createReportCollector();
    let writes = 0;
    const store = replaceWrite(office.options.store, (work) => {
      writes += 1;
      return writes === 3 ? Promise.reject(new Error('unavailable')) : office.options.store.write(work);
    });
    const { delivery } = office.instance({ email: sender }, store);
    await office.enqueue();
    delivery.start(report);
    await settled();
    assert.deepEqual([given.length, reports], [1, []]);
    await delivery.stop();
    await office.close();
  });
});
