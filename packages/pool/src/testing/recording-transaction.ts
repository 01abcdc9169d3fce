import type { PoolTransaction } from '../store/pool-store.ts';

/** A statement: its name and arguments. */
type Statement = readonly [name: string, ...parameters: unknown[]];

/** A transaction without a database. It records the calls in order, and returns the given results. */
export function createRecordingTransaction(answers: Readonly<Record<string, unknown>> = {}) {
  const asked: Statement[] = [];
  const repository = (table: string) =>
    new Proxy(
      {},
      {
        get:
          (_, verb) =>
          async (...parameters: unknown[]) => {
            const name = `${table}.${String(verb)}`;
            asked.push([name, ...parameters]);
            return answers[name];
          },
      },
    );
  const transaction = new Proxy({}, { get: (_, table) => repository(String(table)) }) as PoolTransaction;
  return { transaction, asked: asked as readonly Statement[] };
}
