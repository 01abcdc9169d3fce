export type { ServerState } from './database.ts';
export type { EncryptedColumn } from './encrypted/columns.ts';
export type { EncryptedChange, EncryptedCount, EncryptedValue, EncryptedValues } from './encrypted/values.ts';
export { ConflictError, StoreFault, StoreRefused, type StoreRefusedCode, StoreUnavailable } from './errors.ts';
export { inspectStore, openStore, type Store, type StoreOptions, type StoreState } from './open.ts';
