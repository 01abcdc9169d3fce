import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { REPLICAS_VARIABLE } from '../../e2e/support/provider/tested-provider.ts';
import { findFreePort } from '../../packages/store/src/testing/free-port.ts';
import { startPostgres } from '../../packages/store/src/testing/postgres.ts';
import { listSkippedOnReplicas, listSuitesOnReplicas } from '../../tools/on-replicas.ts';
import type { ProofResult } from './proof.ts';
import { runSuites } from './suites.ts';

/** The suites that run behind it: the rules of every store, two replicas, and all kinds of logins over HTTP. */
const TESTS = [
  'packages/store/src/contract.test.ts',
  'packages/store/src/replicas.test.ts',
  'packages/store/src/migrations/fixtures.test.ts',
  'e2e/routes/replicas.test.ts',
  'e2e/routes/shared-limits.test.ts',
  'e2e/challenges/replicas.test.ts',
];

/** Host and port of a pooler through which tests connect to their databases. */
const POOLER_VARIABLE = 'POOLGATE_TEST_POOLER';
const LOOK_MS = 20;

/** PgBouncer's defaults, except for its address and its server. */
const formatSettings = (port: number, server: URL, folder: string): string => `[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
`;

async function isListening(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const up = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (up) return;
    await delay(LOOK_MS);
  }
}

/**
 * Runs suites on PostgreSQL behind this machine's PgBouncer, in transaction mode with its default settings. `PGBOUNCER` is its path, if it
 * is not on the search path. As root, the proof runs it as the user `postgres`, as it requires.
 */
export async function proveBehindPgBouncer(
  tell: (line: string) => void,
  words: readonly string[],
): Promise<ProofResult> {
  const suites = words.length > 0 ? words : TESTS;
  const postgres = await startPostgres();
  const server = new URL(postgres.adminUrl);
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-pgbouncer-'));
  chmodSync(folder, 0o755);
  const port = await findFreePort();
  writeFileSync(join(folder, 'users.txt'), `"${server.username}" "${server.password}"\n`);
  writeFileSync(join(folder, 'pgbouncer.ini'), formatSettings(port, server, folder));
  const program = process.env.PGBOUNCER ?? 'pgbouncer';
  const asUser = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  const pooler = spawn(program, [...asUser, join(folder, 'pgbouncer.ini')], { stdio: ['ignore', 'ignore', 'pipe'] });
  const log: string[] = [];
  pooler.stderr.setEncoding('utf8').on('data', (text: string) => log.push(text));
  const ended = new Promise<never>((_, reject) => {
    pooler.once('error', reject);
    pooler.once('exit', (code) => reject(new Error(`PgBouncer ended with ${code}: ${log.join('').slice(-500)}`)));
  });
  ended.catch(() => {});
  await Promise.race([isListening(port), ended]);

  const environment = {
    POOLGATE_TEST_POSTGRES_URL: postgres.adminUrl,
    [POOLER_VARIABLE]: `127.0.0.1:${port}`,
  };
  const alone = await runSuites(suites, environment);
  tell(`${alone.tests} tests of the store and of two replicas`);
  const spread = await runSuites(
    listSuitesOnReplicas(words),
    { ...environment, [REPLICAS_VARIABLE]: '2' },
    listSkippedOnReplicas(),
  );
  tell(`${spread.tests} tests of the routes on two replicas`);
  pooler.removeAllListeners('exit');
  pooler.kill('SIGTERM');
  await postgres.stop();
  rmSync(folder, { recursive: true });

  const refusals = log.join('').match(/unsupported startup parameter[^\n]*/g) ?? [];
  const [tests, passed] = [alone.tests + spread.tests, alone.passed + spread.passed];
  const failed = [...alone.failed, ...spread.failed];
  return {
    figure: `${tests} tests behind PgBouncer in transaction mode, ${spread.tests} of them over the routes at two replicas behind a load balancer: ${passed} passed, ${failed.length} failed; startup parameters refused: ${refusals.length}.`,
    faults: [...failed, ...new Set(refusals)],
  };
}
