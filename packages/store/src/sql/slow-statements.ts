import type { Database } from './database.ts';
import type { ChangeStatement, Executor, Statement, StatementPair, Writer } from './statement.ts';

/** A statement that took long: its text, in which stand-ins are for all values, and how the database goes about it. */
export interface SlowStatement {
  readonly sql: string;
  /** From asking to the answer: waiting for a connection, or for a commit, is in it. */
  readonly ms: number;
  /** Lines of the plan, for whatever values; none where the database gives none (PostgreSQL before 16). */
  readonly plan: readonly string[];
}

/** Who is told about slow statements, and from when on one is slow. */
export interface SlowStatementWatch {
  readonly fromMs: number;
  readonly report: (slow: SlowStatement) => void;
}

/** A statement is explained once in this time: what slows all of them down would be asked for plans as well. */
const EXPLAINED_EVERY_MS = 60_000;

type AnyStatement = ChangeStatement<object> | Statement<object, unknown> | StatementPair<object>;

/** The same database; whoever watches is told about statements that took long. */
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
      // The plan is asked for beside the answer, which does not wait for it.
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
