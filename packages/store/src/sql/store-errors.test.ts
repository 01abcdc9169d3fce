import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isRetryableError, translatePostgresError } from '../postgres/postgres-errors.ts';
import { openSqlite } from '../sqlite/open-sqlite.ts';
import { translateFileError, translateSqliteError } from '../sqlite/sqlite-errors.ts';
import { countRefusedWrites } from './refused-writes.ts';
import { ConflictError, StoreFault, StoreRefused, StoreUnavailable } from './store-errors.ts';
import { runAllThenThrow } from './sweep.ts';

const told = (error: Error): readonly unknown[] => [
  error.name,
  error.message,
  'mayLackRoom' in error && error.mayLackRoom,
];
const unavailable = (reason: string, mayLackRoom = false) => [
  'StoreUnavailable',
  `the store is unavailable: ${reason}`,
  mayLackRoom,
];
const fault = (reason: string) => ['StoreFault', `the store refused a statement (${reason})`, false];
const conflict = (key: string) => ['ConflictError', `a unique key of ${key} is taken`, false];
const DAMAGED = ['StoreRefused', 'the database file is damaged or is not a database', false];

describe('errors of a store', () => {
  it('have a code, and keep their cause', () => {
    const cause = new Error('cause');
    const conflicting = new ConflictError('users');
    assert.deepEqual([conflicting.code, conflicting.key], ['store_conflict', 'users']);
    const missing = new StoreUnavailable('why', { cause });
    assert.deepEqual([missing.code, missing.cause, missing.mayLackRoom], ['store_unavailable', cause, false]);
    const refused = new StoreRefused('store_newer', 'why', { cause });
    assert.deepEqual([refused.code, refused.message, refused.cause], ['store_newer', 'why', cause]);
    const faulty = new StoreFault('foreign_key', { cause });
    assert.deepEqual([faulty.code, faulty.reason, faulty.cause], ['store_fault', 'foreign_key', cause]);
  });
});

describe('errors of PostgreSQL', () => {
  const ofServer = (code: unknown, more: object = {}): Error =>
    Object.assign(new Error('row (private)'), { severity: 'ERROR', detail: 'Key (private)', code, ...more });

  it('mean the same in every release, by their states or the classes of these', () => {
    for (const [code, expected] of Object.entries({
      '23505': conflict('users'),
      '23503': fault('foreign_key'),
      '23502': fault('23502'),
      '08006': unavailable('the connection failed'),
      '25006': unavailable('this server is read-only'),
      '25P02': fault('25P02'),
      '28P01': unavailable('the server refused the login'),
      '3D000': unavailable('the database does not exist'),
      '40001': unavailable('concurrent writes kept colliding'),
      '53100': unavailable('the server lacks resources', true),
      '53300': unavailable('the server lacks resources'),
      '55P03': unavailable('a lock was not free in time'),
      '55006': fault('55006'),
      '57014': unavailable('the server canceled the statement or is shutting down'),
      '58030': unavailable('the server reported a system error'),
      XX000: unavailable('the server reported an internal error'),
      '42P01': fault('42P01'),
    })) {
      assert.deepEqual(told(translatePostgresError(ofServer(code, { table: 'users' }))), expected, code);
    }
    assert.deepEqual(told(translatePostgresError(ofServer('23505'))), conflict('unknown'));
  });

  it('keep the state and the table, and no values that a server quotes', () => {
    const { cause } = translatePostgresError(ofServer('40001', { table: 'users' }));
    assert.ok(cause instanceof Error);
    assert.deepEqual([cause.message, { ...cause }], ['SQLSTATE 40001', { code: '40001', table: 'users' }]);
  });

  it('are a lost connection if no server reported them, except for programming errors', () => {
    const lost = unavailable('no connection to the server');
    const severe = Object.assign(new Error('x'), { severity: 'ERROR' });
    const coded = Object.assign(new Error('x'), { code: '23505' });
    const numbered = ofServer(23505);
    for (const error of [new Error('x'), severe, coded, numbered, { severity: 'ERROR', code: '23505' }, 'x']) {
      const translated = translatePostgresError(error);
      assert.deepEqual([...told(translated), translated.cause], [...lost, error]);
    }
    for (const error of [new TypeError('x'), new RangeError('x')]) assert.equal(translatePostgresError(error), error);
  });

  it('are retried only after a collision', () => {
    for (const code of ['40001', '40P01', '55P03'])
      assert.equal(isRetryableError(translatePostgresError(ofServer(code))), true);
    for (const code of ['40002', '53100', '57014', '23505', '42P01']) {
      assert.equal(isRetryableError(translatePostgresError(ofServer(code))), false, code);
    }
    const others = [
      new StoreUnavailable('closed'),
      translatePostgresError(new Error('x')),
      ofServer('40001'),
      undefined,
    ];
    for (const error of others) assert.equal(isRetryableError(error), false);
  });
});

describe('errors of SQLite', () => {
  const ofSqlite = (errcode: unknown, message = 'x'): Error => Object.assign(new Error(message), { errcode });

  it('mean the same by their primary codes, whatever the extended ones', () => {
    for (const [code, expected] of Object.entries({
      3: unavailable('access to the database file is denied'),
      5: unavailable('another process holds the database'),
      6: unavailable('a table is locked'),
      7: unavailable('out of memory'),
      8: unavailable('the database is read-only'),
      10: unavailable('the disk reported an error', true),
      11: DAMAGED,
      13: unavailable('the disk is full', true),
      14: unavailable('the database file cannot be opened'),
      26: DAMAGED,
    })) {
      for (const errcode of [Number(code), Number(code) + 256, Number(code) + 512]) {
        const error = ofSqlite(errcode);
        const translated = translateSqliteError(error);
        assert.deepEqual([...told(translated), translated.cause], [...expected, error], `${errcode}`);
      }
    }
    const damaged = translateSqliteError(ofSqlite(11));
    assert.ok(damaged instanceof StoreRefused);
    assert.equal(damaged.code, 'store_corrupt');
    for (const code of [1, 4, 9, 12, 15, 19, 25, 27]) {
      assert.deepEqual(told(translateSqliteError(ofSqlite(code))), fault(`${code}`));
    }
  });

  it('name the table whose key was taken, and a row without owner', () => {
    const message = 'UNIQUE constraint failed: users.pool_id, users.username';
    for (const code of [1555, 2067])
      assert.deepEqual(told(translateSqliteError(ofSqlite(code, message))), conflict('users'));
    assert.deepEqual(told(translateSqliteError(ofSqlite(1555, 'x'))), conflict('unknown'));
    assert.deepEqual(told(translateSqliteError(ofSqlite(787))), fault('foreign_key'));
    for (const code of [275, 1299, 1811])
      assert.deepEqual(told(translateSqliteError(ofSqlite(code))), fault(`${code}`));
  });

  it("are left alone if they are not SQLite's, and file system errors say so", () => {
    for (const error of [new TypeError('x'), ofSqlite('787'), new StoreRefused('store_newer', 'x')]) {
      assert.equal(translateSqliteError(error), error);
      assert.equal(translateFileError(error), error);
    }
    for (const thrown of ['x', undefined, { errcode: 11, syscall: 'open' }]) {
      for (const translate of [translateSqliteError, translateFileError]) {
        const translated = translate(thrown);
        assert.deepEqual([...told(translated), translated.cause], [...fault('unknown'), thrown]);
      }
    }
    const missing = Object.assign(new Error('x'), { syscall: 'open', code: 'ENOENT' });
    const translated = translateFileError(missing);
    assert.deepEqual([...told(translated), translated.cause], [...unavailable('the database file: ENOENT'), missing]);
  });
});

describe('writes that are refused', () => {
  it('are counted if they may have lacked space, and pass their errors on', async () => {
    const opened = openSqlite(undefined);
    const { database, refused } = countRefusedWrites(opened);
    const failures = [
      new StoreUnavailable('the disk is full', { mayLackRoom: true }),
      new StoreUnavailable('it is closed'),
      new Error('any'),
      undefined,
      new StoreUnavailable('the disk is full', { mayLackRoom: true }),
    ];
    const counts: number[] = [refused.count];
    for (const failure of failures) {
      const [outcome] = await Promise.allSettled([database.write(() => Promise.reject(failure))]);
      assert.equal(outcome.status, 'rejected');
      counts.push(refused.count);
    }
    await opened.close();
    assert.deepEqual(counts, [0, 1, 1, 1, 1, 2]);
  });
});

it('all steps run one after the other, and the first failure is returned', async () => {
  const log: string[] = [];
  const step = (name: string, failure?: Error) => async () => {
    log.push(`${name} begins`);
    await new Promise(setImmediate);
    log.push(`${name} ends`);
    if (failure !== undefined) throw failure;
  };
  const [first, second] = [new Error('first'), new Error('second')];
  await runAllThenThrow([step('a'), step('b')]);
  await assert.rejects(runAllThenThrow([step('c', first), step('d', second), step('e')]), first);
  assert.deepEqual(
    log,
    ['a', 'b', 'c', 'd', 'e'].flatMap((name) => [`${name} begins`, `${name} ends`]),
  );
});
