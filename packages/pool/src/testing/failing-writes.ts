import type { PoolStore } from '../store/index.ts';
import { withWrite } from './crash.ts';

/** What every write is refused with while the store is down. */
export const STORE_DOWN = { message: 'the store is down' } as const;

/** The same store, which writes nothing while it is down. */
export function failingWrites(store: PoolStore, isDown: () => boolean): PoolStore {
  return withWrite(store, (work) => (isDown() ? Promise.reject(new Error(STORE_DOWN.message)) : store.write(work)));
}
