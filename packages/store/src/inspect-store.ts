import { MIGRATIONS } from './migrations/index.ts';
import { listPendingMigrations } from './migrations/migrate.ts';
import { connectDatabase, databaseExists } from './open-store.ts';
import type { SchemaAccess, ServerState } from './sql/database.ts';
import { parseDatabaseUrl } from './sql/database-url.ts';

/** What a look at a database found. */
export interface StoreState {
  /** False where there is no database yet; a start makes it. In memory there never is one. */
  readonly exists: boolean;
  /** Whether it holds a user pool, under whatever version of the schema. */
  readonly hasPool: boolean;
  /** The schema changes that an opening would run, by name. */
  readonly pending: readonly string[];
  /** How the server stands; undefined where the database needs none. */
  readonly server: ServerState | undefined;
}

/**
 * Looks at the database without making it and without changing its schema.
 * @param databaseUrl as for `openStore`
 * @throws TypeError where the URL has another form.
 * @throws StoreRefused where the database is damaged, not ours, or made by a newer version.
 * @throws StoreUnavailable where the database cannot be reached, or its file is missing and could not be made.
 */
export async function inspectStore(databaseUrl: string): Promise<StoreState> {
  const target = parseDatabaseUrl(databaseUrl);
  const all = Object.keys(MIGRATIONS);
  if (!(await databaseExists(target))) return { exists: false, hasPool: false, pending: all, server: undefined };
  const database = await connectDatabase(target);
  try {
    const schema = await database.withSchema(async (access) => {
      const pending = await listPendingMigrations(access);
      // The first migration makes the table of pools.
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
