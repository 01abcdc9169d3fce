export { ConflictError, StoreFault, StoreRefused, type StoreRefusedCode, StoreUnavailable } from './errors.ts';
export { inspectStore, openStore, type Store, type StoreOptions, type StoreState } from './open.ts';
export type { EncryptedColumn } from './sealed/columns.ts';
export type { EncryptedChange, EncryptedCount, EncryptedValue, EncryptedValues } from './sealed/values.ts';
