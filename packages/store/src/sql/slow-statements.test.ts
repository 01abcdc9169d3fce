import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { openStore, type Store } from '../open-store.ts';
import { sampleEvent } from '../testing/sample-account-records.ts';
import { insertSamplePool, sampleMessage } from '../testing/sample-records.ts';
import { STORE_LOCATIONS, type StoreLocation } from '../testing/store-locations.ts';
import type { Database } from './database.ts';
import { type SlowStatement, watchSlowStatements } from './slow-statements.ts';
import { defineStatement, defineStatementPair, type Writer } from './statement.ts';

const VALUE = 'a-value-that-no-log-may-hold';

for (const [name, makeLocation] of Object.entries(STORE_LOCATIONS)) {
  describe(`slow statements on ${name}`, () => {
    let location: StoreLocation;
    let store: Store;
    const told: SlowStatement[] = [];

    before(async () => {
      location = await makeLocation();
      // With 0 ms, every statement is slow.
      store = await openStore(location.url, { slowStatements: { fromMs: 0, report: (slow) => told.push(slow) } });
    });
    after(async () => {
      await store.close();
      await location.remove();
    });

    it('are logged with their plan, outside and inside a write, once in a while, and never with a value', async () => {
      await insertSamplePool(store.poolStore, 'slow');
      await store.poolStore.write((transaction) => transaction.messages.enqueue(sampleMessage('slow', VALUE)));
      await store.records.events.append(sampleEvent('slow', VALUE));
      for (let times = 0; times < 3; times += 1) await store.poolStore.users.byName('slow', VALUE);
      // Plans are read concurrently on other connections, so this may arrive before a read's plan.
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

const NEXT_TURN = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a statement', () => {
  const [one, other] = [defineStatement(() => assert.fail()), defineStatement(() => assert.fail())];
  const pair = defineStatementPair(() => assert.fail());

  /** A database whose statements take a given time on a simulated clock. */
  function setUp(context: TestContext, fromMs: number) {
    let nowMs = 1_000;
    let lastsMs = 0;
    context.mock.method(performance, 'now', () => nowMs);
    const work = async () => {
      await NEXT_TURN();
      nowMs += lastsMs;
      return { rows: [], changes: 0 };
    };
    const writer = { run: work, enqueue: work, enqueueBoth: work } as unknown as Writer;
    const database = {
      reads: writer,
      writes: writer,
      deferredWrites: writer,
      write: (write: (inner: Writer) => Promise<unknown>) => write(writer),
      explain: async (explained: unknown) => [{ sql: explained === other ? 'other' : 'one', plan: ['a plan'] }],
    } as unknown as Database;
    const told: SlowStatement[] = [];
    const watching = watchSlowStatements(database, { fromMs, report: (slow) => told.push(slow) });
    const lasting = async (ms: number, run: (writer: Writer) => Promise<unknown>, inner = watching.reads) => {
      lastsMs = ms;
      told.length = 0;
      await run(inner as Writer);
      await NEXT_TURN();
      return told.map(({ sql, ms: toldMs }) => `${sql} ${toldMs}`);
    };
    return { database, watching, lasting, told, pass: (ms: number) => (nowMs += ms) };
  }

  it('is slow from this many milliseconds on, wherever it runs', async (context) => {
    const { watching, lasting, told, pass } = setUp(context, 100);
    const run = (writer: Writer) => writer.run(one, {});
    assert.deepEqual(await lasting(99.9, run), []);
    assert.deepEqual(await lasting(100, run), ['one 100']);
    assert.deepEqual(told, [{ sql: 'one', ms: 100, plan: ['a plan'] }]);
    for (const place of [watching.writes, watching.deferredWrites]) {
      pass(60_000);
      assert.deepEqual(await lasting(100.4, run, place), ['one 100']);
    }
    pass(60_000);
    assert.deepEqual(await lasting(100.5, () => watching.write((inner) => run(inner))), ['one 101']);
    assert.deepEqual(await lasting(200, () => watching.write((inner) => inner.enqueueBoth(pair, {}))), ['one 200']);
    pass(60_000);
    assert.deepEqual(await lasting(200, () => watching.write((inner) => inner.enqueue(one, {}))), ['one 200']);
  });

  it('is explained once a minute, each separately', async (context) => {
    const { lasting, pass } = setUp(context, 100);
    const [run, runOther] = [(writer: Writer) => writer.run(one, {}), (writer: Writer) => writer.run(other, {})];
    assert.deepEqual(await lasting(100, run), ['one 100']);
    assert.deepEqual(await lasting(100, runOther), ['other 100']);
    pass(60_000 - 100 - 100 - 1);
    assert.deepEqual(await lasting(100, run), []);
    assert.deepEqual(await lasting(100, run), ['one 100']);
  });

  it('is not watched if nothing is logged', (context) => {
    const { database } = setUp(context, 100);
    assert.equal(watchSlowStatements(database, undefined), database);
  });
});
