import { MIGRATIONS } from './migrations/index.ts';
import { listPendingMigrations } from './migrations/migrate.ts';
import { connectDatabase, databaseExists } from './open-store.ts';
import type { SchemaAccess, ServerState } from './sql/database.ts';
import { parseDatabaseUrl } from './sql/database-url.ts';

/** The result of inspecting a database. */
export interface StoreState {
  /** False if the database does not exist yet; a start creates it. Always false in memory. */
  readonly exists: boolean;
  /** Whether it contains a user pool, in any version of the schema. */
  readonly hasPool: boolean;
  /** The names of the migrations that opening it would run. */
  readonly pending: readonly string[];
  /** The state of the server; undefined if the database has none. */
  readonly server: ServerState | undefined;
}

/**
 * Inspects the database without creating it or changing its schema.
 * @param databaseUrl as for `openStore`
 * @throws TypeError the URL has another form
 * @throws StoreRefused the database is damaged, not ours, or was created by a newer version
 * @throws StoreUnavailable the database cannot be reached, or its file is missing and could not be created
 */
export async function inspectStore(databaseUrl: string): Promise<StoreState> {
  const target = parseDatabaseUrl(databaseUrl);
  const all = Object.keys(MIGRATIONS);
  if (!(await databaseExists(target))) return { exists: false, hasPool: false, pending: all, server: undefined };
  const database = await connectDatabase(target);
  try {
    const schema = await database.withSchema(async (access) => {
      const pending = await listPendingMigrations(access);
      // The first migration creates the table of pools.
      return { pending, hasPool: pending.length < all.length && (await hasAnyPool(access)) };
    });
    return { exists: true, ...schema, server: await database.server() };
  } finally {
    await database.close();
  }
}

async function hasAnyPool({ kysely, translate }: SchemaAccess): Promise<boolean> {
  try {
    return (await kysely.selectFrom('pools').select('id').limit(1).execute()).length > 0;
  } catch (error) {
    throw translate(error);
  }
}
