import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { logInUntil, type Slowness, slowClients, startSilentTarget } from '../../e2e/proofs/hardships.ts';
import { sendRequest } from '../../e2e/support/requests/exchange.ts';
import { ADMIN_BEARER, type ServiceProcess, startServiceProcess } from '../../e2e/support/services/service-process.ts';
import { listLostUsers, startLedgerWriter } from '../../e2e/support/services/write-ledger.ts';
import { findQuantile } from '../rig/statistics.ts';
import type { ProofResult } from './proof.ts';

const SLOW_CLIENTS = 2_000;
const PER_SECOND = 200;
/** Longer than the service waits for a header (10 s), for a body (15 s), and until a response is read (60 s, or 65 s without a request). */
const SLOW_MS: Readonly<Record<Slowness, number>> = { head: 30_000, body: 30_000, reader: 90_000 };
/** The maximum ratio of a login's wait to that without the hardship, plus a moment. */
const MOST_LONGER = 1.25;
const MOMENT_MS = 10;
const BEFORE_MS = 10_000;
/** The interval at which one user logs in without reaching a limit. */
const PAUSE_MS = 150;
const SILENT_MS = 20_000;
const DESCRIPTORS = 256;
const CONNECTIONS = 600;
const HEAP_MEBIBYTES = 80;
const CROWD = 150;
const CROWD_MS = 20_000;
/** The maximum wait of every client that is not slow. */
const LONGEST_MS = 5_000;
const MEMORY_MEBIBYTES = 256;

const asAdmin = { authorization: `Bearer ${ADMIN_BEARER}` };

interface Hardship {
  readonly name: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  run(service: ServiceProcess, faults: string[]): Promise<string>;
}

/** The default limits of a service behind a trusted proxy. */
const DEFAULT_ENVIRONMENT: Hardship['environment'] = {
  POOLGATE_TRUSTED_PROXIES: '127.0.0.1',
  POOLGATE_LIMIT_READS: undefined,
  POOLGATE_LIMIT_LOGIN_STEPS: undefined,
  POOLGATE_LIMIT_USER_STEPS: undefined,
};

/** Returns a process's peak memory in MiB. */
function readPeakMemory({ pid }: ServiceProcess): number {
  const [, kibibytes = 'NaN'] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kibibytes) / 1024);
}

/** Returns the number of a process's open sockets. */
function countSockets({ pid }: ServiceProcess): number {
  const folder = `/proc/${pid}/fd`;
  const isSocket = (name: string): boolean => {
    try {
      return readlinkSync(join(folder, name)).startsWith('socket:');
    } catch {
      return false;
    }
  };
  return readdirSync(folder).filter(isSocket).length;
}

const createSlowClients = (slowness: Slowness): Hardship => ({
  name: `${SLOW_CLIENTS} clients that are slow: ${slowness}`,
  environment: DEFAULT_ENVIRONMENT,
  async run(service, faults) {
    const { url } = service;
    await logInUntil(url, delay(BEFORE_MS / 2), PAUSE_MS);
    const before = await logInUntil(url, delay(BEFORE_MS), PAUSE_MS);
    let left = 0;
    const own = countSockets(service);
    const open = (): number => Math.max(0, countSockets(service) - own);
    const crowd = { count: SLOW_CLIENTS, mostMs: SLOW_MS[slowness], perSecond: PER_SECOND, open };
    const ended = slowClients(url, slowness, crowd).then((count) => {
      left = count;
    });
    const { answered, longestMs, allMs, faults: met } = await logInUntil(url, ended, PAUSE_MS);
    faults.push(...before.faults, ...met);
    const [usual, now] = [findQuantile(before.allMs, 0.99), findQuantile(allMs, 0.99)];
    if (longestMs > LONGEST_MS) faults.push(`a login takes ${longestMs.toFixed(0)} ms`);
    if (now > usual * MOST_LONGER + MOMENT_MS)
      faults.push(`logins take ${now.toFixed(0)} ms in place of ${usual.toFixed(0)} (p99)`);
    if (left > 0) faults.push(`${left} connections are open after ${SLOW_MS[slowness] / 1000} s`);
    return `${answered} logins meanwhile, ${now.toFixed(0)} ms (p99) in place of ${usual.toFixed(0)}, the longest ${longestMs.toFixed(0)} ms, ${left} connections left, ${readPeakMemory(service)} MiB at most`;
  },
});

/** Opens as many connections as possible. */
async function fillConnections({ url }: ServiceProcess): Promise<readonly Socket[]> {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(Number(port), hostname).on('error', () => {}));
  await delay(2_000);
  return sockets;
}

const DESCRIPTOR_LIMIT: Hardship = {
  name: `${DESCRIPTORS} file descriptors and ${CONNECTIONS} connections`,
  async run(service, faults) {
    const written = { url: service.url, asAdmin };
    const before = startLedgerWriter(written, 'before');
    await before.next('created');
    const { created } = await before.stop();
    execFileSync('prlimit', ['--pid', String(service.pid), `--nofile=${DESCRIPTORS}`]);
    const sockets = await fillConnections(service);
    for (const socket of sockets) socket.destroy();
    const end = performance.now() + LONGEST_MS;
    const isServed = async (): Promise<boolean> =>
      (await sendRequest(service.url, 'GET', '/readyz').catch(() => ({ status: 0 }))).status === 200;
    while (!(await isServed())) {
      if (performance.now() > end) {
        faults.push('it does not serve after the connections have gone');
        break;
      }
      await delay(20);
    }
    const { answered, faults: met } = await logInUntil(service.url, delay(1_000));
    faults.push(...met, ...(await listLostUsers(written, created)));
    return `${answered} logins when they had gone`;
  },
};

/** Many clients with large bodies, while one user logs in. */
async function proveCrowd({ url }: ServiceProcess, faults: string[]): Promise<string> {
  const body = JSON.stringify({ username: 'u'.repeat(60_000), password: 'p'.repeat(60_000) });
  const end = performance.now() + CROWD_MS;
  let refused = 0;
  const all = Promise.all(
    Array.from({ length: CROWD }, async () => {
      while (performance.now() < end) {
        const { status } = await sendRequest(url, 'POST', '/login', { body }).catch(() => ({ status: 0 }));
        if (status >= 400 && status <= 503) refused += 1;
        else faults.push(`a body that is too large is answered by ${status}`);
      }
    }),
  );
  const { answered, longestMs, faults: met } = await logInUntil(url, all);
  faults.push(...met.filter((answer) => !answer.startsWith('503')));
  return `${refused} large bodies refused, ${answered} logins meanwhile, the longest ${longestMs.toFixed(0)} ms`;
}

const HEAP_LIMIT: Hardship = {
  name: `a heap of ${HEAP_MEBIBYTES} MiB and ${CROWD} clients with large bodies`,
  environment: { NODE_OPTIONS: `--max-old-space-size=${HEAP_MEBIBYTES}` },
  run: proveCrowd,
};

/** Returns the kernel's folder of memory limits, with the names of either version; undefined if this process may set none. */
function createMemoryGroup(): { readonly folder: string; readonly limit: string; readonly most: string } | undefined {
  const kinds = [
    ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes', 'memory.max_usage_in_bytes'],
    ['/sys/fs/cgroup', 'memory.max', 'memory.peak'],
  ] as const;
  for (const [root, limit, most] of kinds) {
    const folder = join(root, `poolgate-hardship-${process.pid}`);
    try {
      mkdirSync(folder);
      if (existsSync(join(folder, limit))) return { folder, limit, most };
      rmdirSync(folder);
    } catch {}
  }
  return undefined;
}

/** Less memory than a separate container would have, for everything: heap, threads, buffers and file cache. */
async function proveLittleMemory(faults: string[]): Promise<string> {
  const group = createMemoryGroup();
  if (group === undefined) return 'not run: no control group can be made here';
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-memory-'));
  const service = await startServiceProcess(folder, { NODE_ENV: 'development', POOLGATE_OVERLOAD_MS: undefined });
  try {
    writeFileSync(join(group.folder, group.limit), String(MEMORY_MEBIBYTES * 1024 * 1024));
    // The existing memory counts too, if the kernel can move it.
    try {
      writeFileSync(join(group.folder, 'memory.move_charge_at_immigrate'), '3');
    } catch {}
    writeFileSync(join(group.folder, 'cgroup.procs'), String(service.pid));
    const figure = await proveCrowd(service, faults);
    const { answered, faults: met } = await logInUntil(service.url, delay(2_000));
    faults.push(...met);
    const most = Number(readFileSync(join(group.folder, group.most), 'utf8')) / 1024 / 1024;
    return `${figure}; ${answered} logins afterwards; ${most.toFixed(0)} MiB at most`;
  } finally {
    const code = await service.stop();
    if (code !== 0) faults.push(`the service ended with ${code}`);
    rmdirSync(group.folder);
    rmSync(folder, { recursive: true });
  }
}

async function proveSilentTargets(faults: string[]): Promise<string> {
  const target = await startSilentTarget();
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-silent-'));
  const service = await startServiceProcess(folder, {
    NODE_ENV: 'production',
    POOLGATE_SECRET: 'a-production-secret-of-forty-characters!',
    BASE_URL: 'http://localhost',
    POOLGATE_SMTP_URL: `smtp://127.0.0.1:${target.port}`,
    POOLGATE_MAIL_FROM: 'login@example.com',
    POOLGATE_WEBHOOK_PRIVATE: 'true',
  });
  try {
    const url = `http://127.0.0.1:${target.port}/events`;
    const hook = { url, description: 'silent' };
    const made = await sendRequest(service.url, 'POST', '/admin/webhooks', { headers: asAdmin, body: hook });
    if (made.status !== 201) faults.push(`the webhook is answered by ${made.status} ${made.text}`);
    const writer = startLedgerWriter({ url: service.url, asAdmin }, 'silent');
    await delay(SILENT_MS);
    const { created, refused, others, longestMs } = await writer.stop();
    faults.push(...others, ...(refused > 0 ? [`${refused} users were refused`] : []));
    if (longestMs > LONGEST_MS) faults.push(`a user takes ${longestMs.toFixed(0)} ms`);
    if (target.taken() === 0) faults.push('nothing was sent to the silent targets');
    return `${created.length} users invited, the longest ${longestMs.toFixed(0)} ms`;
  } finally {
    await service.stop();
    await target.close();
    rmSync(folder, { recursive: true });
  }
}

const HARDSHIPS: readonly Hardship[] = [
  createSlowClients('head'),
  createSlowClients('body'),
  createSlowClients('reader'),
  DESCRIPTOR_LIMIT,
  HEAP_LIMIT,
];

/** Tests a service under hard conditions: slow clients, few descriptors, little memory, silent mail servers and webhooks. */
export async function proveHardships(
  tell: (line: string) => void,
  [names = '.']: readonly string[],
): Promise<ProofResult> {
  const wanted = new RegExp(names);
  const figures: string[] = [];
  const faults: string[] = [];
  const note = (name: string, figure: string, found: readonly string[]): void => {
    figures.push(`${name}: ${figure}`);
    faults.push(...found.map((fault) => `${name}: ${fault}`));
    tell(figures.at(-1) ?? '');
  };
  for (const { name, environment = {}, run } of HARDSHIPS.filter((hardship) => wanted.test(hardship.name))) {
    const folder = mkdtempSync(join(tmpdir(), 'poolgate-hardship-'));
    const service = await startServiceProcess(folder, {
      NODE_ENV: 'development',
      POOLGATE_OVERLOAD_MS: undefined,
      ...environment,
    });
    const found: string[] = [];
    note(name, await run(service, found), found);
    const code = await service.stop();
    if (code !== 0) faults.push(`${name}: the service ended with ${code}`);
    rmSync(folder, { recursive: true });
  }
  for (const [name, run] of [
    [`${MEMORY_MEBIBYTES} MiB of memory and ${CROWD} clients with large bodies`, proveLittleMemory],
    ['a mail server and a webhook that say nothing', proveSilentTargets],
  ] as const) {
    if (!wanted.test(name)) continue;
    const found: string[] = [];
    note(name, await run(found), found);
  }
  return { figure: `${figures.join('; ')}; faults: ${faults.length}.`, faults };
}
