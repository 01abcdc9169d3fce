import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { MIGRATIONS } from '../migrations/index.ts';
import { openStore, type Store } from '../open-store.ts';
import { createTestDatabase, type TestDatabase, withServiceLimits } from '../testing/postgres.ts';
import { sampleEvent, sampleWebhook } from '../testing/sample-account-records.ts';
import { insertSamplePool, sampleLogin, sampleUser } from '../testing/sample-records.ts';

// Ends the store's connections to this database, and waits until they are closed.
const LOSE_CONNECTIONS = `select pg_terminate_backend(pid, 5000) from pg_stat_activity
  where application_name = 'poolgate' and datname = current_database()`;

const MORE_THAN_CONNECTIONS = 12;
/** How long to wait for a connection if the URL does not say. */
const DEFAULT_WAIT_MS = 5_000;
const UNAVAILABLE = { name: 'StoreUnavailable', code: 'store_unavailable' };

describe('the store on PostgreSQL', () => {
  let database: TestDatabase;
  let store: Store;
  let other: pg.Client;

  before(async () => {
    database = await createTestDatabase();
    store = await openStore(withServiceLimits(database.url));
    await insertSamplePool(store.poolStore, 'p', 'a', 'b');
    other = new pg.Client({ connectionString: database.url });
    await other.connect();
  });
  after(async () => {
    await other?.end();
    await store?.close();
    await database?.drop();
  });

  const touch = (...usernames: string[]) =>
    store.poolStore.write(async (transaction) => {
      for (const username of usernames) await transaction.users.update('p', username, { modifiedAtMs: 1 });
    });

  it('retries writes that deadlock with each other', async () => {
    const bothHoldOne = Promise.withResolvers<void>();
    const runs: string[] = [];
    const inOrder = (first: string, second: string) =>
      store.poolStore.write(async (transaction) => {
        runs.push(first);
        await transaction.users.update('p', first, { modifiedAtMs: 2 });
        if (runs.length === 2) bothHoldOne.resolve();
        await bothHoldOne.promise;
        await transaction.users.update('p', second, { modifiedAtMs: 2 });
      });
    await Promise.all([inOrder('a', 'b'), inOrder('b', 'a')]);
    assert.ok(runs.length > 2, 'there was no deadlock to run again from');
  });

  it('neither waits for nor fails because of a webhook that is being deleted while it writes an event', async () => {
    await store.records.webhooks.insert(sampleWebhook('w'));
    await other.query('begin');
    await other.query(`delete from webhooks where id = 'w'`);
    await store.records.events.append(sampleEvent('p', 'e'));
    await other.query('commit');
    assert.deepEqual(await store.records.deliveries.lease(1_000, 2_000, 10), []);
    assert.equal((await store.records.events.page({ userPoolId: 'p' }, 10, undefined)).rows.length, 1);
  });

  it('ends excess logins without waiting for one that another login ends just now', async () => {
    await insertSamplePool(store.poolStore, 'many', 'u');
    await store.poolStore.write(async ({ logins }) => {
      for (const [index, id] of ['oldest', 'older', 'newer'].entries())
        await logins.insert({ ...sampleLogin('many', 'u', id), createdAtMs: index });
    });
    await other.query('begin');
    await other.query(`update logins set revoked_at_ms = 3 where id = 'oldest'`);
    const ended = await store.poolStore.write(({ logins }) => logins.revokeExcess('many', 'u', 1, 4));
    await other.query('rollback');
    assert.deepEqual(
      ended.map(({ id }) => id),
      ['older'],
    );
    // It was not ended, so the next login does it.
    const left = await store.poolStore.write(({ logins }) => logins.revokeExcess('many', 'u', 1, 5));
    assert.deepEqual(
      left.map(({ id }) => id),
      ['oldest'],
    );
  });

  /** Waits until a write waits for the one that `other` has started. */
  async function waitForWaiting(): Promise<void> {
    const waiting = 'select from pg_locks where not granted and transactionid = pg_current_xact_id()::xid';
    if ((await other.query(waiting)).rowCount === 0) await nextTurn().then(waitForWaiting);
  }

  it('reads a lock only after the write that sets it has ended', async () => {
    await store.poolStore.write(({ lockouts }) => lockouts.countFailure('waits', 'u', 1, 0));
    await other.query('begin');
    await other.query(`update lockouts set failures = 5, locked_until_ms = 9 where pool_id = 'waits'`);
    const held = store.poolStore.write(({ lockouts }) => lockouts.holdLocks('waits', 'u', 'all'));
    await waitForWaiting();
    await other.query('commit');
    assert.deepEqual(await held, [{ subject: 'u', lockedUntilMs: 9 }]);
  });

  it('gives up a write whose lock stays held, and gets it once it is free', async () => {
    await other.query('begin');
    await other.query(`update users set modified_at_ms = 3 where username = 'a'`);
    await assert.rejects(touch('a'), UNAVAILABLE);
    await other.query('rollback');
    await touch('a');
  });

  it('keeps responding on other connections while a statement is stuck', async () => {
    await other.query('begin');
    await other.query('lock table endings');
    const stuck = store.records.revocations.listBySubjects('p', ['user:x'], 0).then(
      () => 'answered',
      (error: Error) => error.name,
    );
    assert.equal((await store.poolStore.users.byUsername('p', 'b'))?.username, 'b');
    assert.equal(await stuck, 'StoreUnavailable');
    await other.query('rollback');
    assert.deepEqual(await store.records.revocations.listBySubjects('p', ['user:x'], 0), []);
  });

  it('survives the loss of all its connections', async () => {
    await Promise.all(Array.from({ length: 5 }, () => store.poolStore.users.byUsername('p', 'a')));
    await other.query(LOSE_CONNECTIONS);
    const answered = async (): Promise<boolean> => {
      if (await store.records.ready()) return true;
      await nextTurn();
      return answered();
    };
    assert.ok(await answered());
    await touch('a');
  });

  it('reports a lost write as unavailable', async () => {
    const lost = store.poolStore.write(async (transaction) => {
      await transaction.users.insert(sampleUser('p', 'lost'), []);
      await other.query(LOSE_CONNECTIONS);
      await transaction.users.insert(sampleUser('p', 'lost2'), []);
    });
    await assert.rejects(lost, UNAVAILABLE);
    assert.equal(await store.poolStore.users.byUsername('p', 'lost').catch(() => undefined), undefined);
  });

  it('keeps no connection of failed commits, and closes after them', async (t) => {
    const dying = await createTestDatabase();
    t.after(() => dying.drop());
    const failing = await openStore(withServiceLimits(dying.url));
    await insertSamplePool(failing.poolStore, 'p', 'a');
    const server = new pg.Client({ connectionString: dying.url });
    await server.connect();
    await server.query(`create function die() returns trigger language plpgsql as
      $$ begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1); return null; end $$`);
    await server.query(`create constraint trigger dies after update on users deferrable initially deferred
      for each row execute function die()`);
    const modify = () =>
      failing.poolStore.write((transaction) => transaction.users.update('p', 'a', { modifiedAtMs: 5 }));
    for (let commit = 0; commit < MORE_THAN_CONNECTIONS; commit += 1) await assert.rejects(modify(), UNAVAILABLE);
    await server.query('drop trigger dies on users');
    await server.end();
    await modify();
    await failing.close();
  });

  it('is unavailable if no connection is free within the time in the URL', async () => {
    const url = new URL(withServiceLimits(database.url));
    url.searchParams.set('connection_timeout', '100');
    const hurried = await openStore(url.href);
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    const began = performance.now();
    const writes = Array.from({ length: MORE_THAN_CONNECTIONS }, () => hurried.poolStore.write(() => held));
    await assert.rejects(Promise.all(writes), UNAVAILABLE);
    assert.ok(performance.now() - began < DEFAULT_WAIT_MS, 'as long as without it');
    letGo();
    await Promise.allSettled(writes);
    await hurried.close();
  });

  it('reports a transaction that cannot begin', async () => {
    const url = new URL(database.url);
    // Larger than the server's maximum.
    url.searchParams.set('statement_timeout', '99999999999');
    const impossible = await openStore(url.href);
    const change = { modifiedAtMs: 99 };
    const began = impossible.poolStore.write((transaction) => transaction.users.update('p', 'a', change));
    await assert.rejects(began, { name: 'StoreFault', reason: '22023' });
    assert.notEqual((await store.poolStore.users.byUsername('p', 'a'))?.modifiedAtMs, change.modifiedAtMs);
    assert.equal(await impossible.records.ready(), true);
    await impossible.close();
  });

  it('is unavailable if the server is read-only', async () => {
    const readOnly = new URL(database.url);
    readOnly.searchParams.set('options', '-c default_transaction_read_only=on');
    const standby = await openStore(readOnly.href);
    const write = standby.poolStore.write((transaction) => transaction.users.update('p', 'a', { modifiedAtMs: 4 }));
    await assert.rejects(write, UNAVAILABLE);
    await standby.close();
  });

  it('is unavailable without a server or database, and does not show the password', async () => {
    const missing = new URL(database.url);
    missing.pathname = '/no_such_database';
    for (const url of ['postgres://someone:hunter2@127.0.0.1:1/x', missing.href]) {
      await assert.rejects(openStore(url), (error: Error) => {
        assert.equal(error.name, 'StoreUnavailable');
        assert.ok(!error.message.includes('hunter2'));
        return true;
      });
    }
  });

  it('is unavailable, and not ready, after it was closed', async () => {
    const closed = await openStore(database.url);
    await closed.close();
    assert.equal(await closed.records.ready(), false);
    await assert.rejects(closed.poolStore.users.byUsername('p', 'a'), UNAVAILABLE);
    await assert.rejects(
      closed.poolStore.write(async () => {}),
      UNAVAILABLE,
    );
  });

  it('keeps its tables in the schema of the URL, next to another store’s', async () => {
    await other.query('create schema second');
    const url = new URL(database.url);
    url.searchParams.set('options', '-c search_path=second');
    const second = await openStore(url.href);
    assert.deepEqual(second.migrated, Object.keys(MIGRATIONS));
    assert.equal(await second.poolStore.pools.first(), undefined);
    await second.close();
  });
});
