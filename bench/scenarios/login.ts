import { generateKeyPairSync, sign } from 'node:crypto';
import { startPostgres } from '../../packages/store/src/testing/postgres.ts';
import { createBareLoginProgram } from '../peers/bare-login-program.ts';
import { createBetterAuthProgram, fillBetterAuth } from '../peers/better-auth.ts';
import { createCognitoLocalProgram, fillCognitoLocal } from '../peers/cognito-local.ts';
import { fillPoolgate, poolgateProgram } from '../peers/poolgate.ts';
import type { Contender, Scenario } from '../rig/scenario.ts';
import { createTimedContender } from '../rig/timed-contender.ts';
import { CLIENTS, createServerContender, LOGIN_METRICS, USERS } from './login-server.ts';
import { prepareThreeExponentiations } from './srp-server.ts';

/** The minimum of every server that issues Cognito's tokens after SRP: three exponentiations, two RS256 signatures. */
function prepareFloor(): Promise<() => void> {
  const exponentiations = prepareThreeExponentiations();
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const payload = Buffer.alloc(800, 'x');
  return Promise.resolve(() => {
    exponentiations();
    sign('sha256', payload, privateKey);
    sign('sha256', payload, privateKey);
  });
}

const FLOOR = 'floor: 3 exponentiations, 2 RS256';
const BARE = 'Fastify, the floor, one row a login';
const ROUTES = 'Poolgate SRP, routes';
const WIRE = 'Poolgate SRP, wire';
const POSTGRES = 'Poolgate SRP, routes, PostgreSQL';
const COGNITO_LOCAL = 'cognito-local, password';
const BETTER_AUTH = 'better-auth, e-mail';

const createCpuGoal = (contender: string, other: string, atLeast: number) => ({
  text: `${contender} / ${other}, logins per CPU-second`,
  ratio: (median: (contender: string, metric: string) => number) =>
    median(contender, 'perCpuSecond') / median(other, 'perCpuSecond'),
  bound: { atLeast },
});

const createTailGoal = (contender: string) => ({
  text: `${contender}: p99 / p50`,
  ratio: (median: (contender: string, metric: string) => number) => median(contender, 'tail'),
  bound: { atMost: 1.6 },
});

/** On PostgreSQL with durable commits; its own processor time does not count. */
function createPostgresContender(name: string): Contender {
  return {
    name,
    async open(stage) {
      const postgres = await startPostgres({
        flags: { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' },
      });
      const opened = await createServerContender({
        name,
        drive: 'srp-routes',
        async program(folder) {
          const program = await poolgateProgram(folder);
          return { ...program, environment: { ...program.environment, DATABASE_URL: postgres.adminUrl } };
        },
        fill: fillPoolgate,
      }).open(stage);
      return {
        ...opened,
        async close() {
          await opened.close();
          await postgres.stop();
        },
      };
    },
  };
}

/** Complete logins over HTTP, written durably to a file before the response. */
export const login: Scenario = {
  name: 'login',
  title: `Logins over HTTP, ${CLIENTS} clients, ${USERS} users, database on a file with full durability`,
  metrics: LOGIN_METRICS,
  contenders: [
    createTimedContender(FLOOR, prepareFloor),
    createServerContender({
      name: BARE,
      drive: 'bare-login',
      program: createBareLoginProgram,
      fill: async (url, accounts) => ({ url, accounts }),
      note: 'checks nothing, and stores one row a login',
    }),
    createServerContender({ name: ROUTES, drive: 'srp-routes', program: poolgateProgram, fill: fillPoolgate }),
    createServerContender({ name: WIRE, drive: 'srp-wire', program: poolgateProgram, fill: fillPoolgate }),
    createPostgresContender(POSTGRES),
    createServerContender({
      name: COGNITO_LOCAL,
      drive: 'wire-password',
      program: createCognitoLocalProgram,
      fill: fillCognitoLocal,
      note: 'compares passwords in clear text, and writes its whole file at each login without a flush to disk; no SRP, no limits, no lockout, no audit log',
    }),
    createServerContender({
      name: BETTER_AUTH,
      drive: 'email-sign-in',
      program: createBetterAuthProgram,
      fill: fillBetterAuth,
      note: 'hashes passwords by scrypt, which takes most of its time and is a choice for security; a row for the session, but no signed tokens, no lockout, no audit log',
    }),
  ],
  goals: [
    createCpuGoal(ROUTES, FLOOR, 0.75),
    createCpuGoal(WIRE, FLOOR, 0.78),
    createCpuGoal(POSTGRES, FLOOR, 0.55),
    createCpuGoal(ROUTES, COGNITO_LOCAL, 1.5),
    createCpuGoal(WIRE, COGNITO_LOCAL, 1.5),
    createCpuGoal(ROUTES, BETTER_AUTH, 20),
    createCpuGoal(WIRE, BETTER_AUTH, 20),
    createTailGoal(ROUTES),
    createTailGoal(WIRE),
  ],
};
