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

/** Runs single statements, each in a round trip and a transaction of its own. */
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

/** How many reads share a round trip at most. */
const MOST_READS = 16;

/**
 * Runs reads. Those that are issued in one turn of the event loop share a round trip; each sees what was acknowledged before it was
 * issued, because the batch is sent later. A read that fails takes no other one with it.
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

  /** @returns the reads behind one that the server refused, which it skipped, as far as they go together once more */
  async #runUntilFailure(reads: readonly PendingStatement[]): Promise<readonly PendingStatement[]> {
    const { results, failure } = await runOnConnection(this.#pool, reads);
    for (const [index, result] of results.entries()) reads[index]?.resolve(result);
    if (failure === undefined) return [];
    if (!isServerError(failure)) throw failure;
    reads[results.length]?.reject(failure);
    const skipped = reads.slice(results.length + 1);
    if (!isCancellation(failure)) return skipped;
    // These have already waited for one that timed out. What made it slow may hold some of them too, so each now runs alone.
    for (const read of skipped) void this.#runAll([read]);
    return [];
  }
}
