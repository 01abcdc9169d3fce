import type { PoolStore } from '../store/index.ts';

/** Where a process crashes: at its n-th write, counted from 1. */
export interface CrashPoint {
  readonly write: number;
  /** Whether the write was committed, although the process never learned of it. */
  readonly isCommitted: boolean;
}

type Write = PoolStore['write'];

/** The same store with another `write`. */
export function replaceWrite(store: PoolStore, write: Write): PoolStore {
  return new Proxy(store, {
    get(target, key) {
      if (key === 'write') return write;
      const member: unknown = Reflect.get(target, key);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

/** The store of a process that crashes, at the crash point or on request. From then on, none of its calls returns. */
export function createCrashingStore(store: PoolStore, { write: last, isCommitted }: CrashPoint) {
  const { promise: died, resolve } = Promise.withResolvers<void>();
  const never = new Promise<never>(() => {});
  let writes = 0;
  let isDead = false;
  const die = (): void => {
    isDead = true;
    resolve();
  };
  const write: Write = async (work) => {
    writes += 1;
    if (isDead) return never;
    if (writes < last) return store.write(work);
    if (isCommitted) await store.write(work);
    die();
    return never;
  };
  return { store: replaceWrite(store, write), died, die };
}

/** The store of a process that pauses before its n-th write, as during a long pause of the machine. */
export function createHaltingStore(store: PoolStore, halt: number) {
  const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let writes = 0;
  const write: Write = async (work) => {
    writes += 1;
    if (writes === halt) {
      hold();
      await released;
    }
    return store.write(work);
  };
  return { store: replaceWrite(store, write), isHeld, release };
}
