import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { logInUntil, type Slowness, slowClients, startSilentTarget } from '../../e2e/proofs/hardships.ts';
import { exchange } from '../../e2e/support/exchange.ts';
import { lostOf, startLedger } from '../../e2e/support/ledger.ts';
import { ADMIN_BEARER, type ServiceProcess, startServiceProcess } from '../../e2e/support/service-process.ts';
import type { Outcome } from './proof.ts';

/** Each reader has the service make the largest of its answers. */
const SLOW_CLIENTS: Readonly<Record<Slowness, number>> = { head: 2_000, body: 2_000, reader: 200 };
/** Longer than the service waits for a head (10 s) or a body (15 s). */
const SLOW_MS = 30_000;
const SILENT_MS = 20_000;
const DESCRIPTORS = 256;
const CONNECTIONS = 600;
const HEAP_MEBIBYTES = 80;
const CROWD = 150;
const CROWD_MS = 20_000;
/** Nobody who is not slow waits for longer. */
const LONGEST_MS = 5_000;

const asAdmin = { authorization: `Bearer ${ADMIN_BEARER}` };

interface Hardship {
  readonly name: string;
  readonly environment?: Readonly<Record<string, string>>;
  run(service: ServiceProcess, faults: string[]): Promise<string>;
}

const slow = (slowness: Slowness): Hardship => ({
  name: `${SLOW_CLIENTS[slowness]} clients that are slow: ${slowness}`,
  async run({ url }, faults) {
    let left = 0;
    const ended = slowClients(url, slowness, SLOW_CLIENTS[slowness], SLOW_MS).then((count) => {
      left = count;
    });
    const { answered, longestMs, faults: met } = await logInUntil(url, ended);
    // What comes at once beyond what the service can do is refused, whoever asks.
    faults.push(...met.filter((answer) => slowness !== 'reader' || !answer.startsWith('503')));
    if (longestMs > LONGEST_MS) faults.push(`a login takes ${longestMs.toFixed(0)} ms`);
    // Whoever has read what fits into the buffers is no burden: such a connection ends when it is idle for long.
    if (slowness !== 'reader' && left > 0) faults.push(`${left} connections are open after ${SLOW_MS / 1000} s`);
    return `${answered} logins meanwhile, the longest ${longestMs.toFixed(0)} ms, ${left} connections left`;
  },
});

/** Holds as many connections as it can get. */
async function crowdedOut({ url }: ServiceProcess): Promise<readonly Socket[]> {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(Number(port), hostname).on('error', () => {}));
  await delay(2_000);
  return sockets;
}

const DESCRIPTOR_LIMIT: Hardship = {
  name: `${DESCRIPTORS} file descriptors and ${CONNECTIONS} connections`,
  async run(service, faults) {
    const written = { url: service.url, asAdmin };
    const before = startLedger(written, 'before');
    await before.next('created');
    const { created } = await before.stop();
    execFileSync('prlimit', ['--pid', String(service.pid), `--nofile=${DESCRIPTORS}`]);
    const sockets = await crowdedOut(service);
    for (const socket of sockets) socket.destroy();
    const end = performance.now() + LONGEST_MS;
    const isServed = async (): Promise<boolean> =>
      (await exchange(service.url, 'GET', '/readyz').catch(() => ({ status: 0 }))).status === 200;
    while (!(await isServed())) {
      if (performance.now() > end) {
        faults.push('it does not serve after the connections have gone');
        break;
      }
      await delay(20);
    }
    const { answered, faults: met } = await logInUntil(service.url, delay(1_000));
    faults.push(...met, ...(await lostOf(written, created)));
    return `${answered} logins when they had gone`;
  },
};

const HEAP_LIMIT: Hardship = {
  name: `a heap of ${HEAP_MEBIBYTES} MiB and ${CROWD} clients with large bodies`,
  environment: { NODE_OPTIONS: `--max-old-space-size=${HEAP_MEBIBYTES}` },
  async run({ url }, faults) {
    const body = JSON.stringify({ username: 'u'.repeat(60_000), password: 'p'.repeat(60_000) });
    const end = performance.now() + CROWD_MS;
    let refused = 0;
    const crowd = Promise.all(
      Array.from({ length: CROWD }, async () => {
        while (performance.now() < end) {
          const { status } = await exchange(url, 'POST', '/login', { body }).catch(() => ({ status: 0 }));
          if (status >= 400 && status <= 503) refused += 1;
          else faults.push(`a body that is too large is answered by ${status}`);
        }
      }),
    );
    const { answered, longestMs, faults: met } = await logInUntil(url, crowd);
    faults.push(...met.filter((answer) => !answer.startsWith('503')));
    return `${refused} large bodies refused, ${answered} logins meanwhile, the longest ${longestMs.toFixed(0)} ms`;
  },
};

async function silentTargets(faults: string[]): Promise<string> {
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
    const made = await exchange(service.url, 'POST', '/admin/webhooks', { headers: asAdmin, body: hook });
    if (made.status !== 201) faults.push(`the webhook is answered by ${made.status} ${made.text}`);
    const writer = startLedger({ url: service.url, asAdmin }, 'silent');
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

const HARDSHIPS: readonly Hardship[] = [slow('head'), slow('body'), slow('reader'), DESCRIPTOR_LIMIT, HEAP_LIMIT];

/** Makes it hard for a service: slow clients, few descriptors, little memory, mail servers and webhooks that say nothing. */
export async function hardships(tell: (line: string) => void): Promise<Outcome> {
  const figures: string[] = [];
  const faults: string[] = [];
  const note = (name: string, figure: string, found: readonly string[]): void => {
    figures.push(`${name}: ${figure}`);
    faults.push(...found.map((fault) => `${name}: ${fault}`));
    tell(figures.at(-1) ?? '');
  };
  for (const { name, environment = {}, run } of HARDSHIPS) {
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
  const found: string[] = [];
  note('a mail server and a webhook that say nothing', await silentTargets(found), found);
  return { figure: `${figures.join('; ')}; faults: ${faults.length}.`, faults };
}
