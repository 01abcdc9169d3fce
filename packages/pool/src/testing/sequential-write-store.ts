import type { PoolStore, PoolTransaction } from '../store/index.ts';

/** More than it takes to come back from where nobody waited; none of them lets a timer or a socket have its turn. */
const TURNS = 50;

/**
 * The same store, where a statement of a write takes a moment, and a write rejects of which one statement began before
 * the one before had ended, or outlived the write. Where nobody waits for a statement, SQLite has run it all the same before anybody could tell.
 */
export function createSequentialWriteStore(store: PoolStore): PoolStore {
  const write = store.write.bind(store);
  return Object.assign(store, {
    write: <Result>(work: (transaction: PoolTransaction) => Promise<Result>) =>
      write((transaction) => runSequentialTransaction(transaction, work)),
  });
}

/** The work of one such write. */
export async function runSequentialTransaction<Result>(
  transaction: PoolTransaction,
  work: (transaction: PoolTransaction) => Promise<Result>,
): Promise<Result> {
  const order = { underWay: 0, isBroken: false };
  const result = await work(requireSequentialCalls(transaction, order));
  if (order.isBroken || order.underWay > 0) throw new TypeError('a statement of a write was not waited for');
  return result;
}

function requireSequentialCalls<Target extends object>(
  target: Target,
  order: { underWay: number; isBroken: boolean },
): Target {
  return new Proxy(target, {
    get(_, key) {
      const member: unknown = Reflect.get(target, key);
      if (typeof member === 'object' && member !== null) return requireSequentialCalls(member, order);
      if (typeof member !== 'function') return member;
      return async (...parameters: unknown[]) => {
        order.isBroken ||= order.underWay > 0;
        order.underWay += 1;
        try {
          return await Reflect.apply(member, target, parameters);
        } finally {
          for (let turns = 0; turns < TURNS; turns += 1) await undefined;
          order.underWay -= 1;
        }
      };
    },
  });
}
