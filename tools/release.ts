/**
 * Stores a release: `npm run release`. It packs every package, serves a SQLite and a PostgreSQL store with the packed program, and writes
 * digests and dumps to `e2e/releases/<version>`, which every later version must open. `npm run release -- 2.0.6` first raises the version
 * everywhere. Before a release, `side-by-side` compares its cost with the last release and with the baseline (CONTRIBUTING, Release).
 */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { dumpDatabase } from '@poolgate/store/testing';
import { newStoreLocation, type StoreLocation } from '../e2e/releases/open-store-of-release.ts';
import { populate } from '../e2e/releases/populate.ts';
import {
  RELEASE_OPTIONS,
  RELEASE_SECRET,
  RELEASE_STORES,
  type ReleasePool,
  type ReleaseStore,
} from '../e2e/releases/release.ts';
import { toTestService } from '../e2e/support/services/test-service.ts';
import { TestClock } from '../packages/pool/src/testing/test-environment.ts';
import { packAll } from './pack.ts';
import { raiseVersion } from './raise-version.ts';

type Program = typeof import('poolgate');

const root = fileURLToPath(new URL('..', import.meta.url));
const [wanted] = process.argv.slice(2);
if (wanted !== undefined) raiseVersion(root, wanted);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const kept = join(root, 'e2e/releases', version);

/** The packed program. */
interface InstalledRelease {
  readonly start: Program['start'];
  /** The file that runs its commands. */
  readonly main: string;
}

/** Installs the tarballs into an empty folder. */
async function install(tarballs: readonly string[], project: string): Promise<InstalledRelease> {
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "name": "release", "private": true }');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...tarballs], {
    cwd: project,
    stdio: 'inherit',
  });
  const dist = join(project, 'node_modules/poolgate/dist');
  const { start } = (await import(pathToFileURL(join(dist, 'index.js')).href)) as Program;
  return { start, main: join(dist, 'main.js') };
}

function createAdminKey({ main }: InstalledRelease, { url, dataDir }: StoreLocation): string {
  const words = ['admin-key', 'create', 'kept', '--scope', 'users:read', '--days', '3650', '--json'];
  const env = { DATABASE_URL: url, POOLGATE_DATA_DIR: dataDir, POOLGATE_SECRET: RELEASE_SECRET };
  const printed = execFileSync(process.execPath, [main, ...words], { encoding: 'utf8', env });
  return (JSON.parse(printed) as { bearer: string }).bearer;
}

/** Dumps a store that the packed program created. */
async function dumpStore(packed: InstalledRelease, store: ReleaseStore, atMs: number): Promise<ReleasePool> {
  const place = await newStoreLocation(store);
  try {
    const clock = new TestClock(atMs);
    const { url: databaseUrl, dataDir } = place;
    const service = await packed.start({ ...RELEASE_OPTIONS, databaseUrl, dataDir, clock });
    const replica = () => Promise.reject(new TypeError('one service makes a kept store'));
    const pool = await populate(toTestService(service, clock, { dataDir, replica, afterwards: async () => {} }));
    await service.close();
    const adminBearer = createAdminKey(packed, place);
    writeFileSync(join(kept, `${store}.sql`), await dumpDatabase(databaseUrl));
    return { ...pool, adminBearer };
  } finally {
    await place.remove();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'poolgate-release-'));
try {
  const tarballs = await packAll(join(folder, 'tarballs'));
  const packed = await install(tarballs, join(folder, 'project'));
  mkdirSync(kept, { recursive: true });
  const atMs = Math.floor(Date.now() / 60_000) * 60_000;
  const pools: Partial<Record<ReleaseStore, ReleasePool>> = {};
  for (const store of RELEASE_STORES) pools[store] = await dumpStore(packed, store, atMs);
  const digests = tarballs.map((path) => [
    basename(path),
    createHash('sha256').update(readFileSync(path)).digest('hex'),
  ]);
  const release = { version, atMs, tarballs: Object.fromEntries(digests.sort()), pools };
  writeFileSync(join(kept, 'release.json'), `${JSON.stringify(release, null, 2)}\n`);
  console.log(
    'Before you publish, run side-by-side against the last release and against 8072be6 (CONTRIBUTING.md, Release).',
  );
  console.log(`kept ${version}: ${tarballs.length} packages, ${RELEASE_STORES.join(' and ')}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
