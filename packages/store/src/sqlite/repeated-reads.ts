import type { CompiledQuery } from 'kysely';
import type { StatementOutcome } from '../sql/statement.ts';

interface Read {
  readonly query: CompiledQuery;
  readonly outcome: StatementOutcome<unknown>;
}

/** Writes repeat a read soon or never. */
const MOST_READS = 8;

/**
 * The latest reads of one write. The write has the database to itself, so until it changes something, a repeated read finds the same rows.
 * Writes repeat reads because on PostgreSQL another write may have changed the rows in between.
 */
export class RepeatedReads {
  readonly #reads: Read[] = [];

  /** Returns the rows of an equal read since the last change. */
  find(query: CompiledQuery): StatementOutcome<unknown> | undefined {
    return this.#reads.find((read) => isEqual(read.query, query))?.outcome;
  }

  remember(query: CompiledQuery, outcome: StatementOutcome<unknown>): void {
    if (this.#reads.length === MOST_READS) this.#reads.shift();
    this.#reads.push({ query, outcome });
  }

  /** Forgets all reads, because a statement changed rows. */
  forget(): void {
    this.#reads.length = 0;
  }
}

/** Equal statements share one text. */
function isEqual(known: CompiledQuery, query: CompiledQuery): boolean {
  return known.sql === query.sql && known.parameters.every((value, index) => value === query.parameters[index]);
}
