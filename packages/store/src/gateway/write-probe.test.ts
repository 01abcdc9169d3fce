import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { migrate } from '../migrations/migrate.ts';
import { connectDatabase, createStoreParts } from '../open-store.ts';
import { parseDatabaseUrl } from '../sql/database-url.ts';
import type { Executor } from '../sql/statement.ts';
import { openSqlite } from '../sqlite/open-sqlite.ts';
import { insertSamplePool, sampleMessage } from '../testing/sample-records.ts';
import { PERSISTENT_LOCATIONS } from '../testing/store-locations.ts';
import { createWatchedStore } from '../testing/watched-store.ts';
import { createWriteProbe } from './write-probe.ts';

/** More than a full disk has room for. */
const LARGE = 'x'.repeat(500_000);

async function openOn(context: TestContext, kind: 'SQLite file' | 'PostgreSQL') {
  const location = await PERSISTENT_LOCATIONS[kind]?.();
  assert.ok(location);
  const opened = await connectDatabase(parseDatabaseUrl(location.url));
  context.after(async () => {
    await opened.close();
    await location.remove();
  });
  await opened.withSchema((access) => migrate(access));
  const { poolStore, records } = createStoreParts(opened, {});
  await insertSamplePool(poolStore, 'probed');
  let messages = 0;
  /** Runs SQL on the database, on SQLite's writing connection, and returns the first column of the first row. */
  const run = (text: string): Promise<unknown> =>
    opened.withSchema(async ({ kysely }) => {
      const { rows } = await sql.raw<Record<string, unknown>>(text).execute(kysely);
      return Object.values(rows[0] ?? {})[0];
    });
  return {
    run,
    takesWrites: () => records.takesWrites(),
    /** A write like a request's, in one transaction. */
    write(contentEncrypted: string): Promise<void> {
      messages += 1;
      const message = { ...sampleMessage('probed', `message-${messages}`), contentEncrypted };
      return poolStore.write((transaction) => transaction.messages.enqueue(message));
    },
    /** How many probe rows are left. */
    leftOver: async () => Number(await run(`select count(*) from rates where name like 'readiness:%'`)),
  };
}

const UNAVAILABLE = { name: 'StoreUnavailable' };

test('a full disk with little room that refused a write counts as read-only until it has room for a request', async (context) => {
  const { run, takesWrites, write, leftOver } = await openOn(context, 'SQLite file');
  assert.equal(await takesWrites(), true);
  const pages = Number(await run('pragma page_count'));
  await run(`pragma max_page_count = ${pages + 2}`);
  await assert.rejects(write(LARGE), UNAVAILABLE);
  await write('small');
  assert.deepEqual([await takesWrites(), await takesWrites()], [false, false]);
  // Room for a little, but not for a request.
  await run(`pragma max_page_count = ${pages + 20}`);
  assert.equal(await takesWrites(), false);
  await run(`pragma max_page_count = ${pages + 1_000}`);
  assert.deepEqual([await takesWrites(), await leftOver()], [true, 0]);
});

test('the check once a second of a healthy database grows no file', async (context) => {
  const { run, takesWrites } = await openOn(context, 'SQLite file');
  assert.equal(await takesWrites(), true);
  await run(`pragma max_page_count = ${Number(await run('pragma page_count'))}`);
  for (let times = 0; times < 10; times += 1) assert.equal(await takesWrites(), true);
});

const refusing = (name: string, state: string, rows: string): string => `
  create function ${name}() returns trigger language plpgsql as $$ begin raise exception using errcode = '${state}'; end $$;
  create trigger ${name} before insert on ${rows} execute function ${name}()`;

const DISK_FULL = '53100';
const CANCELLED = '57014';
const REFUSE_MUCH = refusing('refuse_much', DISK_FULL, 'rates for each row when (length(new.name) > 100)');

test('a database server with a full disk counts as read-only until it has room for a request', async (context) => {
  const { run, takesWrites, write, leftOver } = await openOn(context, 'PostgreSQL');
  assert.equal(await takesWrites(), true);
  await run(refusing('refuse_messages', DISK_FULL, 'messages'));
  await run(REFUSE_MUCH);
  assert.equal(await takesWrites(), true, 'nothing was refused');
  await assert.rejects(write('any'), UNAVAILABLE);
  assert.deepEqual([await takesWrites(), await takesWrites()], [false, false]);
  await run('drop trigger refuse_much on rates');
  assert.deepEqual([await takesWrites(), await leftOver()], [true, 0]);
});

test('a database server that refuses a write for another reason is tested with a small write', async (context) => {
  const { run, takesWrites, write } = await openOn(context, 'PostgreSQL');
  await run(refusing('refuse_messages', CANCELLED, 'messages'));
  await run(REFUSE_MUCH);
  await assert.rejects(write('any'), UNAVAILABLE);
  assert.equal(await takesWrites(), true);
});

test('little is written while no write is refused', async () => {
  const { seen, records, run, close } = await createWatchedStore();
  const outcomes = () => seen.ended.map(({ parameters, changes }) => [String(parameters.text ?? '').length, changes]);
  const little = [0, 1];
  assert.equal(await records.takesWrites(), true);
  assert.deepEqual(outcomes(), [little]);
  await records.sweep(0);
  assert.equal(await run('select count(*) from rates'), 0, 'a sweep may take it');
  await close();
});

test('the large write is sixty-four rows that share no page', async () => {
  const opened = openSqlite(undefined);
  await opened.withSchema((access) => migrate(access));
  const written: (readonly [number, number])[] = [];
  const noticing = (name: 'writes' | 'deferredWrites'): Executor => ({
    run: async (statement, parameters) => {
      const outcome = await opened[name].run(statement, parameters);
      const { text = '' }: { readonly text?: string } = parameters;
      written.push([text.length, outcome.changes]);
      return outcome;
    },
  });
  const refused = { count: 0 };
  const probe = createWriteProbe({ writes: noticing('writes'), deferredWrites: noticing('deferredWrites') }, refused);
  await probe();
  refused.count = 3;
  await probe();
  await probe();
  const little = [0, 1] as const;
  assert.deepEqual(written, [little, [2_000, 64], [0, 64], little]);
  await opened.close();
});
