/**
 * The pool's repositories, one for each interface in `@poolgate/pool/store`. A write gets repositories on its own connection. Every table
 * is keyed by pool.
 */
import type { EventRecord, PoolStore, PoolTransaction, WriteOptions } from '@poolgate/pool/store';
import { appendEventsSeparately, type EventWriteOptions } from '../events/append-separately.ts';
import { sweepEvents } from '../events/sweep-events.ts';
import type { Database } from '../sql/database.ts';
import { createTableSweep, runAllThenThrow, runSweeps } from '../sql/sweep.ts';
import { SqlPoolReads } from './sql-pool-reads.ts';
import { SqlPoolTransaction } from './sql-pool-transaction.ts';
import { sweepRegistrations } from './sql-registration-repository.ts';

// An access token may outlive the last refresh of its login, and is valid only while the login exists.
const LONGEST_ACCESS_TOKEN_MS = 24 * 60 * 60 * 1_000;

// How long failed messages stay visible.
const DEAD_MESSAGE_KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

// A second use of a code revokes its tokens, so its row is needed while one of its access tokens can still be valid.
const USED_CODE_KEPT_MS = LONGEST_ACCESS_TOKEN_MS;

// Retired signing keys stay, because only the pool knows how long their last token lives. Only failed messages are deleted: an undelivered
// message is first marked as failed, so that this is visible.
const SWEEPS = [
  sweepRegistrations,
  createTableSweep({ table: 'sessions', key: ['id'], expiresAt: 'expires_at_ms' }),
  createTableSweep({ table: 'codes', key: ['pool_id', 'username', 'purpose'], expiresAt: 'expires_at_ms' }),
  createTableSweep({
    table: 'passkey_ceremonies',
    key: ['pool_id', 'username', 'client_id'],
    expiresAt: 'expires_at_ms',
  }),
  createTableSweep({ table: 'not_me_links', key: ['digest_hex'], expiresAt: 'expires_at_ms' }),
  createTableSweep({
    table: 'authorization_codes',
    key: ['digest_hex'],
    expiresAt: 'expires_at_ms',
    extraMs: USED_CODE_KEPT_MS,
  }),
  createTableSweep({
    table: 'logins',
    key: ['id'],
    expiresAt: 'refresh_expires_at_ms',
    extraMs: LONGEST_ACCESS_TOKEN_MS,
  }),
  createTableSweep({ table: 'client_sessions', key: ['client_id', 'session_id'], expiresAt: 'expires_at_ms' }),
  createTableSweep({ table: 'lockouts', key: ['pool_id', 'subject'], expiresAt: 'expires_at_ms' }),
  createTableSweep({ table: 'allowances', key: ['pool_id', 'subject'], expiresAt: 'expires_at_ms' }),
  createTableSweep({ table: 'locks', key: ['name'], expiresAt: 'expires_at_ms' }),
  createTableSweep({ table: 'messages', key: ['id'], expiresAt: 'dead_at_ms', extraMs: DEAD_MESSAGE_KEPT_MS }),
];

/** The pool's port on a database. */
export class SqlPoolStore extends SqlPoolReads implements PoolStore {
  readonly #database: Database;
  readonly #rules: EventWriteOptions;

  constructor(database: Database, rules: EventWriteOptions) {
    super(database.reads);
    this.#database = database;
    this.#rules = rules;
  }

  async write<Result>(
    work: (transaction: PoolTransaction) => Promise<Result>,
    options: WriteOptions = {},
  ): Promise<Result> {
    let afterCommit: readonly EventRecord[] = [];
    const result = await this.#database.write((executor) => {
      const transaction = new SqlPoolTransaction(executor);
      afterCommit = transaction.events.afterCommit;
      return work(transaction);
    }, options);
    if (afterCommit.length > 0) await appendEventsSeparately(this.#database, afterCommit, this.#rules);
    return result;
  }

  async sweep(nowMs: number): Promise<void> {
    await runAllThenThrow([
      () => runSweeps(this.#database.writes, SWEEPS, nowMs),
      () => sweepEvents(this.#database, nowMs, this.#rules.mostAnonymous),
    ]);
  }
}
