import { cpuSecondsOf, cpuSecondsOfMachine } from './processor-time.ts';
import type { Opened, Sample } from './scenario.ts';

/** Of one core: what other processes may use during a round that counts. */
const FOREIGN_SHARE_LIMIT = 0.12;
const MOST_TRIES = 6;

/** A round, and how much of one core other processes used meanwhile. */
export interface Round {
  readonly sample: Sample;
  readonly foreignShare: number;
}

/** Measures until a round was quiet, at most six times. The quietest is kept. */
export async function quietRound(opened: Opened, loadPid: number): Promise<Round> {
  let best: Round | undefined;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const round = await watchedRound(opened, [process.pid, loadPid, ...opened.pids]);
    if (best === undefined || round.foreignShare < best.foreignShare) best = round;
    if (best.foreignShare <= FOREIGN_SHARE_LIMIT) break;
  }
  return best as Round;
}

/** Whether other processes used more than a round may show. */
export function isNoisy({ foreignShare }: Round): boolean {
  return foreignShare > FOREIGN_SHARE_LIMIT;
}

async function watchedRound(opened: Opened, pids: readonly number[]): Promise<Round> {
  const ownSeconds = (): number => pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
  const began = performance.now();
  const [machineBefore, ownBefore] = [cpuSecondsOfMachine(), ownSeconds()];
  const sample = await opened.round();
  const [machineAfter, ownAfter] = [cpuSecondsOfMachine(), ownSeconds()];
  const seconds = (performance.now() - began) / 1000;
  const extra = sample.ownCpuSeconds ?? 0;
  const foreign = machineAfter - machineBefore - (ownAfter - ownBefore) - extra;
  return { sample, foreignShare: Math.max(0, foreign / seconds) };
}
