import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { openStore, type Store } from '../open-store.ts';
import type { Database } from '../sql/database.ts';
import { parseDatabaseUrl } from '../sql/database-url.ts';
import type { Placeholders } from '../sql/placeholder.ts';
import { defineChange, defineStatement, type Writer } from '../sql/statement.ts';
import { createMigratedDatabase, type TestDatabase } from '../testing/postgres.ts';
import { createConflictCheck } from '../testing/races.ts';
import { insertSamplePool, sampleLogin, sampleUser } from '../testing/sample-records.ts';
import { logStatements, type StatementLog } from '../testing/statement-log.ts';
import { openPostgres } from './open-postgres.ts';

const insertLock = defineStatement((db, p: Placeholders<{ name: string }>) =>
  db.insertInto('locks').values({ name: p.name, expires_at_ms: 1 }),
);
const selectLock = defineStatement((db, p: Placeholders<{ name: string }>) =>
  db.selectFrom('locks').select('name').where('name', '=', p.name),
);
const selectExpiry = defineStatement((db, p: Placeholders<{ name: string }>) =>
  db.selectFrom('locks').select('expires_at_ms as expiresAtMs').where('name', '=', p.name),
);
const extendLock = (db: Parameters<typeof insertLock.build>[0], p: Placeholders<{ name: string }>) =>
  db
    .updateTable('locks')
    .set({ expires_at_ms: 2 })
    .where('name', '=', p.name)
    .where('expires_at_ms', '=', 1)
    .returning('name');
const mustExtendLock = defineChange(extendLock);
const tryToExtendLock = defineStatement(extendLock);
const divide = defineStatement((db, p: Placeholders<{ by: number }>) =>
  db.selectNoFrom(sql<number>`1 / cast(${p.by} as int)`.as('share')),
);

/** Whether the server did to this connection what the function's name says. */
const defineOwnEnd = (name: string) =>
  defineStatement((db, _p: Placeholders<object>) =>
    db.selectNoFrom(sql<boolean>`${sql.raw(name)}(pg_backend_pid())`.as('isDone')),
  );
const cancelItself = defineOwnEnd('pg_cancel_backend');
const endConnection = defineOwnEnd('pg_terminate_backend');

const DIVISION_BY_ZERO = { name: 'StoreFault', reason: '22012' };

/** The server's reports for the statements of each round trip. */
const reports = (log: StatementLog) => log.take().map((trip) => trip.map((each) => each.split(' -> ').at(-1)));

describe('statements that are issued in one turn', () => {
  let migrated: TestDatabase;
  let log: StatementLog;
  let store: Store;
  let database: Database;

  before(async () => {
    migrated = await createMigratedDatabase();
    log = await logStatements(migrated.url);
    store = await openStore(log.url);
    const target = parseDatabaseUrl(log.url);
    assert.equal(target.kind, 'postgres');
    database = openPostgres(target.servers, Math.random);
    await insertSamplePool(store.poolStore, 'p', 'u');
    log.take();
  });
  after(async () => {
    await database?.close();
    await store?.close();
    await log?.close();
    await migrated?.drop();
  });

  const isThere = async (name: string) => (await database.reads.run(selectLock, { name })).rows.length === 1;

  it('begin and end their transaction in their own round trips', async () => {
    const found = await database.write(async (writer) => {
      const [first, second] = await Promise.all([
        writer.run(selectLock, { name: 'a' }),
        writer.run(insertLock, { name: 'a' }),
      ]);
      const third = await writer.run(selectLock, { name: 'a' });
      void writer.enqueue(insertLock, { name: 'b' });
      void writer.enqueue(insertLock, { name: 'c' });
      return [first.rows, second.changes, third.rows];
    });
    assert.deepEqual(found, [[], 1, [{ name: 'a' }]]);
    assert.deepEqual(reports(log), [
      ['BEGIN', 'SELECT 1', 'SELECT 0', 'INSERT 0 1'],
      ['SELECT 1'],
      ['INSERT 0 1', 'INSERT 0 1', 'COMMIT'],
    ]);
    assert.deepEqual(await Promise.all(['a', 'b', 'c'].map(isThere)), [true, true, true]);
    assert.deepEqual(reports(log), [['SELECT 1', 'SELECT 1', 'SELECT 1']]);
  });

  it('are a complete transaction in a write that issues all of them at once, which accepts no later ones', async () => {
    const isIssuedAtOnce = true;
    const found = await database.write(
      async (writer) => {
        void writer.enqueue(insertLock, { name: 'at once' });
        return (await writer.run(selectLock, { name: 'at once' })).rows;
      },
      { isIssuedAtOnce },
    );
    assert.deepEqual(found, [{ name: 'at once' }]);
    await database.write(async (writer) => void writer.enqueue(insertLock, { name: 'alone' }), { isIssuedAtOnce });
    assert.deepEqual(reports(log), [['INSERT 0 1', 'SELECT 1'], ['INSERT 0 1']]);
    assert.deepEqual(await Promise.all(['at once', 'alone'].map(isThere)), [true, true]);
    const late = async (writer: Writer) => {
      await writer.run(selectLock, { name: 'late' });
      await writer.run(insertLock, { name: 'late' });
    };
    await assert.rejects(database.write(late, { isIssuedAtOnce }), { name: 'TypeError', message: /in one turn/ });
    assert.equal(await isThere('late'), false);
    assert.equal(await database.write(async () => 7, { isIssuedAtOnce }), 7);
  });

  it('commit nothing if one of them fails', async () => {
    const isIssuedAtOnce = true;
    const awaited = (writer: Writer) =>
      Promise.all([writer.run(insertLock, { name: 'undone' }), writer.run(divide, { by: 0 })]);
    await assert.rejects(database.write(awaited, { isIssuedAtOnce }), DIVISION_BY_ZERO);
    const enqueued = async (writer: Writer) => {
      void writer.enqueue(divide, { by: 0 });
      await writer.run(insertLock, { name: 'undone' }).catch(() => {});
    };
    await assert.rejects(database.write(enqueued, { isIssuedAtOnce }), DIVISION_BY_ZERO);
    await assert.rejects(
      database.write(async (writer) => void writer.enqueue(divide, { by: 0 }), { isIssuedAtOnce }),
      DIVISION_BY_ZERO,
    );
    assert.equal(await isThere('undone'), false);
    log.take();
  });

  it('that must change a row fail their write if another one was faster, and the write is retried', async () => {
    const name = 'raced';
    await database.writes.run(insertLock, { name });
    let runs = 0;
    const extend = () =>
      database.write(async (writer) => {
        runs += 1;
        const [lock] = (await writer.run(selectExpiry, { name })).rows;
        if (lock?.expiresAtMs !== 1) return 'too late';
        if (runs === 1) await database.writes.run(tryToExtendLock, { name });
        void writer.enqueue(insertLock, { name: 'with the change' });
        void writer.enqueueChange(mustExtendLock, { name });
        return 'extended';
      });
    assert.deepEqual([await extend(), runs], ['too late', 2]);
    assert.equal(await isThere('with the change'), false);
    log.take();
  });

  it('are none in a write that does nothing', async () => {
    assert.equal(await database.write(async () => 7), 7);
    assert.deepEqual(reports(log), []);
  });

  it('fail from the first failure on, each with its cause, and nothing of their write stays', async () => {
    const failed = database.write((writer) =>
      Promise.allSettled([
        writer.run(insertLock, { name: 'undone' }),
        writer.run(divide, { by: 0 }),
        writer.run(insertLock, { name: 'skipped' }),
      ]).then(async (outcomes) => {
        assert.deepEqual(
          outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.reason : outcome.value.changes)),
          [1, '22012', '22012'],
        );
        await assert.rejects(writer.run(insertLock, { name: 'later' }), DIVISION_BY_ZERO);
      }),
    );
    await assert.rejects(failed, DIVISION_BY_ZERO);
    assert.deepEqual(reports(log), [['BEGIN', 'SELECT 1', 'INSERT 0 1', 'ERROR', 'SKIPPED'], ['ROLLBACK']]);
    for (const name of ['undone', 'skipped', 'later']) assert.equal(await isThere(name), false, name);
  });

  it('fail the write if they are not awaited, at the commit or before it', async () => {
    const twice = { ...sampleLogin('p', 'u', 'twice') };
    const before = store.poolStore.write(async ({ logins, users }) => {
      await logins.insert(twice);
      await logins.insert(twice);
      await users.byUsername('p', 'u').catch(() => undefined);
    });
    await assert.rejects(before, createConflictCheck('logins'));
    const withCommit = store.poolStore.write(async ({ logins }) => {
      await logins.insert(twice);
      await logins.insert(twice);
    });
    await assert.rejects(withCommit, createConflictCheck('logins'));
    assert.equal(await store.poolStore.logins.byId('twice'), undefined);
  });

  it('are refused once their write has ended, and never run late', async () => {
    let kept: Writer | undefined;
    await database.write(async (writer) => {
      kept = writer;
      await writer.run(insertLock, { name: 'in time' });
      // Continues while the commit is in progress.
      void Promise.resolve().then(() => writer.enqueue(insertLock, { name: 'last' }));
    });
    await assert.rejects(async () => kept?.run(insertLock, { name: 'late' }), TypeError);
    const failed = database.write(async (writer) => {
      kept = writer;
      writer.run(insertLock, { name: 'dropped' }).catch(() => {});
      throw new RangeError('given up');
    });
    await assert.rejects(failed, { name: 'RangeError' });
    await assert.rejects(async () => kept?.run(insertLock, { name: 'late' }), TypeError);
    for (const name of ['late', 'dropped']) assert.equal(await isThere(name), false, name);
    assert.equal(await isThere('in time'), true);
  });

  it('share a round trip outside a write too, where a failing one affects no other', async () => {
    log.take();
    const outcomes = await Promise.allSettled([
      database.reads.run(selectLock, { name: 'a' }),
      database.reads.run(divide, { by: 0 }),
      database.reads.run(divide, { by: 1 }),
      database.reads.run(selectLock, { name: 'nowhere' }),
    ]);
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.reason : outcome.value.rows)),
      [[{ name: 'a' }], '22012', [{ share: 1 }], []],
    );
    assert.deepEqual(reports(log), [
      ['SELECT 1', 'ERROR', 'SKIPPED', 'SKIPPED'],
      ['SELECT 1', 'SELECT 0'],
    ]);
  });

  it('wait at most once for a canceled one, because none waits for another one', async () => {
    log.take();
    const outcomes = await Promise.allSettled([
      database.reads.run(cancelItself, {}),
      database.reads.run(cancelItself, {}),
      database.reads.run(selectLock, { name: 'a' }),
    ]);
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.cause.code : outcome.value.rows)),
      ['57014', '57014', [{ name: 'a' }]],
    );
    const [together, ...alone] = reports(log);
    assert.deepEqual(together, ['ERROR', 'SKIPPED', 'SKIPPED']);
    assert.deepEqual(new Set(alone.flat()), new Set(['ERROR', 'SELECT 1']));
    assert.equal(alone.length, 2);
  });

  it('run on another connection if the server closes theirs', async () => {
    const outcomes = await Promise.allSettled([
      database.reads.run(selectLock, { name: 'a' }),
      database.reads.run(endConnection, {}),
      database.reads.run(selectLock, { name: 'a' }),
      database.reads.run(selectLock, { name: 'nowhere' }),
    ]);
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.cause.code : outcome.value.rows)),
      [[{ name: 'a' }], '57P01', [{ name: 'a' }], []],
    );
    await assert.rejects(database.writes.run(endConnection, {}), { name: 'StoreUnavailable' });
    assert.equal(await isThere('a'), true, 'the next one gets no connection that is about to end');
  });

  it('that write outside a write are separate transactions', async () => {
    const outcomes = await Promise.allSettled([
      database.writes.run(insertLock, { name: 'single' }),
      database.writes.run(insertLock, { name: 'single' }),
    ]);
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.equal(await isThere('single'), true);
  });

  it('return their results to their callers, for any number', async () => {
    const users = Array.from({ length: 100 }, (_, index) => `user ${index}`);
    await store.poolStore.write(async (transaction) => {
      for (const username of users) await transaction.users.insert(sampleUser('p', username), []);
    });
    const found = await Promise.all(users.map((username) => store.poolStore.users.byUsername('p', username)));
    assert.deepEqual(
      found.map((user) => user?.username),
      users,
    );
  });
});
