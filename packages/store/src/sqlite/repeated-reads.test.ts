import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Placeholders } from '../sql/placeholder.ts';
import { defineChange, defineStatement } from '../sql/statement.ts';
import { openSqlite } from './open-sqlite.ts';
import { NodeSqliteConnection } from './sqlite-dialect.ts';

const selectLock = defineStatement((db, p: Placeholders<{ name: string }>) =>
  db.selectFrom('locks').select('expires_at_ms as expiresAtMs').where('name', '=', p.name),
);
const insertLock = defineStatement((db, p: Placeholders<{ name: string; expiresAtMs: number }>) =>
  db.insertInto('locks').values({ name: p.name, expires_at_ms: p.expiresAtMs }),
);
const moveLock = defineStatement((db, p: Placeholders<{ name: string; expiresAtMs: number }>) =>
  db.updateTable('locks').set({ expires_at_ms: p.expiresAtMs }).where('name', '=', p.name),
);
const changeLock = defineChange((db, p: Placeholders<{ name: string; expiresAtMs: number }>) =>
  db.updateTable('locks').set({ expires_at_ms: p.expiresAtMs }).where('name', '=', p.name).returning('name'),
);

/** An open database with one lock, and a count of the statements that SQLite ran since the last call. */
async function openWithLock(context: TestContext) {
  const database = openSqlite(undefined);
  context.after(() => database.close());
  await database.withSchema(async ({ kysely }) => {
    const table = kysely.schema.createTable('locks').addColumn('name', 'text');
    await table.addColumn('expires_at_ms', 'integer').execute();
  });
  await database.writes.run(insertLock, { name: 'a', expiresAtMs: 1 });
  const { mock } = context.mock.method(NodeSqliteConnection.prototype, 'execute');
  const countStatements = () => {
    const count = mock.callCount();
    mock.resetCalls();
    return count;
  };
  return { database, countStatements };
}

describe('a read that a write repeats', () => {
  it('runs once', async (context) => {
    const { database, countStatements } = await openWithLock(context);
    await database.write(async (writer) => {
      const first = await writer.run(selectLock, { name: 'a' });
      assert.deepEqual(first.rows, [{ expiresAtMs: 1 }]);
      assert.deepEqual((await writer.run(selectLock, { name: 'b' })).rows, []);
      assert.deepEqual((await writer.run(selectLock, { name: 'a' })).rows, first.rows);
      assert.deepEqual((await writer.run(selectLock, { name: 'b' })).rows, []);
      assert.equal(countStatements(), 2);
    });
  });

  it('runs again after each kind of change', async (context) => {
    const { database } = await openWithLock(context);
    await database.write(async (writer) => {
      const read = async () => (await writer.run(selectLock, { name: 'a' })).rows.map((row) => row.expiresAtMs);
      assert.deepEqual(await read(), [1]);
      await writer.run(moveLock, { name: 'a', expiresAtMs: 2 });
      assert.deepEqual(await read(), [2]);
      void writer.enqueue(insertLock, { name: 'a', expiresAtMs: 3 });
      assert.deepEqual(await read(), [2, 3]);
      await writer.enqueueChange(changeLock, { name: 'a', expiresAtMs: 4 });
      assert.deepEqual(await read(), [4, 4]);
    });
  });

  it('runs again in the next write, and outside of one', async (context) => {
    const { database, countStatements } = await openWithLock(context);
    const readOnce = () => database.write((writer) => writer.run(selectLock, { name: 'a' }));
    await readOnce();
    await readOnce();
    assert.equal(countStatements(), 2);
    await database.reads.run(selectLock, { name: 'a' });
    await database.reads.run(selectLock, { name: 'a' });
    assert.equal(countStatements(), 2);
  });

  it('runs again once eight others were read after it', async (context) => {
    const { database, countStatements } = await openWithLock(context);
    await database.write(async (writer) => {
      const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
      for (const name of [...names, ...names]) await writer.run(selectLock, { name });
      assert.equal(countStatements(), 8);
      for (const name of ['i', 'a', 'i']) await writer.run(selectLock, { name });
      assert.equal(countStatements(), 2);
    });
  });
});
