import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, execute } from '@poolgate/store/testing';
import { start } from 'poolgate';
import { TestClock } from '../../packages/pool/src/testing/test-environment.ts';
import { type TestService, toTestService } from '../support/services/test-service.ts';
import { RELEASE_OPTIONS, type ReleaseStore, readDump, readRelease } from './release.ts';

/** The place of a store, and its removal. */
export interface StoreLocation {
  readonly url: string;
  /** A folder next to it. */
  readonly dataDir: string;
  remove(): Promise<void>;
}

/** An empty location for a store of one kind. */
export async function newStoreLocation(store: ReleaseStore): Promise<StoreLocation> {
  const dataDir = await mkdtemp(join(tmpdir(), 'poolgate-release-'));
  const removeFolder = () => rm(dataDir, { recursive: true, force: true });
  if (store === 'sqlite') return { url: `sqlite:${join(dataDir, 'poolgate.db')}`, dataDir, remove: removeFolder };
  const database = await createTestDatabase();
  return { url: database.url, dataDir, remove: () => database.drop().then(removeFolder) };
}

/** Serves a release's store with the current code, some milliseconds after the release created it. */
export async function openStoreOfRelease(version: string, store: ReleaseStore, afterMs: number): Promise<TestService> {
  const { atMs } = readRelease(version);
  const place = await newStoreLocation(store);
  await execute(place.url, readDump(version, store));
  const clock = new TestClock(atMs + afterMs);
  const { url: databaseUrl, dataDir } = place;
  const service = await start({ ...RELEASE_OPTIONS, databaseUrl, dataDir, clock });
  const replica = () => Promise.reject(new TypeError('a kept store is served once'));
  return toTestService(service, clock, { dataDir, replica, afterwards: place.remove });
}
