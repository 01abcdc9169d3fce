/** The schema, with a file for each change, applied in order. `index` lists them. */
import { type Kysely, sql } from 'kysely';
import type { SchemaAccess } from '../sql/database.ts';
import { StoreRefused, StoreUnavailable } from '../sql/store-errors.ts';
import { MIGRATIONS } from './index.ts';
import type { SchemaChange } from './schema-change.ts';

type Migrations = Readonly<Record<string, SchemaChange>>;

const RECORD_TABLE = 'poolgate_migrations';
const LOCK_TABLE = 'poolgate_migration_lock';

interface SchemaState {
  /** The migrations that the database has recorded; undefined if it has no record table. */
  readonly recorded: readonly string[] | undefined;
  readonly tables: readonly string[];
}

async function readState({ kysely, tableNames }: SchemaAccess): Promise<SchemaState> {
  const tables = (await tableNames.execute(kysely)).rows.map((row) => row.name);
  if (!tables.includes(RECORD_TABLE)) return { recorded: undefined, tables };
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(RECORD_TABLE)}`.execute(kysely);
  return { recorded: rows.map((row) => row.name), tables };
}

// The tables of the first migration. They are enough to recognize a foreign database, so tables of later migrations need not be listed.
const OWN_TABLES: readonly string[] = ['pools', 'clients', 'users', 'names', 'credentials', 'sessions', 'logins'];

function assertOurs({ recorded, tables }: SchemaState, known: readonly string[]): void {
  const newer = recorded?.filter((name) => !known.includes(name)) ?? [];
  if (newer.length > 0) {
    throw new StoreRefused('store_newer', `the database was migrated by a newer version (${newer.join(', ')})`);
  }
  const taken = recorded === undefined ? tables.filter((name) => OWN_TABLES.includes(name)) : [];
  if (taken.length > 0) {
    throw new StoreRefused('store_foreign', `the database holds tables of something else (${taken.join(', ')})`);
  }
}

/**
 * Lists the names of pending migrations, without writing anything.
 * @throws StoreRefused, StoreUnavailable
 */
export async function listPendingMigrations(
  access: SchemaAccess,
  migrations: Migrations = MIGRATIONS,
): Promise<readonly string[]> {
  const known = Object.keys(migrations);
  try {
    const state = await readState(access);
    assertOurs(state, known);
    return known.filter((name) => !state.recorded?.includes(name));
  } catch (error) {
    throw error instanceof StoreRefused ? error : access.translate(error);
  }
}

async function runMigrator(access: SchemaAccess, migrations: Migrations): Promise<readonly string[]> {
  const { kysely, columnTypes, currentSchema, lockSchema } = access;
  const { Migrator } = await import('kysely/migration');
  const provided = Object.entries(migrations).map(
    ([name, change]) => [name, { up: (database: Kysely<unknown>) => change(database, columnTypes) }] as const,
  );
  return await kysely.transaction().execute(async (transaction) => {
    await lockSchema?.execute(transaction);
    const schema = (await currentSchema?.execute(transaction))?.rows[0]?.name;
    const migrator = new Migrator({
      db: transaction,
      provider: { getMigrations: async () => Object.fromEntries(provided) },
      migrationTableName: RECORD_TABLE,
      migrationLockTableName: LOCK_TABLE,
      // Databases between releases may have run a later one first. Migrations of one release do not depend on each other.
      allowUnorderedMigrations: true,
      ...(schema === undefined ? {} : { migrationTableSchema: schema }),
    });
    const { error, results } = await migrator.migrateToLatest();
    if (error !== undefined) throw error;
    return (results ?? []).map((result) => result.migrationName);
  });
}

/**
 * Brings the schema up to date. Several processes may call it at once: one of them does the work, under PostgreSQL's transaction-level
 * advisory lock or SQLite's write lock. It uses a single transaction, so a crash leaves nothing behind.
 * @returns the names of the migrations that this call ran
 * @throws StoreRefused, StoreUnavailable
 */
export async function migrate(access: SchemaAccess, migrations: Migrations = MIGRATIONS): Promise<readonly string[]> {
  const known = Object.keys(migrations);
  try {
    const state = await readState(access);
    assertOurs(state, known);
    if (known.length === state.recorded?.length) return [];
    return await runMigrator(access, migrations);
  } catch (error) {
    if (error instanceof StoreRefused) throw error;
    const translated = access.translate(error);
    if (translated instanceof StoreRefused || translated instanceof StoreUnavailable) throw translated;
    throw new StoreRefused('store_migration_failed', 'a migration did not go through', { cause: translated });
  }
}
