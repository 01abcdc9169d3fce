import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { FifoLock } from './fifo-lock.ts';
import { GroupCommit } from './group-commit.ts';
import { createNodeSqliteDialect, NodeSqliteConnection, TransactionControl } from './sqlite-dialect.ts';

/** A transaction control that records what happens, on a real database in memory. */
class Observed extends TransactionControl {
  readonly log: string[] = [];
  /** How each commit waited for the disk. */
  readonly waits: unknown[] = [];
  /** The number of rows at each commit. */
  readonly sizes: unknown[] = [];
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    super(database);
    this.#database = database;
  }

  get synchronous(): unknown {
    return this.#database.prepare('pragma synchronous').get()?.synchronous;
  }

  override begin(isHasty: boolean): void {
    this.log.push('begin');
    super.begin(isHasty);
  }

  override commit(): void {
    this.waits.push(this.synchronous);
    this.sizes.push(this.#database.prepare('select count(*) as size from marks').get()?.size);
    super.commit();
    this.log.push('commit');
  }

  override savepoint(): void {
    this.log.push('savepoint');
    super.savepoint();
  }

  override release(): void {
    this.log.push('release');
    super.release();
  }

  override undoToSavepoint(): void {
    this.log.push('undo');
    super.undoToSavepoint();
  }
}

function setUp(path = ':memory:') {
  const database = new DatabaseSync(path);
  database.exec('pragma synchronous = full; create table if not exists marks (mark text primary key) strict');
  const control = new Observed(database);
  const group = new GroupCommit<DatabaseSync>({
    control,
    withConnection: (work) => work(database),
    translate: (error) => (error instanceof Error ? error : new Error('unknown')),
  });
  const mark = (text: string) => (connection: DatabaseSync) =>
    Promise.resolve(connection.prepare('insert into marks values (?)').run(text).changes);
  const marks = () =>
    database
      .prepare('select mark from marks order by mark')
      .all()
      .map((row) => row.mark);
  return { database, control, group, mark, marks };
}

describe('group commit', () => {
  it('writes all operations of a turn in one transaction and settles them after its commit', async () => {
    const { control, group, mark, marks } = setUp();
    const settled = ['a', 'b', 'c'].map(async (text) => {
      await group.submit(mark(text), 'transaction');
      control.log.push(`settled ${text}`);
    });
    await Promise.all(settled);
    assert.deepEqual(control.log, ['begin', 'commit', 'settled a', 'settled b', 'settled c']);
    assert.deepEqual(marks(), ['a', 'b', 'c']);
  });

  it('waits for the writes of further turns while each turn brings one', async () => {
    const { control, group, mark, marks } = setUp();
    const settled: Promise<unknown>[] = [];
    for (const text of ['a', 'b', 'c']) {
      // Scheduled before the group's own, so that the next write arrives within its turn.
      const turn = new Promise(setImmediate);
      settled.push(group.submit(mark(text), 'statement'));
      await turn;
    }
    await Promise.all(settled);
    assert.deepEqual(control.log, ['begin', 'commit']);
    assert.deepEqual(marks(), ['a', 'b', 'c']);
  });

  it('closes a group that is large enough, however many writes keep arriving', async () => {
    const { control, group, mark, marks } = setUp();
    let isSettled = false;
    const first = group.submit(mark('first'), 'statement').then(() => {
      isSettled = true;
    });
    const others: Promise<unknown>[] = [];
    while (!isSettled) {
      const turn = new Promise(setImmediate);
      others.push(group.submit(mark(`other ${others.length}`), 'statement'));
      await turn;
    }
    await Promise.all([first, ...others]);
    assert.deepEqual(control.log.slice(0, 2), ['begin', 'commit']);
    assert.equal(control.sizes[0], 4);
    assert.equal(marks().length, others.length + 1);
  });

  it('runs the group again if an operation must be undone alone, and settles none before', async () => {
    const { control, group, mark, marks } = setUp();
    let isSettled = false;
    const runs: boolean[] = [];
    const outcomes = await Promise.allSettled([
      group
        .submit(async (connection) => {
          runs.push(isSettled);
          await mark('a')(connection);
        }, 'transaction')
        .then(() => {
          isSettled = true;
        }),
      group.submit(mark('a'), 'transaction'),
      group.submit(mark('b'), 'statement'),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(runs, [false, false]);
    assert.deepEqual(control.log, ['begin', 'begin', 'savepoint', 'release', 'savepoint', 'undo', 'commit']);
    assert.deepEqual(marks(), ['a', 'b']);
  });

  it('runs a group once if only single statements fail', async () => {
    const { control, group, mark, marks } = setUp();
    const outcomes = await Promise.allSettled([
      group.submit(mark('a'), 'transaction'),
      group.submit(mark('a'), 'statement'),
      group.submit(mark('a'), 'briefStatement'),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected'],
    );
    assert.deepEqual(control.log, ['begin', 'commit']);
    assert.deepEqual(marks(), ['a']);
  });

  it('undoes only a failing operation', async () => {
    const { group, mark, marks } = setUp();
    const failure = new Error('no');
    const outcomes = await Promise.allSettled([
      group.submit(mark('a'), 'transaction'),
      group.submit(async (connection) => {
        await mark('undone')(connection);
        throw failure;
      }, 'transaction'),
      group.submit(mark('a'), 'statement'),
      group.submit(mark('b'), 'statement'),
    ]);
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status),
      ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
    );
    assert.equal(outcomes[1].status === 'rejected' && outcomes[1].reason, failure);
    assert.deepEqual(marks(), ['a', 'b']);
  });

  it('rejects every operation of a group that could not be committed, and continues with the next', async () => {
    const { database, group, mark, marks } = setUp();
    database.exec(
      'create table parents (id text primary key) strict;' +
        'create table children (id text references parents deferrable initially deferred) strict',
    );
    const orphan = async (connection: DatabaseSync) => connection.exec("insert into children values ('nobody')");
    const outcomes = await Promise.allSettled([
      group.submit(mark('a'), 'transaction'),
      group.submit(orphan, 'statement'),
    ]);
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status),
      ['rejected', 'rejected'],
    );
    await group.submit(mark('b'), 'transaction');
    assert.deepEqual(marks(), ['b']);
  });

  it('rejects the one operation for which SQLite ended the transaction of all, and writes the others', async () => {
    const { group, mark, marks } = setUp();
    const outcomes = await Promise.allSettled([
      group.submit(mark('a'), 'transaction'),
      group.submit(async (connection) => {
        connection.exec('rollback');
        throw new Error('disk full');
      }, 'statement'),
      group.submit(mark('b'), 'transaction'),
    ]);
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.match(String(outcomes[1].status === 'rejected' && outcomes[1].reason), /disk full/);
    assert.deepEqual(marks(), ['a', 'b']);
  });

  it('also writes the other of two if one ended the transaction of both', async () => {
    const { group, mark, marks } = setUp();
    const lost = group.submit(async (connection) => {
      connection.exec('rollback');
      throw new Error('disk full');
    }, 'transaction');
    const other = group.submit(mark('a'), 'transaction');
    await assert.rejects(lost, /disk full/);
    await other;
    assert.deepEqual(marks(), ['a']);
  });

  it('writes 512 at once, and the others after them', async () => {
    const { control, group, mark } = setUp();
    await Promise.all(Array.from({ length: 513 }, (_, index) => group.submit(mark(`${index}`), 'statement')));
    assert.deepEqual(control.sizes, [512, 513]);
  });

  it('rejects the writes when the disk is full, and accepts the next ones', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'poolgate-full-'));
    const { database, group, mark, marks } = setUp(join(folder, 'full.db'));
    const { page_count: pages } = database.prepare('pragma page_count').get() ?? {};
    database.exec(`pragma max_page_count = ${Number(pages) + 2}`);
    const outcomes = await Promise.allSettled([
      group.submit(mark('small'), 'transaction'),
      group.submit(mark('x'.repeat(100_000)), 'transaction'),
    ]);
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status),
      ['fulfilled', 'rejected'],
    );
    await group.submit(mark('next'), 'transaction');
    assert.deepEqual(marks(), ['next', 'small']);
    database.close();
    await rm(folder, { recursive: true });
  });

  it('finishes what was submitted before it closes, and accepts nothing after', async () => {
    const { group, mark, marks } = setUp();
    const last = group.submit(mark('last'), 'transaction');
    await group.close();
    assert.deepEqual(marks(), ['last']);
    await last;
    await assert.rejects(group.submit(mark('late'), 'transaction'), { name: 'StoreUnavailable' });
    assert.deepEqual(marks(), ['last']);
  });

  it('accepts the writes that are submitted while a group runs', async () => {
    const { control, group, mark, marks } = setUp();
    let inner: Promise<unknown> | undefined;
    await group.submit(async (connection) => {
      inner = group.submit(mark('second'), 'statement');
      await mark('first')(connection);
    }, 'transaction');
    await inner;
    assert.deepEqual(control.log, ['begin', 'commit', 'begin', 'commit']);
    assert.deepEqual(marks(), ['first', 'second']);
  });
});

describe('a write that need not wait for the disk', () => {
  const NORMAL = 1;
  const FULL = 2;

  it('does not wait, alone and with others of its kind', async () => {
    const { control, group, mark } = setUp();
    await group.submit(mark('alone'), 'briefStatement');
    await Promise.all([group.submit(mark('a'), 'briefStatement'), group.submit(mark('b'), 'briefStatement')]);
    assert.deepEqual(control.waits, [NORMAL, NORMAL]);
  });

  it('waits if any other is written with it, and never makes a later one wait', async () => {
    const { control, group, mark } = setUp();
    await Promise.all([group.submit(mark('a'), 'briefStatement'), group.submit(mark('b'), 'transaction')]);
    await group.submit(mark('c'), 'briefStatement');
    await group.submit(mark('d'), 'statement');
    await group.submit(mark('e'), 'briefStatement');
    await Promise.all([group.submit(mark('f'), 'statement'), group.submit(mark('g'), 'briefStatement')]);
    assert.deepEqual(control.waits, [FULL, NORMAL, FULL, NORMAL, FULL]);
  });

  it('never makes a later one wait if it fails', async () => {
    const { control, group, mark } = setUp();
    await group.submit(mark('a'), 'briefStatement');
    await assert.rejects(group.submit(mark('a'), 'briefStatement'));
    await group.submit(mark('b'), 'transaction');
    assert.deepEqual(control.waits, [NORMAL, NORMAL, FULL]);
  });

  it('leaves the waiting to other users of the connection', async () => {
    const { database, control, group, mark } = setUp();
    await group.submit(mark('a'), 'briefStatement');
    assert.equal(control.synchronous, NORMAL);
    const connection = new NodeSqliteConnection(database);
    const driver = createNodeSqliteDialect({ connection, control, lock: new FifoLock() }).createDriver();
    const acquired = await driver.acquireConnection();
    assert.equal(control.synchronous, FULL);
    await driver.releaseConnection(acquired);
  });
});
