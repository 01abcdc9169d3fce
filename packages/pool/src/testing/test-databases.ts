import { after, it, type TestContext } from 'node:test';
import { POOL_LOCATIONS, type StoreLocation } from '@poolgate/store/testing';
import { HAS_REPLICAS, ON_COGNITO } from '../../../../e2e/support/provider/tested-provider.ts';

/** A kind of database that every behaviour of the pool is tried on. */
export interface TestDatabase {
  readonly name: string;
  /** The URL of a new, empty database. It is removed when all tests of the file have run. */
  create(): Promise<string>;
  /**
   * Declares a test on SQLite only. Use it where nothing happens at the same time: the contract of the store proves that each
   * statement does the same on PostgreSQL.
   */
  itOnSqlite(name: string, run: (context: TestContext) => void | Promise<void>): void;
}

/** Set to `true`, the behaviours of the pool are tried on SQLite alone: what `npm run test:quick` does. */
export const ONE_DATABASE_VARIABLE = 'POOLGATE_TEST_ONE_DATABASE';

/**
 * Where PostgreSQL is left out: between two changes, before another pool, which leaves little to keep, and where a test service that
 * asks for a database in memory is two replicas on PostgreSQL.
 */
const isOnOneDatabase = ON_COGNITO || HAS_REPLICAS || process.env[ONE_DATABASE_VARIABLE] === 'true';

/** What a file lies in makes no difference to the pool; the store's own tests look at that. */
const KINDS: readonly string[] = isOnOneDatabase ? ['SQLite in memory'] : ['SQLite in memory', 'PostgreSQL'];

/** Declares the same tests once for each kind of database. */
export function forEachDatabase(declare: (database: TestDatabase) => void): void {
  const places: StoreLocation[] = [];
  for (const name of KINDS) {
    const make = POOL_LOCATIONS[name];
    if (make === undefined) throw new RangeError(`${name} is no kind of database`);
    declare({
      name,
      async create() {
        const place = await make();
        places.push(place);
        return place.url;
      },
      itOnSqlite: name.startsWith('SQLite') ? it : () => {},
    });
  }
  after(async () => {
    for (const place of places) await place.remove();
  });
}
