import { createReadsProgram, fillWithReads } from '../peers/fastify-reads-program.ts';
import { fillWithSessions, poolgateProgram } from '../peers/poolgate.ts';
import type { Median, Metric, Scenario } from '../rig/scenario.ts';
import { CLIENTS, createServerContender, LOGIN_METRICS } from './login-server.ts';

const SESSION = 'Poolgate GET /cognito/session';
const FORWARD = 'Poolgate GET /cognito/forward-auth';
const BARE_SESSION = 'Fastify with the same reads, session';
const BARE_FORWARD = 'Fastify with the same reads, forward-auth';

const createCpuGoal = (contender: string, bare: string, atLeast: number) => ({
  text: `${contender} / ${bare}, requests per CPU-second`,
  ratio: (median: Median) => median(contender, 'perCpuSecond') / median(bare, 'perCpuSecond'),
  bound: { atLeast },
});

const METRICS: readonly Metric[] = LOGIN_METRICS.map((metric) =>
  metric.key === 'perSecond' ? { ...metric, heading: 'requests/s' } : metric,
);

const ours = { program: poolgateProgram, fill: fillWithSessions };
const bare = { program: createReadsProgram, fill: fillWithReads };

/** The cost of a browser's request, compared with a server that does the same reads and decides nothing. */
export const browserSessions: Scenario = {
  name: 'browser-sessions',
  title: `Sessions of browsers, ${CLIENTS} clients, database on a file`,
  metrics: METRICS,
  contenders: [
    createServerContender({ name: SESSION, drive: 'web-session', ...ours }),
    createServerContender({ name: BARE_SESSION, drive: 'web-session', ...bare }),
    createServerContender({ name: FORWARD, drive: 'forward-auth', ...ours }),
    createServerContender({ name: BARE_FORWARD, drive: 'forward-auth', ...bare }),
  ],
  goals: [createCpuGoal(SESSION, BARE_SESSION, 0.5), createCpuGoal(FORWARD, BARE_FORWARD, 0.5)],
};
