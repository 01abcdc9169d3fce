import { sql } from 'kysely';
import { defineStatement, type Executor, type Statement } from './statement.ts';
import type { Tables } from './tables.ts';

/** A table whose rows expire at a stored time. */
export interface ExpiringTable {
  readonly table: keyof Tables;
  readonly key: readonly string[];
  readonly expiresAt: string;
  /** How much longer its rows are kept. Default: 0. */
  readonly extraMs?: number;
  /** Only rows that have a value in this column. */
  readonly requiredColumn?: string;
}

/** Deletes a table's expired rows, a limited number at a time. */
export type Sweep = Statement<{ nowMs: number; limit: number }, unknown>;

// Small writes, so that a long sweep does not delay the writes of requests.
const ROWS_PER_WRITE = 500;

/** Creates the sweep of a table. */
export function createTableSweep({
  table,
  key,
  expiresAt,
  extraMs = 0,
  requiredColumn = expiresAt,
}: ExpiringTable): Sweep {
  return defineStatement((db, p) => {
    const columns = sql.join(key.map((column) => sql.ref(column)));
    const query = sql`delete from ${sql.table(table)} where (${columns}) in
      (select ${columns} from ${sql.table(table)} where ${sql.ref(expiresAt)} <= cast(${p.nowMs} as bigint) - ${sql.lit(extraMs)}
        and ${sql.ref(requiredColumn)} is not null limit ${p.limit})`;
    return { compile: () => query.compile(db) };
  });
}

/** Runs sweeps until nothing expired is left. If one table fails, the others are still swept. */
export async function runSweeps(writes: Executor, sweeps: readonly Sweep[], nowMs: number): Promise<void> {
  await runAllThenThrow(sweeps.map((sweep) => () => deleteAll(writes, sweep, { nowMs })));
}

/** Repeats a limited delete statement until it finds fewer rows than its limit. */
export async function deleteAll<Parameters extends object>(
  writes: Executor,
  deletion: Statement<Parameters & { limit: number }, unknown>,
  parameters: Parameters,
): Promise<void> {
  let deleted = ROWS_PER_WRITE;
  while (deleted === ROWS_PER_WRITE) {
    deleted = (await writes.run(deletion, { ...parameters, limit: ROWS_PER_WRITE })).changes;
  }
}

/**
 * Runs all steps in order, even after a failure.
 * @throws the first error, after all steps have run
 */
export async function runAllThenThrow(steps: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
