export { ConflictError, StoreFault, type StoreRefusal, StoreRefused, StoreUnavailable } from './errors.ts';
export { openStore, type Store, type StoreOptions } from './open.ts';
