import { mkdtempSync, rmSync } from 'node:fs';
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
/** So many times the processor time of the other tree is no noise any more. */
const WORSE = 1.05;

type Fill = (url: string, accounts: readonly Account[]) => Promise<Target>;

/** What each tree's benchmarks say of their own service. */
interface Peer {
  poolgateProgram(folder: string): Promise<Program>;
  readonly fillPoolgate: Fill;
  readonly fillWithTokens: Fill;
  readonly fillWithDevices: Fill;
  readonly fillWithPasskeys: Fill;
}

const ROWS: Readonly<Partial<Record<DriveName, Exclude<keyof Peer, 'poolgateProgram'>>>> = {
  'srp-routes': 'fillPoolgate',
  'srp-wire': 'fillPoolgate',
  'password-route': 'fillPoolgate',
  'device-login': 'fillWithDevices',
  'passkey-login': 'fillWithPasskeys',
  'token-refresh': 'fillWithTokens',
  'device-list': 'fillWithTokens',
};

interface Contender {
  readonly server: RunningServer;
  readonly target: Target;
}

/** Processor time of the server for one of what the drive does, in milliseconds. */
async function measureCost(load: LoadProcess, { server, target }: Contender, drive: DriveName, seconds: number) {
  const before = readCpuSeconds(server.pid);
  const { latenciesMs } = await load.run({ kind: 'load', clients: CLIENTS, drive, target, seconds });
  return ((readCpuSeconds(server.pid) - before) * 1_000) / latenciesMs.length;
}

/** The costs of both, one after the other in each round, and how much more the first takes than the second: the middle of the rounds. */
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

function loadPeer(tree: string): Promise<Peer> {
  return import(pathToFileURL(join(resolve(tree), 'bench/peers/poolgate.ts')).href);
}

/**
 * Compares what requests cost in this tree, or in the second one that is named, and in another one of this project. The
 * packages and the benchmarks of every one are installed.
 */
export async function provePerformanceAgainstVersion(
  tell: (line: string) => void,
  words: readonly string[],
): Promise<ProofResult> {
  const [other = '', one = THIS_TREE] = words;
  if (other === '') throw new TypeError('name the folder of the other tree');
  const here = await loadPeer(one);
  const there = await loadPeer(other);
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-side-by-side-'));
  const load = startLoadProcess();
  const open = async (peer: Peer, fill: Exclude<keyof Peer, 'poolgateProgram'>): Promise<Contender> => {
    const server = await startServer(await peer.poolgateProgram(mkdtempSync(join(folder, 'server-'))));
    return { server, target: await peer[fill](server.url, createAccounts(USERS)) };
  };
  const faults: string[] = [];
  const lines: string[] = [];
  try {
    for (const [drive, fill] of Object.entries(ROWS) as [DriveName, Exclude<keyof Peer, 'poolgateProgram'>][]) {
      const both = [await open(here, fill), await open(there, fill)] as const;
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
