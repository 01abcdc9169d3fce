import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sendRequest } from '../../e2e/support/requests/exchange.ts';
import { addUser, type TestService } from '../../e2e/support/services/test-service.ts';
import { withServiceLimits } from '../../packages/store/src/testing/postgres.ts';
import { PERSISTENT_LOCATIONS } from '../../packages/store/src/testing/store-locations.ts';
import { readDatabaseCost } from '../rig/database-cost.ts';
import { findMedian } from '../rig/statistics.ts';
import { addBallast, type BallastTable } from './ballast.ts';
import type { ProofResult } from './proof.ts';
import { withService } from './with-service.ts';

const SIZES = [1_000, 10_000, 100_000, 1_000_000];
const REAL_USERS = 40;
const LOGINS = 200;
const WARM_UP = 60;
/** The maximum ratio of a login's processor time among a million users to that among a thousand. */
const FLAT = 1.25;
const PASSWORD = 'Correct-Horse1!';

const USER = { username: '{key}' };
/** The rows of a user who has logged in once. */
const BALLAST: readonly BallastTable[] = [
  {
    table: 'users',
    columns:
      'pool_id username sub status enabled attributes mfa_methods preferred_mfa created_at_ms modified_at_ms'.split(
        ' ',
      ),
    where: `username = '{real}'`,
    changes: { ...USER, sub: '{key}' },
  },
  {
    table: 'names',
    columns: ['pool_id', 'name', 'username'],
    where: `username = '{real}'`,
    changes: { ...USER, name: `{key} || '@example.com'` },
  },
  {
    table: 'credentials',
    columns: 'pool_id username salt_hex verifier_sealed temporary_until_ms set_at_ms'.split(' '),
    where: `username = '{real}'`,
    changes: USER,
  },
  {
    table: 'logins',
    columns:
      'id pool_id client_id username auth_time_seconds refresh_expires_at_ms generation rotated_at_ms revoked_at_ms device_key source_address scope audience created_at_ms'.split(
        ' ',
      ),
    where: `username = '{real}'`,
    changes: { ...USER, id: '{key}' },
  },
];

interface Size {
  readonly users: number;
  readonly cpuMs: number;
  /** Of the database server, per login. */
  readonly serverMs: number | undefined;
  readonly logBytes: number | undefined;
  /** Of the whole database. */
  readonly bytes: number;
  readonly p50Ms: number;
}

async function measureSize(service: TestService, url: string, emails: readonly string[], users: number): Promise<Size> {
  const logIn = async (number: number): Promise<number> => {
    const began = performance.now();
    const body = { username: emails[number % emails.length], password: PASSWORD };
    const { status, text } = await sendRequest(service.url, 'POST', '/login', { body });
    if (status !== 200) throw new Error(text);
    return performance.now() - began;
  };
  for (let number = 0; number < WARM_UP; number += 1) await logIn(number);
  const database = await readDatabaseCost(url);
  const before = process.cpuUsage();
  const times: number[] = [];
  for (let number = 0; number < LOGINS; number += 1) times.push(await logIn(number));
  const { user, system } = process.cpuUsage(before);
  const { cpuSeconds, logBytes, bytes } = await readDatabaseCost(url);
  const each = (after: number | undefined, first: number | undefined): number | undefined =>
    after === undefined || first === undefined ? undefined : (after - first) / LOGINS;
  return {
    users,
    cpuMs: (user + system) / 1_000 / LOGINS,
    serverMs: each(cpuSeconds, database.cpuSeconds),
    logBytes: each(logBytes, database.logBytes),
    bytes,
    p50Ms: findMedian(times),
  };
}

async function measureSizes(
  url: string,
  sizes: readonly number[],
  tell: (line: string) => void,
): Promise<readonly Size[]> {
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-scale-'));
  try {
    const emails = Array.from({ length: REAL_USERS }, (_, index) => `${(index * 6) % 10}real-${index}@example.com`);
    let real = '';
    await withService(url, folder, async (service) => {
      for (const email of emails) real = await addUser(service, email, PASSWORD);
      await measureSize(service, url, emails, REAL_USERS);
    });
    const ballast = BALLAST.map((each) => ({ ...each, where: each.where.replace('{real}', real) }));
    const figures: Size[] = [];
    let filled = REAL_USERS;
    for (const users of sizes) {
      await addBallast(url, ballast, filled, users);
      filled = users;
      figures.push(await withService(url, folder, (service) => measureSize(service, url, emails, users)));
      tell(`${users} users: ${JSON.stringify(figures.at(-1))}`);
    }
    return figures;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Measures logins with growing numbers of users, on both stores. The words are the numbers of users. */
export async function proveLoginScale(tell: (line: string) => void, words: readonly string[]): Promise<ProofResult> {
  const sizes = words.length > 0 ? words.map(Number) : SIZES;
  const faults: string[] = [];
  const rows: string[] = [];
  for (const [name, makePlace] of Object.entries(PERSISTENT_LOCATIONS)) {
    tell(name);
    const place = await makePlace();
    const url = place.url.startsWith('postgres') ? withServiceLimits(place.url) : place.url;
    const figures = await measureSizes(url, sizes, tell);
    await place.remove();
    const [least] = figures;
    for (const { users, cpuMs, p50Ms, serverMs, logBytes, bytes } of figures) {
      const ratio = least === undefined ? 1 : cpuMs / least.cpuMs;
      const ofServer = serverMs === undefined ? '–' : (serverMs * 1_000).toFixed(2);
      const ofLog = logBytes?.toFixed(0) ?? '–';
      const columns = [
        name,
        users,
        cpuMs.toFixed(2),
        ratio.toFixed(2),
        ofServer,
        ofLog,
        p50Ms.toFixed(2),
        (bytes / 1024 ** 2).toFixed(0),
      ];
      rows.push(`| ${columns.join(' | ')} |\n`);
      if (ratio > FLAT) faults.push(`${name}: a login among ${users} users takes ${ratio.toFixed(2)} times as much`);
    }
  }
  const table = `\n\n| store | users | CPU ms a login, with its client | against the fewest | of the database server | bytes of its log | p50 ms | MiB |\n|---|---|---|---|---|---|---|---|\n${rows.join('')}`;
  return {
    figure: `${LOGINS} logins by password at each size, one after the other; faults: ${faults.length}.${table}`,
    faults,
  };
}
