import type { PoolStore, PoolTransaction } from '../store/index.ts';

/** Replaces a method of a store. It may make the call. */
export type StandIn = (call: () => Promise<object>, ...input: readonly unknown[]) => Promise<unknown>;

/** By the names of the methods; those of a write begin with `in`. */
export type StandIns = ReadonlyMap<string, StandIn>;

function withStandIns<Target extends object>(target: Target, standIns: StandIns, path = ''): Target {
  return new Proxy(target, {
    get(_, key) {
      const name = `${path}${String(key)}`;
      const member: unknown = Reflect.get(target, key);
      if (typeof member === 'object' && member !== null) return withStandIns(member, standIns, `${name}.`);
      if (typeof member !== 'function') return member;
      return (...input: unknown[]) => {
        const call = () => Reflect.apply(member, target, input);
        return standIns.get(name)?.(call, ...input) ?? call();
      };
    },
  });
}

/** A store whose methods a test can replace at any time. */
export function standInStore(store: PoolStore, standIns: StandIns): PoolStore {
  const reads = withStandIns(store, standIns);
  const write: PoolStore['write'] = (work) =>
    reads.write((transaction: PoolTransaction) => work(withStandIns(transaction, standIns, 'in.')));
  return new Proxy(store, { get: (_, key) => (key === 'write' ? write : Reflect.get(reads, key)) });
}
