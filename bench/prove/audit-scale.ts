import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { addUser, type TestService } from '../../e2e/support/services/test-service.ts';
import { withServiceLimits } from '../../packages/store/src/testing/postgres.ts';
import { PERSISTENT_LOCATIONS } from '../../packages/store/src/testing/store-locations.ts';
import { fitLine } from '../rig/line-fit.ts';
import { findMedian } from '../rig/statistics.ts';
import { addBallast, type BallastTable } from './ballast.ts';
import type { ProofResult } from './proof.ts';
import { withService } from './with-service.ts';

const SIZES = [10_000, 250_000, 500_000, 750_000, 1_000_000];
const EXTRAPOLATED = [10_000_000, 100_000_000];
const RUNS = 60;
/**
 * The maximum ratio of a page's time over the most events to its time over the fewest. The fastest run of each counts: other work of the
 * machine makes the median slower and says nothing about the index.
 */
const FLAT = 3;
const ADA = 'ada@example.com';

/** Copies of an event, in the past: ids are ordered by time. */
const EVENTS: readonly BallastTable[] = [
  {
    table: 'events',
    columns:
      'id user_pool_id at_ms type outcome client_id actor_kind actor_id sub username request_id source_address details expires_at_ms retention count'.split(
        ' ',
      ),
    where: `sub is not null and type like '%login%'`,
    changes: { id: `'0' || {number} || '-' || {key}`, sub: '{key}', username: '{key}' },
  },
];

/** Durations over the runs. */
interface Times {
  readonly medianMs: number;
  readonly leastMs: number;
}

interface SizeMeasurement {
  readonly events: number;
  readonly bytes: number;
  readonly page: Times;
  readonly user: Times;
  readonly type: Times;
  readonly login: Times;
}

async function readDatabaseBytes(url: string): Promise<number> {
  if (!url.startsWith('postgres')) return statSync(url.slice('sqlite:'.length)).size;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(`select pg_total_relation_size('events') as bytes`);
  await client.end();
  return Number(rows[0]?.bytes);
}

async function measureTimes(run: () => Promise<{ readonly status: number; readonly text: string }>): Promise<Times> {
  const times: number[] = [];
  for (let turn = 0; turn < RUNS; turn += 1) {
    const began = performance.now();
    const { status, text } = await run();
    times.push(performance.now() - began);
    if (status !== 200) throw new Error(text);
  }
  return { medianMs: findMedian(times), leastMs: Math.min(...times) };
}

async function measureSize(service: TestService, url: string, events: number): Promise<SizeMeasurement> {
  const audit = (query: string) => () => service.get(`/admin/audit${query}`, service.asAdmin);
  const body = { username: ADA, password: 'Correct-Horse1!' };
  const [newest] = ((await audit('')()).body.events ?? []) as readonly { readonly type: string }[];
  return {
    events,
    bytes: await readDatabaseBytes(url),
    page: await measureTimes(audit('')),
    user: await measureTimes(audit(`?user=${encodeURIComponent(ADA)}`)),
    type: await measureTimes(audit(`?type=${newest?.type ?? ''}`)),
    login: await measureTimes(() => service.post('/login', body)),
  };
}

async function measureSizes(
  url: string,
  sizes: readonly number[],
  tell: (line: string) => void,
): Promise<readonly SizeMeasurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-audit-'));
  try {
    await withService(url, folder, async (service) => {
      await addUser(service, ADA);
      await measureSize(service, url, 0);
    });
    const figures: SizeMeasurement[] = [];
    let filled = 0;
    for (const events of sizes) {
      await addBallast(url, EVENTS, filled, events);
      filled = events;
      figures.push(await withService(url, folder, (service) => measureSize(service, url, events)));
      tell(`${events} events: ${JSON.stringify(figures.at(-1))}`);
    }
    return figures;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function listTimes({ page, user, type, login }: SizeMeasurement): readonly Times[] {
  return [page, user, type, login];
}

const GIB = 1024 ** 3;

/** Fills the audit log and extrapolates its size. It measures the duration of its pages and of a login that writes to it. */
export async function proveAuditScale(tell: (line: string) => void, words: readonly string[]): Promise<ProofResult> {
  const sizes = words.length > 0 ? words.map(Number) : SIZES;
  const faults: string[] = [];
  const rows: string[] = [];
  const told: string[] = [];
  for (const [name, makePlace] of Object.entries(PERSISTENT_LOCATIONS)) {
    tell(name);
    const place = await makePlace();
    const url = place.url.startsWith('postgres') ? withServiceLimits(place.url) : place.url;
    const figures = await measureSizes(url, sizes, tell);
    await place.remove();
    const [least] = figures;
    for (const size of figures) {
      const times = listTimes(size);
      rows.push(
        `| ${name} | ${size.events} | ${(size.bytes / 1024 ** 2).toFixed(0)} | ${times.map(({ medianMs, leastMs }) => `${medianMs.toFixed(2)} (${leastMs.toFixed(2)})`).join(' | ')} |\n`,
      );
      const first = listTimes(least ?? size);
      if (times.some(({ leastMs }, index) => leastMs > FLAT * (first[index]?.leastMs ?? leastMs)))
        faults.push(`${name}: ${size.events} events are slow`);
    }
    const { slope, halfWidth } = fitLine(figures.map(({ events, bytes }) => [events, bytes]));
    const sized = EXTRAPOLATED.map(
      (events) =>
        `${events.toExponential(0)} events ${((slope * events) / GIB).toFixed(1)} ± ${((halfWidth * events) / GIB).toFixed(1)} GiB`,
    );
    told.push(`${name}: ${slope.toFixed(0)} ± ${halfWidth.toFixed(0)} bytes an event (95 %), so ${sized.join(', ')}`);
  }
  const table = `\n\n| store | events | MiB | page ms | of a user ms | of a type ms | login ms |\n|---|---|---|---|---|---|---|\n${rows.join('')}`;
  return {
    figure: `${told.join('; ')}; medians of ${RUNS}, with the fastest of them; faults: ${faults.length}.${table}`,
    faults,
  };
}
