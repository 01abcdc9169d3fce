import { paceMs, watchPace } from './pace.ts';
import { cpuSecondsOf, cpuSecondsOfMachine } from './processor-time.ts';
import type { Opened, Sample } from './scenario.ts';
import { quantile } from './statistics.ts';

/** Of one core: what other processes may use during a round that counts. */
const FOREIGN_SHARE_LIMIT = 0.12;
/** How far the pace of the core may change during a round that counts. */
const DRIFT_LIMIT = 0.08;
const MAX_TRIES = 6;

/** A round, how much of one core other processes used meanwhile, and how fast the core was. */
export interface Round {
  readonly sample: Sample;
  readonly foreignShare: number;
  /** What a rate of this round is to be multiplied with: the harmonic mean of all paces that were seen. */
  readonly paceMs: number;
  /** Between the slow and the fast of them (tenths cut off at both ends), as a share of the pace. */
  readonly drift: number;
}

/** Measures until a round was quiet and its core steady, at most six times. The least disturbed one is kept. */
export async function undisturbedRound(opened: Opened, loadPid: number): Promise<Round> {
  let best: Round | undefined;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const round = await watchedRound(opened, [process.pid, loadPid, ...opened.pids]);
    if (best === undefined || disturbance(round) < disturbance(best)) best = round;
    if (!isNoisy(best)) break;
  }
  return best as Round;
}

/** Whether other processes used more, or the core changed its pace more, than a round may show. */
export function isNoisy(round: Round): boolean {
  return disturbance(round) > 1;
}

function disturbance({ foreignShare, drift }: Round): number {
  return Math.max(foreignShare / FOREIGN_SHARE_LIMIT, drift / DRIFT_LIMIT);
}

async function watchedRound(opened: Opened, pids: readonly number[]): Promise<Round> {
  const ownSeconds = (): number => pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
  const paceBefore = paceMs();
  const began = performance.now();
  const [machineBefore, ownBefore] = [cpuSecondsOfMachine(), ownSeconds()];
  const endWatch = watchPace();
  const sample = await opened.round();
  const during = endWatch();
  const [machineAfter, ownAfter] = [cpuSecondsOfMachine(), ownSeconds()];
  const seconds = (performance.now() - began) / 1000;
  const extra = sample.ownCpuSeconds ?? 0;
  const foreign = machineAfter - machineBefore - (ownAfter - ownBefore) - extra;
  const paces = [paceBefore, ...during, paceMs()];
  const pace = paces.length / paces.reduce((sum, each) => sum + 1 / each, 0);
  return {
    sample,
    foreignShare: Math.max(0, foreign / seconds),
    paceMs: pace,
    drift: (quantile(paces, 0.9) - quantile(paces, 0.1)) / pace,
  };
}
