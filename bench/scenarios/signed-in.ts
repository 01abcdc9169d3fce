import { generateKeyPairSync, sign } from 'node:crypto';
import { createEchoProgram } from '../peers/fastify-echo-program.ts';
import { createReadsProgram, fillWithReadingTokens } from '../peers/fastify-reads-program.ts';
import { fillWithTokens, poolgateProgram } from '../peers/poolgate.ts';
import type { Median, Metric, Scenario } from '../rig/scenario.ts';
import { createTimedContender } from '../rig/timed-contender.ts';
import { CLIENTS, createServerContender, LOGIN_METRICS } from './login-server.ts';

const REFRESH = 'Poolgate POST /token/refresh';
const DEVICES = 'Poolgate GET /device';
const ECHO = 'Fastify echo';
const SIGNATURES = 'floor: 2 RS256';
const READS = 'Fastify with the same reads, devices';

const createCpuGoal = (contender: string, other: string, atLeast: number) => ({
  text: `${contender} / ${other}, requests per CPU-second`,
  ratio: (median: Median) => median(contender, 'perCpuSecond') / median(other, 'perCpuSecond'),
  bound: { atLeast },
});

const METRICS: readonly Metric[] = LOGIN_METRICS.map((metric) =>
  metric.key === 'perSecond' ? { ...metric, heading: 'requests/s' } : metric,
);

/** The minimum of every refresh: the signatures of two tokens. */
async function prepareSignatures(): Promise<() => void> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const payload = Buffer.alloc(800, 'x');
  return () => {
    sign('sha256', payload, privateKey);
    sign('sha256', payload, privateKey);
  };
}

/** The repeated requests of a logged-in user, compared with a server that does nothing. */
export const signedIn: Scenario = {
  name: 'signed-in',
  title: `Requests of users who are logged in, ${CLIENTS} clients, database on a file with full durability`,
  metrics: METRICS,
  contenders: [
    createTimedContender(SIGNATURES, prepareSignatures),
    createServerContender({
      name: REFRESH,
      drive: 'token-refresh',
      program: poolgateProgram,
      fill: fillWithTokens,
    }),
    createServerContender({
      name: DEVICES,
      drive: 'device-list',
      program: poolgateProgram,
      fill: fillWithTokens,
    }),
    createServerContender({
      name: READS,
      drive: 'device-list',
      program: createReadsProgram,
      fill: fillWithReadingTokens,
    }),
    createServerContender({
      name: ECHO,
      drive: 'echo',
      program: createEchoProgram(false),
      fill: async (url, accounts) => ({ url, accounts }),
    }),
  ],
  goals: [
    createCpuGoal(REFRESH, SIGNATURES, 0.8),
    createCpuGoal(DEVICES, READS, 0.5),
    createCpuGoal(REFRESH, ECHO, 0.02),
    createCpuGoal(DEVICES, ECHO, 0.05),
  ],
};
