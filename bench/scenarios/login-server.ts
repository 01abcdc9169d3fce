import type { Account, Target } from '../load/drive.ts';
import type { DriveName } from '../load/drives.ts';
import { readCpuSeconds, readMainThreadSeconds, readResidentMib } from '../rig/processor-time.ts';
import type { Contender, ContenderEnvironment, Metric, Sample } from '../rig/scenario.ts';
import { type Program, type RunningServer, startServer } from '../rig/server.ts';
import { findMedian, findQuantile } from '../rig/statistics.ts';

export const CLIENTS = 8;
/** The default number of users that log in in turn. */
export const USERS = 50;

/** Creates this many users with separate passwords. */
export const createAccounts = (length: number): readonly Account[] =>
  Array.from({ length }, (_, i) => ({
    username: `ada-${i}@poolgate.test`,
    password: `Correct-Horse-${i}-Battery`,
  }));

/** A server, its content, and its load. */
export interface ServerOptions {
  readonly name: string;
  readonly drive: DriveName;
  program(folder: string): Promise<Program>;
  fill(url: string, accounts: readonly Account[]): Promise<Target>;
  readonly users?: number;
  readonly note?: string;
}

/** A server with separate users, and one way to log in. */
export function createServerContender({ name, drive, program, fill, users = USERS, note }: ServerOptions): Contender {
  return {
    name,
    ...(note !== undefined && { note }),
    async open(stage) {
      const running = await startServer(await program(stage.newFolder()));
      const target = await fill(running.url, createAccounts(users));
      const round = (seconds: number): Promise<Sample> => loadRound(stage, running, { drive, target, seconds });
      const { warmUpSeconds, roundSeconds } = stage.durations;
      await round(warmUpSeconds);
      return { pids: [running.pid], round: () => round(roundSeconds), close: running.stop };
    },
  };
}

interface RoundOrder {
  readonly drive: DriveName;
  readonly target: Target;
  readonly seconds: number;
}

/** A round of load, and its cost for the server. */
export async function loadRound(
  { load }: Pick<ContenderEnvironment, 'load'>,
  { pid }: RunningServer,
  order: RoundOrder,
): Promise<Sample> {
  const before = { server: readCpuSeconds(pid), loop: readMainThreadSeconds(pid), load: readCpuSeconds(load.pid) };
  const { latenciesMs, seconds } = await load.run({ kind: 'load', clients: CLIENTS, ...order });
  const serverSeconds = readCpuSeconds(pid) - before.server;
  const [p50Ms, p99Ms] = [findMedian(latenciesMs), findQuantile(latenciesMs, 0.99)];
  return {
    perSecond: latenciesMs.length / seconds,
    perCpuSecond: latenciesMs.length / serverSeconds,
    wholeMs: (serverSeconds * 1_000) / latenciesMs.length,
    loopMs: ((readMainThreadSeconds(pid) - before.loop) * 1_000) / latenciesMs.length,
    p50Ms,
    p99Ms,
    tail: p99Ms / p50Ms,
    serverShare: serverSeconds / seconds,
    loadShare: (readCpuSeconds(load.pid) - before.load) / seconds,
    residentMib: readResidentMib(pid),
  };
}

/** The metrics of logins over HTTP. */
export const LOGIN_METRICS: readonly Metric[] = [
  { key: 'perSecond', heading: 'logins/s', digits: 1 },
  { key: 'perCpuSecond', heading: 'per CPU', digits: 1, follows: 'rate' },
  { key: 'p50Ms', heading: 'p50 ms', digits: 2 },
  { key: 'p99Ms', heading: 'p99 ms', digits: 2 },
  { key: 'tail', heading: 'p99/p50', digits: 2 },
  { key: 'serverShare', heading: 'server CPU', digits: 2 },
  { key: 'loadShare', heading: 'load CPU', digits: 2 },
  { key: 'residentMib', heading: 'MiB after', digits: 0 },
];
