import { startPostgres } from '../../packages/store/src/testing/postgres.ts';
import { fillPoolgate, poolgateProgram } from '../peers/poolgate.ts';
import { countConnections } from '../rig/database-cost.ts';
import { readResidentMib } from '../rig/processor-time.ts';
import type { Contender, Metric, Sample, Scenario } from '../rig/scenario.ts';
import { type RunningServer, startServer } from '../rig/server.ts';
import { CLIENTS, createAccounts, loadRound, USERS } from './login-server.ts';

/** The resources of a replica before its first login, and under load. */
interface Holding {
  readonly idleMib: number;
  readonly idleConnections: number;
}

async function readHolding({ pid }: RunningServer, databaseUrl: string): Promise<Holding> {
  return { idleMib: readResidentMib(pid), idleConnections: await countConnections(databaseUrl) };
}

/** One of several processes on a separate PostgreSQL. */
function createReplicaContender(name: string, threads: number): Contender {
  return {
    name,
    async open(stage) {
      const postgres = await startPostgres();
      const program = await poolgateProgram(stage.newFolder());
      const environment = {
        ...program.environment,
        DATABASE_URL: postgres.adminUrl,
        POOLGATE_THREADS: String(threads),
      };
      const running = await startServer({ ...program, environment });
      const holding = await readHolding(running, postgres.adminUrl);
      const target = await fillPoolgate(running.url, createAccounts(USERS));
      const round = async (seconds: number): Promise<Sample> => {
        const sample = await loadRound(stage, running, { drive: 'srp-routes', target, seconds });
        return { ...sample, ...holding, connections: await countConnections(postgres.adminUrl) };
      };
      await round(stage.durations.warmUpSeconds);
      return {
        pids: [running.pid],
        round: () => round(stage.durations.roundSeconds),
        async close() {
          await running.stop();
          await postgres.stop();
        },
      };
    },
  };
}

const METRICS: readonly Metric[] = [
  { key: 'idleMib', heading: 'MiB idle', digits: 0 },
  { key: 'residentMib', heading: 'MiB after', digits: 0 },
  { key: 'idleConnections', heading: 'connections idle', digits: 0 },
  { key: 'connections', heading: 'connections under load', digits: 0 },
  { key: 'perCpuSecond', heading: 'logins per CPU', digits: 1, follows: 'rate' },
];

/** The resources of one replica on the machine and in the database, for planning the number of replicas. */
export const replica: Scenario = {
  name: 'replica',
  title: `Memory and database connections of one replica on PostgreSQL, logins by SRP, ${CLIENTS} clients`,
  metrics: METRICS,
  contenders: [createReplicaContender('1 thread', 1), createReplicaContender('2 threads', 2)],
  goals: [],
};
