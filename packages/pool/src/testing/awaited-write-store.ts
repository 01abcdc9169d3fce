import type { PoolStore, PoolTransaction } from '../store/index.ts';

/** More turns than an unawaited statement needs to return. None of them lets a timer or a socket run. */
const TURNS = 50;

/**
 * Wraps a store so that each statement of a write takes a moment, and a write rejects if one of its statements outlives it. Several
 * statements may be issued together. SQLite alone would hide a missing await, because it runs the statement at once.
 */
export function createAwaitedWriteStore(store: PoolStore): PoolStore {
  const write = store.write.bind(store);
  return Object.assign(store, {
    write: <Result>(work: (transaction: PoolTransaction) => Promise<Result>) =>
      write((transaction) => runAwaitedTransaction(transaction, work)),
  });
}

/** The work of such a write. */
export async function runAwaitedTransaction<Result>(
  transaction: PoolTransaction,
  work: (transaction: PoolTransaction) => Promise<Result>,
): Promise<Result> {
  const seen = { underWay: 0 };
  const result = await work(countCalls(transaction, seen));
  if (seen.underWay > 0) throw new TypeError('a statement of a write was not waited for');
  return result;
}

function countCalls<Target extends object>(target: Target, seen: { underWay: number }): Target {
  return new Proxy(target, {
    get(_, key) {
      const member: unknown = Reflect.get(target, key);
      if (typeof member === 'object' && member !== null) return countCalls(member, seen);
      if (typeof member !== 'function') return member;
      return async (...parameters: unknown[]) => {
        seen.underWay += 1;
        try {
          return await Reflect.apply(member, target, parameters);
        } finally {
          for (let turns = 0; turns < TURNS; turns += 1) await undefined;
          seen.underWay -= 1;
        }
      };
    },
  });
}
