import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { openStore, type Store } from '../open-store.ts';
import { createTestDatabase, type TestDatabase, withServiceLimits } from '../testing/postgres.ts';
import { countWins } from '../testing/races.ts';
import { insertSamplePool } from '../testing/sample-records.ts';
import { startTransactionPooler, type TransactionPooler } from '../testing/transaction-pooler.ts';

const BACKENDS_LOOKED_AT = 40;

/** State that must not stay on a connection after its transaction, as queries that must return no rows. */
const LEFT_ON_CONNECTION: Readonly<Record<string, string>> = {
  settings: `select name from pg_settings where source = 'session' and name not in
    ('application_name', 'client_encoding', 'DateStyle', 'TimeZone', 'standard_conforming_strings')`,
  'prepared statements': `select name from pg_prepared_statements`,
  channels: `select pg_listening_channels() as name`,
  cursors: `select name from pg_cursors where name <> ''`,
  'temporary tables': `select relname as name from pg_class where relpersistence = 't'`,
};

describe('the store behind a pooler that shares connections between transactions', () => {
  let database: TestDatabase;
  let pooler: TransactionPooler;
  let replicas: readonly [Store, Store];

  before(async () => {
    database = await createTestDatabase();
    pooler = await startTransactionPooler(database.url);
    replicas = await Promise.all([openStore(pooler.url), openStore(pooler.url)]);
  });
  after(async () => {
    for (const replica of replicas ?? []) await replica.close();
    await pooler?.close();
    await database?.drop();
  });

  it('is migrated by one of two parallel starts, and uses nothing that a pooler refuses', () => {
    const runs = replicas.map(({ migrated }) => migrated.length);
    assert.ok(Math.max(...runs) > 0 && Math.min(...runs) === 0, `${runs}`);
    assert.deepEqual(pooler.refused, []);
  });

  it('works on any connection, and leaves nothing there', async () => {
    const [one, other] = replicas;
    await insertSamplePool(one.poolStore, 'p', 'u');
    let racer = 0;
    const wins = await countWins(async () => {
      const { poolStore } = [one, other][racer++ % 2] ?? one;
      await poolStore.users.byUsername('p', 'u');
      return poolStore.write((transaction) => transaction.users.delete('p', 'u'));
    });
    assert.equal(wins, 1);
    assert.ok(pooler.switches() > 10, `connections changed hands ${pooler.switches()} times`);
    assert.deepEqual(pooler.refused, []);
    await assertNothingLeft(pooler.url);
  });

  it('holds no lock between transactions', async () => {
    const admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    const { rows } = await admin.query(`select locktype from pg_locks
      where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`);
    await admin.end();
    assert.deepEqual(rows, []);
  });

  it('limits the statements of a transaction at the server, and cancels others that take too long', async () => {
    const url = new URL(withServiceLimits(pooler.url));
    // Statements that do not hang must finish within these limits, however busy the machine is.
    url.searchParams.set('statement_timeout', '1000');
    url.searchParams.set('query_timeout', '2000');
    const limited = await openStore(url.href);
    const blocker = new pg.Client({ connectionString: database.url });
    await blocker.connect();
    await blocker.query('begin; lock table users, endings');
    const write = limited.poolStore.write((transaction) => transaction.users.update('p', 'u', { modifiedAtMs: 1 }));
    await assert.rejects(write, { code: 'store_unavailable', message: /canceled the statement/ });
    const read = limited.records.revocations.listBySubjects('p', ['user:x'], 0);
    await assert.rejects(read, { code: 'store_unavailable', message: /canceled the statement/ });
    const { rows } = await blocker.query(`select query from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    assert.deepEqual(rows, [], 'the server still works for nobody');
    await blocker.end();
    assert.deepEqual(await limited.records.revocations.listBySubjects('p', ['user:x'], 0), []);
    await limited.close();
    assert.deepEqual(pooler.refused, []);
  });

  it('would be refused if it sent a limit when it connects', async () => {
    const client = new pg.Client({ connectionString: pooler.url, statement_timeout: 1_000 });
    client.on('error', () => {});
    await assert.rejects(client.connect(), /unsupported startup parameter: (statement|lock|idle)/);
  });
});

/** Checks as many connections as the pooler provides. */
async function assertNothingLeft(url: string): Promise<void> {
  const plain = withServiceLimits(url);
  const client = new pg.Client({ connectionString: plain });
  await client.connect();
  for (let backend = 0; backend < BACKENDS_LOOKED_AT; backend++) {
    for (const [kind, query] of Object.entries(LEFT_ON_CONNECTION)) {
      assert.deepEqual((await client.query(query)).rows, [], kind);
    }
  }
  await client.end();
}
