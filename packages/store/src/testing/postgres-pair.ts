import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { findFreePort } from './free-port.ts';
import { endAtExit, loadEmbeddedPostgres, SERVER_FLAGS } from './postgres.ts';

/** A primary and its standby with streaming replication. */
export interface PostgresPair {
  /** A URL with both, the standby first. */
  readonly url: string;
  readonly primaryUrl: string;
  readonly standbyUrl: string;
  /** Stops the primary. Its clients are notified or, with `immediate`, see a crash. */
  stopPrimary(how?: 'immediate'): Promise<void>;
  /** Starts it again at the same address. */
  startPrimary(): Promise<void>;
  /** Promotes the standby to primary. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

const LOOK_MS = 20;

async function queryServer(url: string, query: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    return Object.values((await client.query(query)).rows[0] ?? {})[0];
  } finally {
    await client.end().catch(() => {});
  }
}

async function waitUntil(look: () => Promise<unknown>): Promise<void> {
  while ((await look().catch(() => false)) !== true) await delay(LOOK_MS);
}

/**
 * Starts both on free ports of the loopback interface.
 * @param more settings of both
 */
export async function startPostgresPair(more: Readonly<Record<string, string>> = {}): Promise<PostgresPair> {
  const Server = await loadEmbeddedPostgres();
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-postgres-pair-'));
  const password = randomBytes(12).toString('hex');
  // A standby must allow at least as many connections as initdb's server.
  const flags = { ...SERVER_FLAGS, max_connections: '100', ...more };
  const server = (name: string, port: number) =>
    new Server({
      databaseDir: join(folder, name),
      port,
      password,
      persistent: true,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ['--locale=C', '--encoding=UTF8', '--no-sync'],
      postgresFlags: Object.entries(flags).flatMap(([flag, value]) => ['-c', `${flag}=${value}`]),
      onLog: () => {},
      onError: () => {},
    });
  // The servers' own user must be able to read it.
  await chmod(folder, 0o755);
  const ports = { primary: await findFreePort(), standby: await findFreePort() };
  const formatUrl = (port: number): string => `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  const [primaryUrl, standbyUrl] = [formatUrl(ports.primary), formatUrl(ports.standby)];

  const first = server('primary', ports.primary);
  await first.initialise();
  spawnSync('cp', ['-a', join(folder, 'primary'), join(folder, 'standby')]);
  const connection = `host=127.0.0.1 port=${ports.primary} user=postgres password=${password}`;
  await appendFile(join(folder, 'standby', 'postgresql.auto.conf'), `primary_conninfo = '${connection}'\n`);
  await writeFile(join(folder, 'standby', 'standby.signal'), '');
  let primary = server('primary', ports.primary);
  await primary.start();
  const standby = server('standby', ports.standby);
  // When promoted, it reports that it is ready for connections, not only for reads.
  const promoted = standby.start();
  await Promise.race([promoted, waitUntil(() => queryServer(standbyUrl, 'select pg_is_in_recovery()'))]);
  const leave = ['primary', 'standby'].map((name) => endAtExit(join(folder, name)));
  let isPrimaryUp = true;
  const crashPrimary = async (): Promise<void> => {
    const [pid = ''] = (await readFile(join(folder, 'primary', 'postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(pid), 'SIGQUIT');
  };
  const stopPrimary = async (how?: 'immediate'): Promise<void> => {
    if (isPrimaryUp && how === 'immediate') await crashPrimary();
    if (isPrimaryUp) await primary.stop();
    isPrimaryUp = false;
  };
  return {
    url: standbyUrl.replace(/@[^/]+/, `@127.0.0.1:${ports.standby},127.0.0.1:${ports.primary}`),
    primaryUrl,
    standbyUrl,
    stopPrimary,
    startPrimary: async () => {
      primary = server('primary', ports.primary);
      await primary.start();
      isPrimaryUp = true;
    },
    promote: async () => {
      await queryServer(standbyUrl, 'select pg_promote()');
      await promoted;
    },
    stop: async () => {
      await stopPrimary();
      await standby.stop();
      for (const forget of leave) forget();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
