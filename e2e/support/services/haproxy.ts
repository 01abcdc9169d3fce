import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from './wait-for-port.ts';

const LOOK_MS = 20;

/** Its defaults, except for its address and its servers. It adds no header. */
const formatSettings = (port: number, urls: readonly string[]): string => `global
  maxconn 2000
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend clients
  bind 127.0.0.1:${port}
  default_backend replicas
backend replicas
  balance random(1)
  option httpchk GET /readyz
${urls.map((url, index) => `  server replica${index} ${new URL(url).host} check inter 1s`).join('\n')}
`;

/** HAProxy in front of services; it selects a service at random for each request. */
export interface Haproxy {
  readonly url: string;
  /** Starts it in front of these services, and waits until it listens. */
  use(urls: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Reserves a free port, so that services know its URL before they start. */
export async function reserveHaproxy(program: string): Promise<Haproxy> {
  const port = await findFreePort();
  let stop = (): Promise<void> => Promise.resolve();
  return {
    url: `http://127.0.0.1:${port}`,
    use: async (urls) => {
      stop = await startHaproxy(program, port, urls);
    },
    close: () => stop(),
  };
}

/** @returns ends it */
async function startHaproxy(program: string, port: number, urls: readonly string[]): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-haproxy-'));
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, formatSettings(port, urls));
  const child = spawn(program, ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let told = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    told += text;
  });
  const ended = once(child, 'exit');
  const listens = async (): Promise<boolean> => {
    const socket = connect(port, '127.0.0.1');
    const isUp = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    return isUp;
  };
  while (!(await listens())) {
    if (child.exitCode !== null) throw new Error(`HAProxy ended with ${child.exitCode}: ${told.slice(-500)}`);
    await delay(LOOK_MS);
  }
  return async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true });
  };
}
