import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Account, Target } from '../load/drive.ts';
import type { DriveName } from '../load/drives.ts';
import { type LoadProcess, startLoadProcess } from '../rig/load-process.ts';
import { readCpuSeconds } from '../rig/processor-time.ts';
import { type Program, type RunningServer, startServer } from '../rig/server.ts';
import { findMedian } from '../rig/statistics.ts';
import { CLIENTS, createAccounts, USERS } from '../scenarios/login-server.ts';
import type { ProofResult } from './proof.ts';

const ROUNDS = 7;
const ROUND_SECONDS = 3;
const WARM_UP_SECONDS = 8;
/** From this ratio to the other tree's processor time, a difference is not noise. */
const WORSE = 1.05;

type Fill = (url: string, accounts: readonly Account[]) => Promise<Target>;

/** What each tree's benchmarks export about their service. */
interface Peer {
  program(folder: string): Promise<Program>;
  readonly fill: Fill;
}

/** The exports that a row needs. */
interface PeerNames {
  /** A file in `bench/peers`. */
  readonly file: 'poolgate' | 'poolgate-oauth';
  readonly program: 'poolgateProgram' | 'oauthProgram';
  readonly fill: 'fillPoolgate' | 'fillWithTokens' | 'fillWithDevices' | 'fillWithPasskeys' | 'fillForCodes';
}

const toPoolgate = (fill: PeerNames['fill']): PeerNames => ({ file: 'poolgate', program: 'poolgateProgram', fill });

const ROWS: Readonly<Partial<Record<DriveName, PeerNames>>> = {
  'srp-routes': toPoolgate('fillPoolgate'),
  'srp-wire': toPoolgate('fillPoolgate'),
  'password-route': toPoolgate('fillPoolgate'),
  'device-login': toPoolgate('fillWithDevices'),
  'passkey-login': toPoolgate('fillWithPasskeys'),
  'token-refresh': toPoolgate('fillWithTokens'),
  'device-list': toPoolgate('fillWithTokens'),
  'code-grant': { file: 'poolgate-oauth', program: 'oauthProgram', fill: 'fillForCodes' },
};

interface Contender {
  readonly server: RunningServer;
  readonly target: Target;
}

/** The server's processor time for one act of the drive, in milliseconds. */
async function measureCost(load: LoadProcess, { server, target }: Contender, drive: DriveName, seconds: number) {
  const before = readCpuSeconds(server.pid);
  const { latenciesMs } = await load.run({ kind: 'load', clients: CLIENTS, drive, target, seconds });
  return ((readCpuSeconds(server.pid) - before) * 1_000) / latenciesMs.length;
}

/** Measures the costs of both in turn in each round, and the ratio of the first to the second: the median of the rounds. */
async function compare(load: LoadProcess, drive: DriveName, both: readonly [Contender, Contender]) {
  for (const each of both) await measureCost(load, each, drive, WARM_UP_SECONDS);
  const rounds: (readonly [number, number])[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const first = await measureCost(load, both[0], drive, ROUND_SECONDS);
    rounds.push([first, await measureCost(load, both[1], drive, ROUND_SECONDS)]);
  }
  const ratios = rounds.map(([first, second]) => first / second);
  return {
    hereMs: findMedian(rounds.map(([first]) => first)),
    thereMs: findMedian(rounds.map(([, second]) => second)),
    ratio: findMedian(ratios),
    range: [Math.min(...ratios), Math.max(...ratios)] as const,
  };
}

const THIS_TREE = fileURLToPath(new URL('../..', import.meta.url));

/** Loads a tree's exports for a row; undefined for a tree that is older than what the row measures. */
async function loadPeer(tree: string, { file, program, fill }: PeerNames): Promise<Peer | undefined> {
  const path = join(resolve(tree), 'bench/peers', `${file}.ts`);
  if (!existsSync(path)) return undefined;
  const exported = (await import(pathToFileURL(path).href)) as Record<PeerNames['program'], Peer['program']> &
    Record<PeerNames['fill'], Fill>;
  return { program: exported[program], fill: exported[fill] };
}

/**
 * Compares the cost of requests in this tree, or in the second named tree, with that in another tree of this project. The packages and the
 * benchmarks of each must be installed.
 */
export async function provePerformanceAgainstVersion(
  tell: (line: string) => void,
  words: readonly string[],
): Promise<ProofResult> {
  const [other = '', one = THIS_TREE] = words;
  if (other === '') throw new TypeError('name the folder of the other tree');
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-side-by-side-'));
  const load = startLoadProcess();
  const open = async (peer: Peer): Promise<Contender> => {
    const server = await startServer(await peer.program(mkdtempSync(join(folder, 'server-'))));
    return { server, target: await peer.fill(server.url, createAccounts(USERS)) };
  };
  const faults: string[] = [];
  const lines: string[] = [];
  try {
    for (const [drive, names] of Object.entries(ROWS) as [DriveName, PeerNames][]) {
      const [here, there] = [await loadPeer(one, names), await loadPeer(other, names)];
      if (here === undefined || there === undefined) {
        tell(`${drive}: not compared, one of the trees does not have it`);
        continue;
      }
      const both = [await open(here), await open(there)] as const;
      const { hereMs, thereMs, ratio, range } = await compare(load, drive, both);
      for (const { server } of both) await server.stop();
      const span = range.map((each) => each.toFixed(2)).join(' to ');
      lines.push(`| ${drive} | ${hereMs.toFixed(2)} | ${thereMs.toFixed(2)} | ${ratio.toFixed(2)} | ${span} |\n`);
      tell(`${drive}: ${ratio.toFixed(2)} (${span})`);
      if (ratio > WORSE) faults.push(`${drive} takes ${ratio.toFixed(2)} times as much`);
    }
  } finally {
    await load.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const table = `\n\n| | here, CPU ms | there, CPU ms | here / there | of the rounds |\n|---|---|---|---|---|\n${lines.join('')}`;
  return {
    figure: `${lines.length} rows, medians of ${ROUNDS} rounds of ${ROUND_SECONDS} s each, in turn; faults: ${faults.length}.${table}`,
    faults,
  };
}
