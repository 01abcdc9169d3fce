import { after, it, type TestContext } from 'node:test';
import { POOL_LOCATIONS, type StoreLocation } from '@poolgate/store/testing';
import { HAS_REPLICAS, ON_COGNITO } from '../../../../e2e/support/provider/tested-provider.ts';

/** A kind of database on which all behavior of the pool is tested. */
export interface TestDatabase {
  readonly name: string;
  /** Returns the URL of a new, empty database. It is deleted after all tests of the file. */
  create(): Promise<string>;
  /**
   * Declares a test on SQLite only, for behavior without concurrency. The store's contract tests prove that each statement works the same
   * on PostgreSQL.
   */
  itOnSqlite(name: string, run: (context: TestContext) => void | Promise<void>): void;
}

/** If set to `true`, the pool is tested on SQLite only, as `npm run test:quick` does. */
export const ONE_DATABASE_VARIABLE = 'POOLGATE_TEST_ONE_DATABASE';

/**
 * Skips PostgreSQL for quick test runs, for runs on another pool, which stores little, and where a test service with a database in memory
 * means two replicas on PostgreSQL.
 */
const isOnOneDatabase = ON_COGNITO || HAS_REPLICAS || process.env[ONE_DATABASE_VARIABLE] === 'true';

/** The kind of file makes no difference to the pool; the store's own tests cover it. */
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
