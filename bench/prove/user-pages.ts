import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importUsers, openPoolFile, type PoolFile, toEmail } from '../peers/pool-file.ts';
import { findMedian } from '../rig/statistics.ts';

/** Durations of pages in milliseconds, with this number of users. */
interface PageTimes {
  readonly users: number;
  readonly firstMs: number;
  readonly searchMs: number;
}

const SIZES = [1_000, 100_000, 1_000_000];
const CALL = { requestId: 'prove', sourceAddress: '127.0.0.1' };
const RUNS = 200;

/** Fills a pool in steps, and measures the first page of users and a search by address at each. */
export async function measureUserPages(tell: (line: string) => void): Promise<readonly PageTimes[]> {
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-user-pages-'));
  const opened = await openPoolFile(join(folder, 'users.db'));
  try {
    const figures: PageTimes[] = [];
    let filled = 0;
    for (const users of SIZES) {
      await importUsers(opened, filled, users);
      filled = users;
      figures.push(await measurePages(opened, users));
      tell(`${users} users: ${JSON.stringify(figures.at(-1))}`);
    }
    return figures;
  } finally {
    await opened.close();
    rmSync(folder, { recursive: true });
  }
}

async function measurePages({ pool, userPoolId }: PoolFile, users: number): Promise<PageTimes> {
  const list = (filter: { readonly Filter?: string }) =>
    pool.operations.listUsers({ UserPoolId: userPoolId, Limit: 20, ...filter }, CALL);
  const first: number[] = [];
  const search: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    first.push(await measureTime(() => list({})));
    const email = toEmail(Math.floor((run * users) / RUNS));
    search.push(await measureTime(() => list({ Filter: `email = "${email}"` })));
  }
  return { users, firstMs: findMedian(first), searchMs: findMedian(search) };
}

async function measureTime(page: () => Promise<{ readonly Users?: readonly unknown[] }>): Promise<number> {
  const began = performance.now();
  const { Users = [] } = await page();
  if (Users.length === 0) throw new Error('the page is empty');
  return performance.now() - began;
}
