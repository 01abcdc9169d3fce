import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  createMigrationLimits,
  createRequestLimits,
  extractLimits,
  formatBeginStatement,
  SERVER_LIMITS,
} from './connection-limits.ts';
import { extractTls } from './postgres-tls.ts';

const PLAIN = 'postgres://u:p@db.test/x';

describe('the limits of a database', () => {
  const OURS = {
    statement_timeout: 2_000,
    lock_timeout: 1_200,
    idle_in_transaction_session_timeout: 10_000,
    query_timeout: 4_000,
    connection_timeout: 5_000,
    connections: 10,
  };

  it('have defaults for requests, which the URL can replace, and others for migrations', () => {
    assert.deepEqual(createRequestLimits({}), OURS);
    const own = { lock_timeout: 0, connection_timeout: 1 };
    assert.deepEqual(createRequestLimits(own), { ...OURS, ...own });
    assert.deepEqual(createMigrationLimits(), {
      connections: 1,
      statement_timeout: 0,
      lock_timeout: 3_600_000,
      idle_in_transaction_session_timeout: 0,
      query_timeout: 0,
      connection_timeout: 5_000,
    });
  });

  it('are removed from a URL, and are whole numbers from 0 on', () => {
    const found = extractLimits(`${PLAIN}?statement_timeout=0&lock_timeout=7&query_timeout=8&connection_timeout=9&a=b`);
    const limits = { statement_timeout: 0, lock_timeout: 7, query_timeout: 8, connection_timeout: 9 };
    assert.deepEqual(found, { url: `${PLAIN}?a=b`, limits });
    for (const word of ['-1', '1.5', '2s', '9007199254740992']) {
      assert.deepEqual(extractLimits(`${PLAIN}?lock_timeout=${word}`), { url: PLAIN, limits: {} }, word);
    }
    assert.deepEqual(extractLimits(PLAIN), { url: PLAIN, limits: {} });
  });

  it('that the server knows begin a transaction with one message', () => {
    assert.deepEqual(SERVER_LIMITS, ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']);
    assert.equal(
      formatBeginStatement(createRequestLimits({ statement_timeout: 3 })),
      'begin; set local statement_timeout = 3; set local lock_timeout = 1200; set local idle_in_transaction_session_timeout = 10000',
    );
  });
});

describe('the TLS parameters of a URL', () => {
  const file = fileURLToPath(new URL('../testing/tls/ca.pem', import.meta.url));
  const pem = readFileSync(file, 'utf8');

  it('are passed to the driver, and removed', () => {
    for (const [words, ssl] of [
      ['', undefined],
      ['sslmode=disable', false],
      ['sslmode=disable&ssl=true', false],
      ['sslmode=prefer', {}],
      ['sslmode=require', {}],
      ['sslmode=verify-full', {}],
      ['sslmode=no-verify', { rejectUnauthorized: false }],
      ['ssl=true', {}],
      ['ssl=1', {}],
      [`sslrootcert=${file}`, { ca: pem }],
      [`sslmode=require&ssl=false&sslcert=${file}&sslkey=${file}`, { cert: pem, key: pem }],
    ] as const) {
      assert.deepEqual(extractTls(`${PLAIN}?${words}`), { url: PLAIN, ssl }, words);
    }
    const { ssl } = extractTls(`${PLAIN}?sslmode=verify-ca&sslrootcert=${file}`);
    assert.ok(typeof ssl === 'object' && ssl.ca === pem && ssl.rejectUnauthorized === undefined);
    const certificate = {} as Parameters<NonNullable<typeof ssl.checkServerIdentity>>[1];
    assert.equal(ssl.checkServerIdentity?.('another.test', certificate), undefined);
  });

  it('are left to the driver if they have no effect', () => {
    assert.deepEqual(extractTls(`${PLAIN}?ssl=0`), { url: `${PLAIN}?ssl=0`, ssl: undefined });
  });

  it('are refused if invalid, without showing the URL', () => {
    const modes = 'disable, prefer, require, verify-full, verify-ca, no-verify';
    for (const [words, name, message] of [
      ['sslmode=allow', 'TypeError', `sslmode must be one of ${modes}`],
      ['sslmode=verify-ca', 'TypeError', 'sslmode=verify-ca needs sslrootcert'],
      [
        'sslkey=/nowhere.pem',
        'StoreUnavailable',
        'the store is unavailable: the file of sslkey in the database URL cannot be read',
      ],
    ] as const) {
      assert.throws(() => extractTls(`${PLAIN}?${words}`), { name, message });
    }
  });
});
