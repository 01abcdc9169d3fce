import type { PoolStore } from '@poolgate/pool/store';

/** Where a process dies: around its n-th write, counted from 1. */
export interface CrashPoint {
  readonly write: number;
  /** Whether the write was committed; if so, the process did not live to know it. */
  readonly isCommitted: boolean;
}

/** A store as a process sees it that dies: from the crash on, nothing that it asks is ever answered. */
export function dyingStore(store: PoolStore, { write, isCommitted }: CrashPoint) {
  const { promise: died, resolve: die } = Promise.withResolvers<void>();
  const never = new Promise<never>(() => {});
  let writes = 0;
  const dying: PoolStore = new Proxy(store, {
    get(target, key) {
      if (key !== 'write') return Reflect.get(target, key).bind(target);
      const writeUntilDeath: PoolStore['write'] = async (work) => {
        writes += 1;
        if (writes < write) return target.write(work);
        if (writes === write && isCommitted) await target.write(work);
        die();
        return never;
      };
      return writeUntilDeath;
    },
  });
  return { store: dying, died };
}
