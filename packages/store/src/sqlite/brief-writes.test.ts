import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { NodeSqliteConnection, nodeSqliteDialect, TransactionControl } from './dialect.ts';
import { GroupCommit, type OperationKind } from './group-commit.ts';
import { Turns } from './turns.ts';

const NORMAL = 1;
const FULL = 2;

/** A control that notes how each commit waits. */
class Watched extends TransactionControl {
  readonly waits: unknown[] = [];
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    super(database);
    this.#database = database;
  }

  get synchronous(): unknown {
    return this.#database.prepare('pragma synchronous').get()?.synchronous;
  }

  override commit(): void {
    this.waits.push(this.synchronous);
    super.commit();
  }
}

function setUp() {
  const database = new DatabaseSync(':memory:');
  database.exec('pragma synchronous = full; create table marks (mark text primary key) strict');
  const control = new Watched(database);
  const group = new GroupCommit<DatabaseSync>({
    control,
    withConnection: (work) => work(database),
    translate: (error) => (error instanceof Error ? error : new Error('unknown')),
  });
  const mark = (text: string, kind: OperationKind) =>
    group.submit(async (connection) => connection.prepare('insert into marks values (?)').run(text), kind);
  return { database, control, mark };
}

describe('a write that need not wait for the disk', () => {
  it('does not, alone and with others of its kind', async () => {
    const { control, mark } = setUp();
    await mark('alone', 'briefStatement');
    await Promise.all([mark('a', 'briefStatement'), mark('b', 'briefStatement')]);
    assert.deepEqual(control.waits, [NORMAL, NORMAL]);
  });

  it('does where any other is written with it, and never keeps a later one from waiting', async () => {
    const { control, mark } = setUp();
    await Promise.all([mark('a', 'briefStatement'), mark('b', 'transaction')]);
    await mark('c', 'briefStatement');
    await mark('d', 'statement');
    await mark('e', 'briefStatement');
    await Promise.all([mark('f', 'statement'), mark('g', 'briefStatement')]);
    assert.deepEqual(control.waits, [FULL, NORMAL, FULL, NORMAL, FULL]);
  });

  it('never keeps a later one from waiting where it fails', async () => {
    const { control, mark } = setUp();
    await mark('a', 'briefStatement');
    await assert.rejects(mark('a', 'briefStatement'));
    await mark('b', 'transaction');
    assert.deepEqual(control.waits, [NORMAL, NORMAL, FULL]);
  });

  it('leaves whoever has the connection otherwise to wait', async () => {
    const { database, control, mark } = setUp();
    await mark('a', 'briefStatement');
    assert.equal(control.synchronous, NORMAL);
    const driver = nodeSqliteDialect({
      connection: new NodeSqliteConnection(database),
      control,
      turns: new Turns(),
    }).createDriver();
    const connection = await driver.acquireConnection();
    assert.equal(control.synchronous, FULL);
    await driver.releaseConnection(connection);
  });
});
