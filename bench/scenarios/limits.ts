import { fillPoolgate, poolgateProgram } from '../peers/poolgate.ts';
import type { Contender, Scenario } from '../rig/scenario.ts';
import { CLIENTS, createServerContender, LOGIN_METRICS } from './login-server.ts';

const WITHOUT = 'Poolgate SRP, routes, without limits';
const WITH = 'Poolgate SRP, routes, limits of replicas';

/** Enough users that none reaches the limit of a user. */
const USERS = 200;

const OFF = {
  POOLGATE_LIMIT_READS: '0',
  POOLGATE_LIMIT_LOGIN_STEPS: '0',
  POOLGATE_LIMIT_USER_STEPS: '0',
  POOLGATE_LIMIT_CLIENT_STEPS: '0',
} as const;
/** The defaults of a service. The client limit is off by default; here it is wide, so that it counts. */
const DEFAULTS = {
  POOLGATE_LIMIT_READS: '1000000',
  POOLGATE_LIMIT_LOGIN_STEPS: '300',
  POOLGATE_LIMIT_USER_STEPS: '600',
  POOLGATE_LIMIT_CLIENT_STEPS: '1000000',
} as const;

function createLimitContender(name: string, limits: Readonly<Record<string, string>>): Contender {
  return createServerContender({
    name,
    drive: 'srp-routes-apart',
    users: USERS,
    async program(folder) {
      const program = await poolgateProgram(folder);
      const environment = { ...program.environment, ...limits, POOLGATE_TRUSTED_PROXIES: '127.0.0.1' };
      return { ...program, environment };
    },
    fill: fillPoolgate,
  });
}

/** The cost of limits that replicas share. Each login comes from another network, so each queries the store. */
export const limits: Scenario = {
  name: 'limits',
  title: `Logins by SRP with and without the limits that replicas share, each from a network of its own, ${CLIENTS} clients, ${USERS} users`,
  metrics: LOGIN_METRICS,
  contenders: [createLimitContender(WITHOUT, OFF), createLimitContender(WITH, DEFAULTS)],
  goals: [],
};
