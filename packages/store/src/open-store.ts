import type { GatewayRecords } from '@poolgate/gateway/records';
import type { PoolStore } from '@poolgate/pool/store';
import { createEncryptedValues, type EncryptedValues } from './encrypted/encrypted-values.ts';
import type { OnEventsLost } from './events/append-separately.ts';
import { createCountSchedule } from './events/count-failures.ts';
import { createGatewayRecords } from './gateway/gateway-records.ts';
import { migrate } from './migrations/migrate.ts';
import { SqlPoolStore } from './pool/sql-pool-store.ts';
import { createReplicaRecords, type ReplicaRecords } from './replicas.ts';
import { createStoreSnapshots, readNotesOfSnapshot, type SnapshotNotes, type StoreSnapshots } from './snapshots.ts';
import type { Database } from './sql/database.ts';
import { type DatabaseTarget, parseDatabaseUrl } from './sql/database-url.ts';
import { guardDatabase } from './sql/guarded-database.ts';
import { countRefusedWrites } from './sql/refused-writes.ts';
import { type SlowStatementWatch, watchSlowStatements } from './sql/slow-statements.ts';
import { type FileBytes, readStoreFigures, type StoreFigures } from './sql/store-figures.ts';

/** Options of a store. */
export interface StoreOptions {
  /** Returns a number from 0 to below 1 that spreads retries of colliding writes. It is not used for secrets. Default: `Math.random`. */
  readonly random?: () => number;
  /** Called with events that could not be written, although what they report has happened. Default: none. */
  readonly onEventsLost?: OnEventsLost;
  /** Watches slow statements. Default: none. */
  readonly slowStatements?: SlowStatementWatch;
  /** How many events from anonymous requests a sweep keeps. Older ones are deleted. Default: 100,000. */
  readonly mostAnonymousEvents?: number;
}

const MAX_ANONYMOUS_EVENTS = 100_000;

/** An open store: both ports on one database with a current schema. */
export interface Store {
  readonly poolStore: PoolStore;
  readonly records: GatewayRecords;
  /** All encrypted values of the database. */
  readonly encryptedValues: EncryptedValues;
  /** The names of the migrations that this opening ran; may be empty. */
  readonly migrated: readonly string[];
  /** The services that run on the database. */
  readonly replicas: ReplicaRecords;
  /** False if the open file is no longer the one at its path, because someone deleted or replaced it. */
  isInPlace(): boolean;
  /** Saves and restores everything, while the store is open. */
  readonly snapshots: StoreSnapshots;
  /** Reads the lengths of its queues. */
  figures(): Promise<StoreFigures>;
  /** Finishes pending writes and closes the database. Later calls reject with `StoreUnavailable`. */
  close(): Promise<void>;
}

type ConnectDatabase<Target> = (target: Target, random: () => number) => Promise<Database>;

/** How to open each kind of database. Only the driver in use is loaded. */
const CONNECT: { readonly [Kind in DatabaseTarget['kind']]: ConnectDatabase<Extract<DatabaseTarget, { kind: Kind }>> } =
  {
    memory: async () => (await import('./sqlite/open-sqlite.ts')).openSqlite(undefined),
    file: async ({ path }) => (await import('./sqlite/open-sqlite.ts')).openSqlite(path),
    postgres: async ({ servers }, random) =>
      (await import('./postgres/open-postgres.ts')).openPostgres(servers, random),
  };

/** Connects to a database, whatever it contains. */
export function connectDatabase<Kind extends DatabaseTarget['kind']>(
  target: Extract<DatabaseTarget, { kind: Kind }> & { kind: Kind },
  random: () => number = Math.random,
): Promise<Database> {
  return CONNECT[target.kind](target, random);
}

/**
 * Reads what a snapshot carries in addition to the store.
 * @throws StoreRefused the file is damaged or is not a database
 */
export const readSnapshotNotes = (path: string): Promise<SnapshotNotes> =>
  readNotesOfSnapshot(path, { openFile: openSnapshotFile });

const openSnapshotFile = (path: string): Promise<Database> => connectDatabase({ kind: 'file', path });

/**
 * Opens the store at a database URL and brings its schema up to date. Several processes may do so at once.
 * @param databaseUrl `sqlite:./path`, `sqlite:/absolute/path`, `sqlite::memory:` or `postgres://…`, also with several hosts; a missing file
 *   and its folder are created
 * @throws TypeError the URL has another form
 * @throws StoreRefused the database is damaged, not ours, or was created by a newer version; it is never replaced by an empty one
 * @throws StoreUnavailable the database cannot be reached
 */
export async function openStore(databaseUrl: string, options: StoreOptions = {}): Promise<Store> {
  const target = parseDatabaseUrl(databaseUrl);
  const connected = await connectDatabase(target, options.random ?? Math.random);
  try {
    const migrated = await connected.withSchema((access) => migrate(access));
    const { database, ...parts } = createStoreParts(connected, options);
    return {
      ...parts,
      migrated,
      isInPlace: () => database.isInPlace(),
      snapshots: createStoreSnapshots(database, {
        openFile: openSnapshotFile,
        openPoolStore: (file) => createStoreParts(file, options).poolStore,
      }),
      figures: async () => ({
        ...(await readStoreFigures(database.reads)),
        fileBytes: await readDatabaseFileBytes(target),
      }),
      close: () => database.close(),
    };
  } catch (error) {
    await connected.close();
    throw error;
  }
}

/** Creates the parts of a store on a database with a current schema, and the database as they use it. */
export function createStoreParts(
  connected: Database,
  options: StoreOptions,
): Pick<Store, 'poolStore' | 'records' | 'encryptedValues' | 'replicas'> & { readonly database: Database } {
  const { database: noticed, refused } = countRefusedWrites(guardDatabase(connected));
  const database = watchSlowStatements(noticed, options.slowStatements);
  const { onEventsLost: onLost = () => {}, mostAnonymousEvents: mostAnonymous = MAX_ANONYMOUS_EVENTS } = options;
  const rules = { onLost, mostAnonymous, isCountDue: createCountSchedule() };
  return {
    database,
    poolStore: new SqlPoolStore(database, rules),
    records: createGatewayRecords(database, rules, refused),
    encryptedValues: createEncryptedValues(database),
    replicas: createReplicaRecords(database),
  };
}

async function readDatabaseFileBytes(target: DatabaseTarget): Promise<FileBytes | null> {
  return target.kind === 'file' ? (await import('./sqlite/sqlite-file.ts')).readFileBytes(target.path) : null;
}

/** Whether the database exists, because connecting would create a file. */
const DATABASE_EXISTS: {
  readonly [Kind in DatabaseTarget['kind']]: (target: Extract<DatabaseTarget, { kind: Kind }>) => Promise<boolean>;
} = {
  memory: async () => false,
  file: async ({ path }) => (await import('./sqlite/sqlite-file.ts')).databaseFileExists(path),
  postgres: async () => true,
};

/** Whether the database exists. */
export function databaseExists<Kind extends DatabaseTarget['kind']>(
  target: Extract<DatabaseTarget, { kind: Kind }> & { kind: Kind },
): Promise<boolean> {
  return DATABASE_EXISTS[target.kind](target);
}
