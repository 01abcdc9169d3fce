import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMigratedDatabase, createTestDatabase, type TestDatabase } from './postgres.ts';

/** An empty location for a store. */
export interface StoreLocation {
  readonly url: string;
  remove(): Promise<void>;
}

async function createFileLocation(): Promise<StoreLocation> {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-store-'));
  return { url: `sqlite:${join(folder, 'store.db')}`, remove: () => rm(folder, { recursive: true }) };
}

async function createPostgresLocation(create: () => Promise<TestDatabase>): Promise<StoreLocation> {
  const database = await create();
  return { url: database.url, remove: () => database.drop() };
}

/** Every kind of location of a store. The contract suites run on all of them. */
export const STORE_LOCATIONS: Readonly<Record<string, () => Promise<StoreLocation>>> = {
  'SQLite in memory': async () => ({ url: 'sqlite::memory:', remove: async () => {} }),
  'SQLite file': createFileLocation,
  PostgreSQL: () => createPostgresLocation(createTestDatabase),
};

/** The same for tests that start a pool. On PostgreSQL the schema already exists, which saves its migrations. */
export const POOL_LOCATIONS: Readonly<Record<string, () => Promise<StoreLocation>>> = {
  ...STORE_LOCATIONS,
  PostgreSQL: () => createPostgresLocation(createMigratedDatabase),
};

/** Locations that outlive a closed store and that several processes can open. */
export const PERSISTENT_LOCATIONS: Readonly<Record<string, () => Promise<StoreLocation>>> = {
  'SQLite file': createFileLocation,
  PostgreSQL: () => createPostgresLocation(createTestDatabase),
};
