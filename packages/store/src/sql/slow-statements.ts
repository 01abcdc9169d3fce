import type { Database } from './database.ts';
import type { ChangeStatement, Executor, Statement, StatementPair, Writer } from './statement.ts';

/** A slow statement: its text with placeholders for all values, and its plan. */
export interface SlowStatement {
  readonly sql: string;
  /** From the call to the result, including the wait for a connection or a commit. */
  readonly ms: number;
  /** The lines of the plan for any values; empty if the database provides none (PostgreSQL before 16). */
  readonly plan: readonly string[];
}

/** Receives slow statements, and defines when one is slow. */
export interface SlowStatementWatch {
  readonly fromMs: number;
  readonly report: (slow: SlowStatement) => void;
}

/** A statement is explained at most once in this time. Otherwise an overloaded database would also have to explain every statement. */
const EXPLAINED_EVERY_MS = 60_000;

type AnyStatement = ChangeStatement<object> | Statement<object, unknown> | StatementPair<object>;

/** Wraps a database and reports its slow statements. */
export function watchSlowStatements(database: Database, watch: SlowStatementWatch | undefined): Database {
  if (watch === undefined) return database;
  const explainedAtMs = new WeakMap<object, number>();

  async function report(statement: AnyStatement, ms: number): Promise<void> {
    const nowMs = performance.now();
    const last = explainedAtMs.get(statement) ?? Number.NEGATIVE_INFINITY;
    if (nowMs - last < EXPLAINED_EVERY_MS) return;
    explainedAtMs.set(statement, nowMs);
    for (const { sql, plan } of await database.explain(statement)) watch?.report({ sql, ms, plan });
  }

  const { fromMs } = watch;
  async function timed<Result>(statement: unknown, result: Promise<Result>, startMs: number): Promise<Result> {
    try {
      return await result;
    } finally {
      const ms = performance.now() - startMs;
      // The plan is read in parallel, so the result does not wait for it.
      if (ms >= fromMs) report(statement as AnyStatement, Math.round(ms)).catch(() => {});
    }
  }

  const executor = (inner: Executor): Executor => ({
    run(statement, parameters) {
      const startMs = performance.now();
      return timed(statement, inner.run(statement, parameters), startMs);
    },
  });
  const writer = (inner: Writer): Writer => ({
    ...executor(inner),
    isExclusive: inner.isExclusive,
    enqueue(statement, parameters) {
      const startMs = performance.now();
      return timed(statement, inner.enqueue(statement, parameters), startMs);
    },
    enqueueChange(change, parameters) {
      const startMs = performance.now();
      return timed(change, inner.enqueueChange(change, parameters), startMs);
    },
    enqueueBoth(pair, parameters) {
      const startMs = performance.now();
      return timed(pair, inner.enqueueBoth(pair, parameters), startMs);
    },
  });
  return {
    ...database,
    reads: executor(database.reads),
    writes: executor(database.writes),
    deferredWrites: executor(database.deferredWrites),
    write: (work, options) => database.write((inner) => work(writer(inner)), options),
  };
}
