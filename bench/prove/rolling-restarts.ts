import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rollReplicas } from '../../e2e/proofs/rolling-restarts.ts';
import { type ServiceProcess, startServiceProcess } from '../../e2e/support/service-process.ts';
import { startSpreader } from '../../e2e/support/spreader.ts';
import { createTestDatabase } from '../../packages/store/src/testing/postgres.ts';
import type { Outcome } from './proof.ts';

const ROUNDS = 20;
const CLIENTS = 8;
const LOOK_MS = 100;

/** Restarts two `poolgate serve` in turn, as many times as the first word says, while clients log in and read. */
export async function rollingRestarts(
  tell: (line: string) => void,
  [rounds = String(ROUNDS)]: readonly string[],
): Promise<Outcome> {
  // Without the time limits of a service: on a machine that does other work they are passed by waiting for a core.
  const database = await createTestDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-rolling-'));
  const launch = (): Promise<ServiceProcess> =>
    startServiceProcess(folder, { DATABASE_URL: database.url, POOLGATE_STOP_SECONDS: '1' });
  const exits: (number | null)[] = [];
  const replicas = [await launch(), await launch()];
  const spreader = await startSpreader(
    replicas.map(({ url }) => url),
    { lookMs: LOOK_MS },
  );
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
