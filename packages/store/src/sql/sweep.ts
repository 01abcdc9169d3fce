import { sql } from 'kysely';
import { defineStatement, type Executor, type Statement } from './statement.ts';
import type { Tables } from './tables.ts';

/** A table whose rows say nothing any more once a time of theirs has passed. */
export interface ExpiringTable {
  readonly table: keyof Tables;
  readonly key: readonly string[];
  readonly expiresAt: string;
  /** How much longer its rows are kept; 0 where it is not said. */
  readonly extraMs?: number;
  /** Only rows in which this column is set. */
  readonly requiredColumn?: string;
}

/** Deletes the expired rows of a table, a limited number at once. */
export type Sweep = Statement<{ nowMs: number; limit: number }, unknown>;

// A small write at a time, so that a long sweep does not hold up the writes of requests.
const ROWS_PER_WRITE = 500;

/** Makes the sweep of a table. */
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

/** Runs sweeps until nothing expired is left. A table that cannot be swept keeps no other one from it. */
export async function runSweeps(writes: Executor, sweeps: readonly Sweep[], nowMs: number): Promise<void> {
  await runAllThenThrow(sweeps.map((sweep) => () => deleteAll(writes, sweep, { nowMs })));
}

/** Runs a statement that deletes so many rows at most until it finds fewer. */
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
 * Takes steps one after the other, also behind one that fails.
 * @throws whatever failed first, once all were taken
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
