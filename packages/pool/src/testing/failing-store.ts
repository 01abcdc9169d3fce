import type { PoolStore } from '../store/index.ts';
import { replaceWrite } from './crashing-store.ts';

/** The error of every write while the store is down. */
export const STORE_DOWN_ERROR = { message: 'the store is down' } as const;

/** Wraps a store so that writes fail while it is down. */
export function createFailingStore(store: PoolStore, isDown: () => boolean): PoolStore {
  return replaceWrite(store, (work) =>
    isDown() ? Promise.reject(new Error(STORE_DOWN_ERROR.message)) : store.write(work),
  );
}
