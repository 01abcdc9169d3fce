export { type CopiedRows, type CopyProgress, copyStore } from './copy.ts';
export type { ServerState } from './database.ts';
export type { EncryptedColumn } from './encrypted/columns.ts';
export type { EncryptedChange, EncryptedCount, EncryptedValue, EncryptedValues } from './encrypted/values.ts';
export { ConflictError, StoreFault, StoreRefused, type StoreRefusedCode, StoreUnavailable } from './errors.ts';
export type { StoreFigures } from './figures.ts';
export { inspectStore, openStore, type Store, type StoreOptions, type StoreState } from './open.ts';
export type { SlowStatement, SlowStatementWatch } from './slow-statements.ts';
