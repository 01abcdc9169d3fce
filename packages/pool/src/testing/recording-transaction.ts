import type { PoolTransaction } from '../store/pool-store.ts';

/** One statement: its name, and what it was asked with. */
type Statement = readonly [name: string, ...parameters: unknown[]];

/** A transaction on no database. It notes what is asked of it, in order, and answers what it is told to. */
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
