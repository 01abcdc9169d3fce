import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from './postgres.ts';

/** An empty place for a store. */
export interface Place {
  readonly url: string;
  remove(): Promise<void>;
}

async function filePlace(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-store-'));
  return { url: `sqlite:${join(folder, 'store.db')}`, remove: () => rm(folder, { recursive: true }) };
}

async function postgresPlace(): Promise<Place> {
  const database = await createTestDatabase();
  return { url: database.url, remove: () => database.drop() };
}

/** Every kind of place that a store can be opened at; the contract suites run on all of them. */
export const PLACES: Readonly<Record<string, () => Promise<Place>>> = {
  'SQLite in memory': async () => ({ url: 'sqlite::memory:', remove: async () => {} }),
  'SQLite file': filePlace,
  PostgreSQL: postgresPlace,
};

/** Those that outlive a closed store, and that several processes can open. */
export const LASTING_PLACES: Readonly<Record<string, () => Promise<Place>>> = {
  'SQLite file': filePlace,
  PostgreSQL: postgresPlace,
};
