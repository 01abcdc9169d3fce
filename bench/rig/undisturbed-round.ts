import { measurePaceMs, watchPace } from './core-pace.ts';
import { readCpuSeconds, readMachineCpuSeconds } from './processor-time.ts';
import type { RunningContender, Sample } from './scenario.ts';
import { findQuantile } from './statistics.ts';

/** The maximum share of one core that other processes may use during a valid round. */
const FOREIGN_SHARE_LIMIT = 0.12;
/** The maximum change of the core's pace during a valid round. */
const DRIFT_LIMIT = 0.08;

/** A round, the share of one core that other processes used, and the core's pace. */
export interface Round {
  readonly sample: Sample;
  readonly foreignShare: number;
  /** The factor for rates of this round: the harmonic mean of all sampled paces. */
  readonly paceMs: number;
  /** The range of the samples without the top and bottom tenth, as a share of the pace. */
  readonly drift: number;
}

/** Measures until a round was quiet and its core steady, with a limited number of attempts. Returns the least disturbed round. */
export async function runUndisturbedRound(opened: RunningContender, loadPid: number, maxTries: number): Promise<Round> {
  let best: Round | undefined;
  for (let tries = 0; tries < maxTries; tries++) {
    const round = await runWatchedRound(opened, [process.pid, loadPid, ...opened.pids]);
    if (best === undefined || describeDisturbance(round) < describeDisturbance(best)) best = round;
    if (!isNoisy(best)) break;
  }
  return best as Round;
}

/** Whether other processes or changes of the pace exceeded the limits of a round. */
export function isNoisy(round: Round): boolean {
  return describeDisturbance(round) > 1;
}

function describeDisturbance({ foreignShare, drift }: Round): number {
  return Math.max(foreignShare / FOREIGN_SHARE_LIMIT, drift / DRIFT_LIMIT);
}

async function runWatchedRound(opened: RunningContender, pids: readonly number[]): Promise<Round> {
  const ownSeconds = (): number => pids.reduce((sum, pid) => sum + readCpuSeconds(pid), 0);
  const paceBefore = measurePaceMs();
  const began = performance.now();
  const [machineBefore, ownBefore] = [readMachineCpuSeconds(), ownSeconds()];
  const endWatch = watchPace();
  const sample = await opened.round();
  const during = endWatch();
  const [machineAfter, ownAfter] = [readMachineCpuSeconds(), ownSeconds()];
  const seconds = (performance.now() - began) / 1000;
  const extra = sample.ownCpuSeconds ?? 0;
  const foreign = machineAfter - machineBefore - (ownAfter - ownBefore) - extra;
  const paces = [paceBefore, ...during, measurePaceMs()];
  const pace = paces.length / paces.reduce((sum, each) => sum + 1 / each, 0);
  return {
    sample,
    foreignShare: Math.max(0, foreign / seconds),
    paceMs: pace,
    drift: (findQuantile(paces, 0.9) - findQuantile(paces, 0.1)) / pace,
  };
}
