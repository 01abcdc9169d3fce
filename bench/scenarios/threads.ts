import { fillPoolgate, poolgateProgram } from '../peers/poolgate.ts';
import type { Contender, Median, Metric, Scenario } from '../rig/scenario.ts';
import { CLIENTS, createServerContender, LOGIN_METRICS, USERS } from './login-server.ts';

const ONE = 'Poolgate SRP, routes, 1 thread';
const TWO = 'Poolgate SRP, routes, 2 threads';

function createThreadContender(name: string, threads: number): Contender {
  return createServerContender({
    name,
    drive: 'srp-routes',
    async program(folder) {
      const program = await poolgateProgram(folder);
      return { ...program, environment: { ...program.environment, POOLGATE_THREADS: String(threads) } };
    },
    fill: fillPoolgate,
  });
}

const METRICS: readonly Metric[] = [
  { key: 'wholeMs', heading: 'CPU ms/login', digits: 2, follows: 'time' },
  { key: 'loopMs', heading: 'event loop ms', digits: 2, follows: 'time' },
  ...LOGIN_METRICS,
];

/** How much work other threads take from the event loop, and the cost of their communication: CPU time per login on one core. */
export const threads: Scenario = {
  name: 'threads',
  title: `Logins by SRP with computing threads, ${CLIENTS} clients, ${USERS} users: CPU of the event loop and of the whole`,
  metrics: METRICS,
  contenders: [createThreadContender(ONE, 1), createThreadContender(TWO, 2)],
  goals: [
    {
      text: 'with 2 threads: event loop / whole, CPU per login',
      ratio: (median: Median) => median(TWO, 'loopMs') / median(TWO, 'wholeMs'),
      bound: { atMost: 0.5 },
    },
    {
      text: 'whole with 2 threads / whole with 1, CPU per login',
      ratio: (median: Median) => median(TWO, 'wholeMs') / median(ONE, 'wholeMs'),
      bound: { atMost: 1.15 },
    },
  ],
};
