import type { WriteOptions } from '@poolgate/pool/store';
import type { CompiledQuery } from 'kysely';
import type { StatementOutcome } from '../sql/statement.ts';
import type { QueryRunner } from '../sql/statement-executor.ts';
import type { BatchConnection } from './limited-pool.ts';
import { createPendingStatement, type PendingStatement } from './pending-statement.ts';
import type { BatchResult, BatchStatement } from './statement-batch.ts';
import { callAtTurnEnd } from './turn-end.ts';

/**
 * A transaction on its own connection. Statements from one turn of the event loop are sent as one batch. The first batch also begins the
 * transaction, and the last one may include the commit (docs/decisions/0074-batched-postgresql-statements.md).
 */
export class BatchedTransaction implements QueryRunner {
  readonly #connection: BatchConnection;
  readonly #begin: readonly BatchStatement[];
  readonly #isOneBatch: boolean;
  #pending: PendingStatement[] = [];
  #inFlight: Promise<void> | undefined;
  #isBegun = false;
  #loss: { readonly cause: unknown } | undefined;

  /** @param begin the statements that begin every transaction */
  constructor(
    connection: BatchConnection,
    begin: readonly BatchStatement[],
    { isIssuedAtOnce: isOneBatch = false }: WriteOptions = {},
  ) {
    this.#connection = connection;
    this.#begin = begin;
    this.#isOneBatch = isOneBatch;
  }

  runQuery<Row>(query: CompiledQuery<Row>): Promise<StatementOutcome<Row>> {
    return this.#send(query.sql, query.parameters) as Promise<StatementOutcome<Row>>;
  }

  /** Commits after the pending statements, in the same round trip. A transaction without statements needs no commit. */
  async commit(): Promise<void> {
    await this.#commitOpen();
    this.#connection.release();
  }

  /** The transaction is lost either way. A connection that cannot even roll back is closed. */
  async rollBack(): Promise<void> {
    this.#loss ??= { cause: new TypeError('the write has ended') };
    for (const statement of this.#pending.splice(0)) statement.reject(this.#loss.cause);
    await this.#inFlight;
    const isOpen = this.#isBegun && !this.#isOneBatch;
    const { failure } = isOpen ? await this.#connection.runBatch([ROLLBACK]) : {};
    this.#connection.release(failure !== undefined);
  }

  async #commitOpen(): Promise<void> {
    if (!this.#isOneBatch) {
      if (this.#isBegun || this.#pending.length > 0) await this.#send('commit');
      return;
    }
    // Also runs if the caller awaited no statement of the batch.
    if (!this.#isBegun) this.#flush();
    await this.#inFlight;
    if (this.#loss !== undefined) throw this.#loss.cause;
  }

  async #send(sql: string, values?: readonly unknown[]): Promise<BatchResult> {
    if (this.#loss !== undefined) throw this.#loss.cause;
    if (this.#isOneBatch && this.#isBegun) throw new TypeError('this write issues all its statements in one turn');
    const statement = createPendingStatement(sql, values);
    if (this.#pending.push(statement) === 1 && this.#inFlight === undefined) callAtTurnEnd(() => this.#flush());
    return statement.outcome;
  }

  #flush(): void {
    const batch = this.#pending.splice(0);
    if (batch.length > 0) this.#inFlight = this.#runBatch(batch);
  }

  async #runBatch(batch: readonly PendingStatement[]): Promise<void> {
    // A batch outside of a transaction is itself one.
    const begin = this.#isBegun || this.#isOneBatch ? [] : this.#begin;
    this.#isBegun = true;
    const { results, failure } = await this.#connection.runBatch([...begin, ...batch]);
    this.#inFlight = undefined;
    // Nothing more can run, so later statements fail with the same cause.
    if (failure !== undefined) this.#loss = { cause: failure };
    for (const [index, statement] of batch.entries()) {
      const result = results[begin.length + index];
      if (result === undefined) statement.reject(failure);
      else statement.resolve(result);
    }
    if (failure !== undefined) for (const statement of this.#pending.splice(0)) statement.reject(failure);
    else if (this.#pending.length > 0) callAtTurnEnd(() => this.#flush());
  }
}

const ROLLBACK: BatchStatement = { sql: 'rollback', values: [] };
