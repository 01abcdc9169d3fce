export { claimStore } from './claim-store.ts';
export type {
  /** @deprecated Use {@link CopiedRowCounts}. */
  CopiedRowCounts as CopiedRows,
} from './copy-store.ts';
export { type CopiedRowCounts, type CopyProgress, copyStore } from './copy-store.ts';
export type { EncryptedColumn } from './encrypted/encrypted-columns.ts';
export type { EncryptedChange, EncryptedCount, EncryptedValue, EncryptedValues } from './encrypted/encrypted-values.ts';
export { inspectStore, type StoreState } from './inspect-store.ts';
export { openStore, readSnapshotNotes, type Store, type StoreOptions } from './open-store.ts';
export type { AnnouncedReplica, ReplicaRecords } from './replicas.ts';
export type { CheckSnapshot, SnapshotNotes, StoreSnapshots } from './snapshots.ts';
export type { ServerState } from './sql/database.ts';
export type { SlowStatement, SlowStatementWatch } from './sql/slow-statements.ts';
export {
  ConflictError,
  StoreFault,
  StoreRefused,
  type StoreRefusedCode,
  StoreUnavailable,
} from './sql/store-errors.ts';
export type { StoreFigures } from './sql/store-figures.ts';
export { storeAccess, storeName } from './store-name.ts';
