export { factorsContract } from './factors-contract.ts';
export { messagesContract } from './messages-contract.ts';
export { passkeysContract } from './passkeys-contract.ts';
export { LASTING_PLACES, PLACES, type Place } from './places.ts';
export { poolStoreContract } from './pool-store-contract.ts';
export { createTestDatabase, type PostgresServer, startPostgres, type TestDatabase } from './postgres.ts';
export { rawContent } from './raw.ts';
export { recordsContract } from './records-contract.ts';
