import assert from 'node:assert/strict';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { CompiledQuery, Kysely, sql } from 'kysely';
import { FifoLock } from './fifo-lock.ts';
import { createNodeSqliteDialect, NodeSqliteConnection, TransactionControl } from './sqlite-dialect.ts';

test('a caller who cannot get the connection does not block others', async () => {
  const database = new DatabaseSync(':memory:');
  const lock = new FifoLock();
  let isFailing = true;
  class FailingOnce extends TransactionControl {
    override deferSync(isHasty: boolean): void {
      if (isFailing) throw new Error('disk I/O error');
      super.deferSync(isHasty);
    }
  }
  const connection = new NodeSqliteConnection(database);
  const kysely = new Kysely({
    dialect: createNodeSqliteDialect({ connection, control: new FailingOnce(database), lock }),
  });
  await assert.rejects(sql`select 1`.execute(kysely), /disk I\/O error/);
  isFailing = false;
  assert.equal(lock.isFree, true);
  assert.equal((await sql<{ one: number }>`select 1 as one`.execute(kysely)).rows[0]?.one, 1);
  await kysely.destroy();
  database.close();
});

/** A connection in memory, and how often each statement was prepared on it. */
function connected(context: TestContext) {
  const database = new DatabaseSync(':memory:');
  context.after(() => database.close());
  const { mock } = context.mock.method(database, 'prepare');
  const connection = new NodeSqliteConnection(database);
  const execute = (text: string) => connection.execute(CompiledQuery.raw(text));
  return { database, execute, prepared: () => mock.callCount() };
}

test('a statement is prepared once, up to five hundred', (context) => {
  const { execute, prepared } = connected(context);
  for (let index = 0; index < 500; index += 1) execute(`select ${index}`);
  execute('select 0');
  assert.equal(prepared(), 500);
  execute('select 500');
  execute('select 0');
  assert.equal(prepared(), 502, 'those that are too many make room');
});

/** Statements with their rows, and with the number of changed rows for those that return none. */
const OUTCOMES = [
  ['create table marks (mark integer)', [], 0],
  ['insert into marks values (1), (2), (3)', [], 3],
  ['insert into marks values (4) returning mark as back', [{ back: 4 }], 0],
  ['select mark from marks where mark > 2 order by mark', [{ mark: 3 }, { mark: 4 }], 0],
  [' VALUES (5)', [{ column1: 5 }], 0],
  ['pragma user_version', [{ user_version: 0 }], 0],
  ['with some (mark) as (select 6) select * from some', [{ mark: 6 }], 0],
  ['with some (mark) as (select 7) insert into marks select mark from some', [], 1],
  ['with some (mark) as (select 7) update marks set mark = 8 where mark in some', [], 1],
  ['with some (mark) as (select 8) delete from marks where mark in some', [], 1],
  ['update marks set mark = mark + 1', [], 4],
  ['delete from marks', [], 4],
] as const;

test('a statement returns its rows, or the number of changed ones', (context) => {
  const { execute } = connected(context);
  for (const [text, rows, changes] of OUTCOMES) assert.deepEqual(execute(text), { rows, changes }, text);
});

/** Like Node before 22.16: no rows as arrays, and no transaction state. */
function asBefore(database: DatabaseSync): DatabaseSync {
  const prepare = (text: string) => {
    const statement = database.prepare(text);
    return {
      all: (...values: SQLInputValue[]) => statement.all(...values),
      run: (...values: SQLInputValue[]) => statement.run(...values),
    };
  };
  return { prepare, exec: (text: string) => database.exec(text) } as unknown as DatabaseSync;
}

test('a statement works the same on a Node version that cannot report whether it returns rows', () => {
  const database = new DatabaseSync(':memory:');
  const connection = new NodeSqliteConnection(asBefore(database));
  for (const [text, rows, changes] of OUTCOMES) {
    assert.deepEqual(connection.execute(CompiledQuery.raw(text)), { rows, changes }, text);
  }
  const [step] = connection.execute<{ detail: string }>(CompiledQuery.raw('explain query plan select 1')).rows;
  assert.equal(step?.detail, 'SCAN CONSTANT ROW');
  database.close();
});

test('a transaction is detected as open, also on a Node version that cannot report it', () => {
  for (const as of [(same: DatabaseSync) => same, asBefore]) {
    const database = new DatabaseSync(':memory:');
    const control = new TransactionControl(as(database));
    assert.equal(control.isOpen, false);
    assert.equal(database.isTransaction, false, 'nothing is left of the question');
    control.begin();
    assert.equal(control.isOpen, true);
    control.rollback();
    assert.equal(control.isOpen, false);
    control.rollback();
    database.close();
  }
});

test('the database is told how commits wait when that changes', (context) => {
  const { database } = connected(context);
  const control = new TransactionControl(database);
  const { mock } = context.mock.method(database, 'exec');
  for (const isHasty of [false, false, true, true, false]) control.deferSync(isHasty);
  assert.deepEqual(
    mock.calls.map(({ arguments: [text] }) => text),
    ['pragma synchronous = normal', 'pragma synchronous = full'],
  );
});
