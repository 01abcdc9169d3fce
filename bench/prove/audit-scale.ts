import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { addUser, startTestService, type TestService } from '../../e2e/support/test-service.ts';
import { underServiceLimits } from '../../packages/store/src/testing/postgres.ts';
import { PERSISTENT_LOCATIONS } from '../../packages/store/src/testing/store-locations.ts';
import { lineThrough } from '../rig/line.ts';
import { median } from '../rig/statistics.ts';
import { addBallast, type Ballast } from './ballast.ts';
import type { Outcome } from './proof.ts';

const SIZES = [10_000, 250_000, 500_000, 750_000, 1_000_000];
const EXTRAPOLATED = [10_000_000, 100_000_000];
const RUNS = 60;
/** A page may take so many times as long over the most events as over the fewest. */
const FLAT = 3;
const ADA = 'ada@example.com';

/** Copies of an event, in the past: ids are ordered by time. */
const EVENTS: readonly Ballast[] = [
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

interface Size {
  readonly events: number;
  readonly bytes: number;
  readonly pageMs: number;
  readonly userMs: number;
  readonly typeMs: number;
  readonly loginMs: number;
}

async function bytesOf(url: string): Promise<number> {
  if (!url.startsWith('postgres')) return statSync(url.slice('sqlite:'.length)).size;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(`select pg_total_relation_size('events') as bytes`);
  await client.end();
  return Number(rows[0]?.bytes);
}

async function timeOf(run: () => Promise<{ readonly status: number; readonly text: string }>): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < RUNS; turn += 1) {
    const began = performance.now();
    const { status, text } = await run();
    times.push(performance.now() - began);
    if (status !== 200) throw new Error(text);
  }
  return median(times);
}

async function measured(service: TestService, url: string, events: number): Promise<Size> {
  const audit = (query: string) => () => service.get(`/admin/audit${query}`, service.asAdmin);
  const body = { username: ADA, password: 'Correct-Horse1!' };
  const [newest] = ((await audit('')()).body.events ?? []) as readonly { readonly type: string }[];
  return {
    events,
    bytes: await bytesOf(url),
    pageMs: await timeOf(audit('')),
    userMs: await timeOf(audit(`?user=${encodeURIComponent(ADA)}`)),
    typeMs: await timeOf(audit(`?type=${newest?.type ?? ''}`)),
    loginMs: await timeOf(() => service.post('/login', body)),
  };
}

async function sizesOn(url: string, sizes: readonly number[], tell: (line: string) => void): Promise<readonly Size[]> {
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-audit-'));
  const service = await startTestService({ databaseUrl: url, dataDir: folder, threads: 1 });
  try {
    await addUser(service, ADA);
    await measured(service, url, 0);
    const figures: Size[] = [];
    let filled = 0;
    for (const events of sizes) {
      await addBallast(url, EVENTS, filled, events);
      filled = events;
      figures.push(await measured(service, url, events));
      tell(`${events} events: ${JSON.stringify(figures.at(-1))}`);
    }
    return figures;
  } finally {
    await service.close();
    rmSync(folder, { recursive: true });
  }
}

const GIB = 1024 ** 3;

/** Fills the audit log, measures what it takes and how long its pages and a login that writes to it take, and extrapolates. */
export async function auditScale(tell: (line: string) => void, words: readonly string[]): Promise<Outcome> {
  const sizes = words.length > 0 ? words.map(Number) : SIZES;
  const faults: string[] = [];
  const rows: string[] = [];
  const told: string[] = [];
  for (const [name, makePlace] of Object.entries(PERSISTENT_LOCATIONS)) {
    tell(name);
    const place = await makePlace();
    const url = place.url.startsWith('postgres') ? underServiceLimits(place.url) : place.url;
    const figures = await sizesOn(url, sizes, tell);
    await place.remove();
    const [least] = figures;
    for (const size of figures) {
      const times = [size.pageMs, size.userMs, size.typeMs, size.loginMs];
      rows.push(
        `| ${name} | ${size.events} | ${(size.bytes / 1024 ** 2).toFixed(0)} | ${times.map((ms) => ms.toFixed(2)).join(' | ')} |\n`,
      );
      const first = [least?.pageMs, least?.userMs, least?.typeMs, least?.loginMs];
      if (times.some((ms, index) => ms > FLAT * (first[index] ?? ms)))
        faults.push(`${name}: ${size.events} events are slow`);
    }
    const { slope, halfWidth } = lineThrough(figures.map(({ events, bytes }) => [events, bytes]));
    const sized = EXTRAPOLATED.map(
      (events) =>
        `${events.toExponential(0)} events ${((slope * events) / GIB).toFixed(1)} ± ${((halfWidth * events) / GIB).toFixed(1)} GiB`,
    );
    told.push(`${name}: ${slope.toFixed(0)} ± ${halfWidth.toFixed(0)} bytes an event (95 %), so ${sized.join(', ')}`);
  }
  const table = `\n\n| store | events | MiB | page ms | of a user ms | of a type ms | login ms |\n|---|---|---|---|---|---|---|\n${rows.join('')}`;
  return { figure: `${told.join('; ')}; medians of ${RUNS}; faults: ${faults.length}.${table}`, faults };
}
