import { fillPoolgate, poolgateProgram } from '../peers/poolgate.ts';
import { createTriggerProgram, fillWithTrigger } from '../peers/poolgate-trigger.ts';
import type { Median, Scenario } from '../rig/scenario.ts';
import { CLIENTS, createServerContender, LOGIN_METRICS, USERS } from './login-server.ts';

const WITHOUT = 'Poolgate SRP, routes';
const WITH = 'Poolgate SRP, routes, PreTokenGeneration';

/** The cost of a function in the process for a complete login over HTTP; `triggers` measures the function alone. */
export const triggerLogin: Scenario = {
  name: 'trigger-login',
  title: `Logins by SRP with PreTokenGeneration (V2_0, both tokens changed) as a function in the process, and without, ${CLIENTS} clients, ${USERS} users`,
  metrics: LOGIN_METRICS,
  contenders: [
    createServerContender({ name: WITHOUT, drive: 'srp-routes', program: poolgateProgram, fill: fillPoolgate }),
    createServerContender({ name: WITH, drive: 'srp-routes', program: createTriggerProgram, fill: fillWithTrigger }),
  ],
  goals: [
    {
      text: `${WITH} / ${WITHOUT}, logins per CPU-second`,
      ratio: (median: Median) => median(WITH, 'perCpuSecond') / median(WITHOUT, 'perCpuSecond'),
      bound: { atLeast: 0.9 },
    },
  ],
};
