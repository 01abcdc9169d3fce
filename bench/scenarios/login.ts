import { generateKeyPairSync, sign } from 'node:crypto';
import type { Account, DriveName, Target } from '../load/drive.ts';
import { betterAuthProgram, fillBetterAuth } from '../peers/better-auth.ts';
import { cognitoLocalProgram, fillCognitoLocal } from '../peers/cognito-local.ts';
import { fillPoolgate, poolgateProgram } from '../peers/poolgate.ts';
import { cpuSecondsOf, residentMib } from '../rig/processor-time.ts';
import type { Contender, Sample, Scenario, Stage } from '../rig/scenario.ts';
import { type Program, type Running, startServer } from '../rig/server.ts';
import { median, quantile } from '../rig/statistics.ts';
import { timed } from '../rig/timed.ts';
import { threeExponentiations } from './srp-server.ts';

const CLIENTS = 8;
const ROUND_SECONDS = 2.5;
const WARM_UP_SECONDS = 5;
const USERS = 50;

const ACCOUNTS: readonly Account[] = Array.from({ length: USERS }, (_, i) => ({
  username: `ada-${i}@poolgate.test`,
  password: `Correct-Horse-${i}-Battery`,
}));

interface Server {
  readonly name: string;
  readonly drive: DriveName;
  program(folder: string): Promise<Program>;
  fill(url: string, accounts: readonly Account[]): Promise<Target>;
}

/** A server with users of its own, and one way to log in to it. */
function server({ name, drive, program, fill }: Server): Contender {
  return {
    name,
    async open(stage) {
      const running = await startServer(await program(stage.newFolder()));
      const target = await fill(running.url, ACCOUNTS);
      const round = (seconds: number): Promise<Sample> => loadRound(stage, running, { drive, target, seconds });
      await round(WARM_UP_SECONDS);
      return { pids: [running.pid], round: () => round(ROUND_SECONDS), close: running.stop };
    },
  };
}

interface RoundOrder {
  readonly drive: DriveName;
  readonly target: Target;
  readonly seconds: number;
}

async function loadRound({ load }: Stage, { pid }: Running, order: RoundOrder): Promise<Sample> {
  const before = { server: cpuSecondsOf(pid), load: cpuSecondsOf(load.pid) };
  const { latenciesMs, seconds } = await load.run({ kind: 'load', clients: CLIENTS, ...order });
  const serverSeconds = cpuSecondsOf(pid) - before.server;
  const [p50Ms, p99Ms] = [median(latenciesMs), quantile(latenciesMs, 0.99)];
  return {
    perSecond: latenciesMs.length / seconds,
    perCpuSecond: latenciesMs.length / serverSeconds,
    p50Ms,
    p99Ms,
    tail: p99Ms / p50Ms,
    serverShare: serverSeconds / seconds,
    loadShare: (cpuSecondsOf(load.pid) - before.load) / seconds,
    residentMib: residentMib(pid),
  };
}

/** What no server that issues Cognito's tokens after SRP can do without: three exponentiations, two RS256 signatures. */
function prepareFloor(): Promise<() => void> {
  const exponentiations = threeExponentiations();
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const payload = Buffer.alloc(800, 'x');
  return Promise.resolve(() => {
    exponentiations();
    sign('sha256', payload, privateKey);
    sign('sha256', payload, privateKey);
  });
}

const FLOOR = 'floor: 3 exponentiations, 2 RS256';
const ROUTES = 'Poolgate SRP, routes';
const WIRE = 'Poolgate SRP, wire';
const COGNITO_LOCAL = 'cognito-local, password';
const BETTER_AUTH = 'better-auth, e-mail';

const perCpu = (contender: string, other: string, atLeast: number) => ({
  text: `${contender} / ${other}, logins per CPU-second`,
  ratio: (median: (contender: string, metric: string) => number) =>
    median(contender, 'perCpuSecond') / median(other, 'perCpuSecond'),
  bound: { atLeast },
});

const tail = (contender: string) => ({
  text: `${contender}: p99 / p50`,
  ratio: (median: (contender: string, metric: string) => number) => median(contender, 'tail'),
  bound: { atMost: 2 },
});

/** Whole logins over HTTP, written durably to a file before they are answered. */
export const login: Scenario = {
  name: 'login',
  title: `Logins over HTTP, ${CLIENTS} clients, ${USERS} users, database on a file with full durability`,
  metrics: [
    { key: 'perSecond', heading: 'logins/s', digits: 1 },
    { key: 'perCpuSecond', heading: 'per CPU-s', digits: 1 },
    { key: 'p50Ms', heading: 'p50 ms', digits: 2 },
    { key: 'p99Ms', heading: 'p99 ms', digits: 2 },
    { key: 'tail', heading: 'p99/p50', digits: 2 },
    { key: 'serverShare', heading: 'server CPU', digits: 2 },
    { key: 'loadShare', heading: 'load CPU', digits: 2 },
    { key: 'residentMib', heading: 'MiB after', digits: 0 },
  ],
  contenders: [
    timed(FLOOR, prepareFloor),
    server({ name: ROUTES, drive: 'srp-routes', program: poolgateProgram, fill: fillPoolgate }),
    server({ name: WIRE, drive: 'srp-wire', program: poolgateProgram, fill: fillPoolgate }),
    server({ name: COGNITO_LOCAL, drive: 'wire-password', program: cognitoLocalProgram, fill: fillCognitoLocal }),
    server({ name: BETTER_AUTH, drive: 'email-sign-in', program: betterAuthProgram, fill: fillBetterAuth }),
  ],
  goals: [
    perCpu(ROUTES, FLOOR, 0.7),
    perCpu(WIRE, FLOOR, 0.7),
    perCpu(ROUTES, COGNITO_LOCAL, 1.5),
    perCpu(WIRE, COGNITO_LOCAL, 1.5),
    perCpu(ROUTES, BETTER_AUTH, 20),
    perCpu(WIRE, BETTER_AUTH, 20),
    tail(ROUTES),
    tail(WIRE),
  ],
};
