import type { CompiledQuery } from 'kysely';
import type { StatementOutcome } from '../sql/statement.ts';
import type { QueryRunner } from '../sql/statement-executor.ts';
import type { BatchPool } from './limited-pool.ts';
import { createPendingStatement, type PendingStatement, toText } from './pending-statement.ts';
import { isCancellation, isServerError } from './postgres-errors.ts';
import type { BatchOutcome, BatchStatement } from './statement-batch.ts';
import { callAtTurnEnd } from './turn-end.ts';

async function runOnConnection(pool: BatchPool, statements: readonly BatchStatement[]): Promise<BatchOutcome> {
  const connection = await pool.lease();
  const outcome = await connection.runBatch(statements);
  connection.release();
  return outcome;
}

/** Runs single statements, each in its own round trip and transaction. */
export class SingleStatements implements QueryRunner {
  readonly #pool: BatchPool;

  constructor(pool: BatchPool) {
    this.#pool = pool;
  }

  async runQuery<Row>(query: CompiledQuery<Row>): Promise<StatementOutcome<Row>> {
    const statement = { sql: query.sql, values: query.parameters.map(toText) };
    const { results, failure } = await runOnConnection(this.#pool, [statement]);
    const [result] = results;
    if (failure !== undefined || result === undefined) throw failure;
    return result as StatementOutcome<Row>;
  }
}

/** The maximum number of reads in a round trip. */
const MOST_READS = 16;

/**
 * Runs reads. Those from one turn of the event loop share a round trip. Each sees everything that was acknowledged before it was issued,
 * because the batch is sent later. A failing read does not affect the others.
 */
export class BatchedReads implements QueryRunner {
  readonly #pool: BatchPool;
  #pending: PendingStatement[] = [];

  constructor(pool: BatchPool) {
    this.#pool = pool;
  }

  async runQuery<Row>(query: CompiledQuery<Row>): Promise<StatementOutcome<Row>> {
    const read = createPendingStatement(query.sql, query.parameters);
    if (this.#pending.push(read) === 1) callAtTurnEnd(() => this.#flush());
    return read.outcome as Promise<StatementOutcome<Row>>;
  }

  #flush(): void {
    const reads = this.#pending.splice(0);
    for (let first = 0; first < reads.length; first += MOST_READS) {
      void this.#runAll(reads.slice(first, first + MOST_READS));
    }
  }

  async #runAll(reads: readonly PendingStatement[]): Promise<void> {
    let left = reads;
    try {
      while (left.length > 0) left = await this.#runUntilFailure(left);
    } catch (error) {
      for (const read of left) read.reject(error);
    }
  }

  /** @returns the reads that the server skipped after a failed one, if they may share a batch again */
  async #runUntilFailure(reads: readonly PendingStatement[]): Promise<readonly PendingStatement[]> {
    const { results, failure } = await runOnConnection(this.#pool, reads);
    for (const [index, result] of results.entries()) reads[index]?.resolve(result);
    if (failure === undefined) return [];
    if (!isServerError(failure)) throw failure;
    reads[results.length]?.reject(failure);
    const skipped = reads.slice(results.length + 1);
    if (!isCancellation(failure)) return skipped;
    // These reads have already waited for one that timed out. Its cause may affect some of them too, so each now runs alone.
    for (const read of skipped) void this.#runAll([read]);
    return [];
  }
}
