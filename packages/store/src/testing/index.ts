export { accountsContract } from './accounts-contract.ts';
export { deliveriesContract } from './deliveries-contract.ts';
export { dumpDatabase } from './dump-database.ts';
export { eventsContract } from './events-contract.ts';
export { execute } from './execute.ts';
export { factorsContract } from './factors-contract.ts';
export { findFreePort } from './free-port.ts';
export { groupsContract } from './groups-contract.ts';
export { idempotencyContract } from './idempotency-contract.ts';
export { messagesContract } from './messages-contract.ts';
export { passkeysContract } from './passkeys-contract.ts';
export { poolStoreContract } from './pool-store-contract.ts';
export { poolsContract } from './pools-contract.ts';
export {
  ADMIN_URL_VARIABLE,
  createMigratedDatabase,
  createTestDatabase,
  type PostgresServer,
  startPostgres,
  type TestDatabase,
} from './postgres.ts';
export { type PostgresPair, startPostgresPair } from './postgres-pair.ts';
export { readRawContent } from './raw-content.ts';
export { recordsContract } from './records-contract.ts';
export { sampleDevice } from './sample-records.ts';
export { searchContract } from './search-contract.ts';
export { logStatements, type RoundTrip, type StatementLog } from './statement-log.ts';
export { PERSISTENT_LOCATIONS, POOL_LOCATIONS, STORE_LOCATIONS, type StoreLocation } from './store-locations.ts';
export {
  countRowBytes,
  countStoredBytes,
  readStoredRows,
  type StoredRows,
} from './stored-rows.ts';
