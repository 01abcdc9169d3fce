import type { Contender, Sample } from './scenario.ts';
import { findMedian, findQuantile } from './statistics.ts';

const ROUND_MS = 500;
const MIN_RUNS = 3;

/** The metrics of a computation: its mean CPU time, and the elapsed time. */
export const TIMED_METRICS = [
  { key: 'cpuMs', heading: 'CPU', digits: 3, follows: 'time' },
  { key: 'p50Ms', heading: 'p50 ms', digits: 3 },
  { key: 'p99Ms', heading: 'p99 ms', digits: 3 },
] as const;

/** Creates a contender from a computation in this process. `prepare` creates its input and throws if its result is wrong. */
export function createTimedContender(name: string, prepare: () => Promise<() => unknown>): Contender {
  return {
    name,
    async open() {
      const once = await prepare();
      return { pids: [], round: () => timeRound(once), close: () => Promise.resolve() };
    },
  };
}

/** Runs for half a second, at least three times. With few runs the p99 is the slowest of them. */
async function timeRound(once: () => unknown): Promise<Sample> {
  const times: number[] = [];
  const cpuBefore = process.cpuUsage();
  const end = performance.now() + ROUND_MS;
  while (times.length < MIN_RUNS || performance.now() < end) {
    const began = performance.now();
    const result = once();
    if (result instanceof Promise) await result;
    times.push(performance.now() - began);
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  const cpuMs = (user + system) / 1000 / times.length;
  return { cpuMs, perCpuSecond: 1000 / cpuMs, p50Ms: findMedian(times), p99Ms: findQuantile(times, 0.99) };
}
