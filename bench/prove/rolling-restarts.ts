import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { rollReplicas } from '../../e2e/proofs/rolling-restarts.ts';
import { startRandomBalancer } from '../../e2e/support/services/random-balancer.ts';
import { type ServiceProcess, startServiceProcess } from '../../e2e/support/services/service-process.ts';
import { createTestDatabase, withServiceLimits } from '../../packages/store/src/testing/postgres.ts';
import type { ProofResult } from './proof.ts';

const ROUNDS = 20;
const CLIENTS = 8;
const LOOK_MS = 100;

/**
 * Restarts two `poolgate serve` in turn, with the time limits and the load shedding of a service, as often as the first argument says,
 * while clients log in and read.
 */
export async function proveRollingRestarts(
  tell: (line: string) => void,
  [rounds = String(ROUNDS)]: readonly string[],
): Promise<ProofResult> {
  const database = await createTestDatabase();
  const spreader = await startRandomBalancer([], { lookMs: LOOK_MS });
  const settings = {
    // As in production all replicas have the URL of the load balancer, and a start changes nothing in the pool.
    BASE_URL: spreader.url.replace('127.0.0.1', 'localhost'),
    DATABASE_URL: withServiceLimits(database.url),
    POOLGATE_STOP_SECONDS: '1',
    POOLGATE_OVERLOAD_MS: undefined,
  };
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-rolling-'));
  const launch = (): Promise<ServiceProcess> => startServiceProcess(folder, settings);
  const exits: (number | null)[] = [];
  const replicas = [await launch(), await launch()];
  spreader.use(replicas.map(({ url }) => url));
  while (!replicas.every(({ url }) => spreader.isUsed(url))) await delay(LOOK_MS);
  const restart = async (replica: ServiceProcess): Promise<ServiceProcess> => {
    exits.push(await replica.stop());
    return launch();
  };
  const { restarts, answered, faults, running } = await rollReplicas(spreader, replicas, {
    rounds: Number(rounds),
    clients: CLIENTS,
    restart,
    tell,
  });
  await spreader.close();
  for (const replica of running) await replica.stop();
  await database.drop();
  rmSync(folder, { recursive: true });
  const bad = exits.filter((code) => code !== 0).map((code) => `a replica ended with ${code}`);
  const all = [...faults, ...bad];
  return {
    figure: `${restarts} restarts by SIGTERM in ${rounds} rounds, ${CLIENTS} clients, every fourth request a login; answered: ${answered}; not answered by 200: ${all.length}.`,
    faults: all,
  };
}
