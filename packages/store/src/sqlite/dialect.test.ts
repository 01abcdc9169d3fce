import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { Kysely, sql } from 'kysely';
import { NodeSqliteConnection, nodeSqliteDialect, TransactionControl } from './dialect.ts';
import { FifoLock } from './fifo-lock.ts';

test('whoever cannot have the connection keeps nobody else from it', async () => {
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
  const kysely = new Kysely({ dialect: nodeSqliteDialect({ connection, control: new FailingOnce(database), lock }) });
  await assert.rejects(sql`select 1`.execute(kysely), /disk I\/O error/);
  isFailing = false;
  assert.equal(lock.isFree, true);
  assert.equal((await sql<{ one: number }>`select 1 as one`.execute(kysely)).rows[0]?.one, 1);
  await kysely.destroy();
  database.close();
});
