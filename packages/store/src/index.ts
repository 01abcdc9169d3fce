export { ConflictError, StoreFault, type StoreRefusal, StoreRefused, StoreUnavailable } from './errors.ts';
export { inspectStore, openStore, type Store, type StoreOptions, type StoreState } from './open.ts';
export type { SealedColumn } from './sealed/columns.ts';
export type { SealedChange, SealedCount, SealedValue, SealedValues } from './sealed/values.ts';
