import { echoProgram } from '../peers/fastify-echo-program.ts';
import { fillWithTokens, poolgateProgram } from '../peers/poolgate.ts';
import type { Median, Metric, Scenario } from '../rig/scenario.ts';
import { CLIENTS, LOGIN_METRICS, server } from './login-server.ts';

const REFRESH = 'Poolgate POST /token/refresh';
const DEVICES = 'Poolgate GET /device';
const ECHO = 'Fastify echo';

const perCpu = (contender: string, atLeast: number) => ({
  text: `${contender} / ${ECHO}, requests per CPU-second`,
  ratio: (median: Median) => median(contender, 'perCpuSecond') / median(ECHO, 'perCpuSecond'),
  bound: { atLeast },
});

const METRICS: readonly Metric[] = LOGIN_METRICS.map((metric) =>
  metric.key === 'perSecond' ? { ...metric, heading: 'requests/s' } : metric,
);

/** What somebody who is logged in asks for again and again, against a server that does nothing. */
export const signedIn: Scenario = {
  name: 'signed-in',
  title: `Requests of users who are logged in, ${CLIENTS} clients, database on a file with full durability`,
  metrics: METRICS,
  contenders: [
    server({ name: REFRESH, drive: 'token-refresh', program: poolgateProgram, fill: fillWithTokens }),
    server({ name: DEVICES, drive: 'device-list', program: poolgateProgram, fill: fillWithTokens }),
    server({
      name: ECHO,
      drive: 'echo',
      program: echoProgram(false),
      fill: async (url, accounts) => ({ url, accounts }),
    }),
  ],
  goals: [perCpu(REFRESH, 0.02), perCpu(DEVICES, 0.05)],
};
