import type { PoolStore, PoolTransaction } from '../store/index.ts';

/** More than it takes to come back from where nobody waited; none of them lets a timer or a socket have its turn. */
const TURNS = 50;

/**
 * The same store, where a statement of a write takes a moment, and a write rejects that one of its statements outlives. Several may be
 * issued together. Where nobody waits for a statement, SQLite has run it all the same before anybody could tell.
 */
export function createAwaitedWriteStore(store: PoolStore): PoolStore {
  const write = store.write.bind(store);
  return Object.assign(store, {
    write: <Result>(work: (transaction: PoolTransaction) => Promise<Result>) =>
      write((transaction) => runAwaitedTransaction(transaction, work)),
  });
}

/** The work of one such write. */
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
