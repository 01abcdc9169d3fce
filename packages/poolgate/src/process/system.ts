/**
 * What a process brings along: clock, randomness, log lines, the data folder, and errors that end a start.
 */
import type { Clock, Random, Timer } from '@poolgate/pool';
import { createBlockRandom } from './random.ts';

/** What is given to a start from outside the configuration. */
export interface System {
  readonly clock: Clock;
  readonly random: Random;
  readonly timer: Timer;
}

const timer: Timer = {
  after(delayMs, run) {
    const handle = setTimeout(run, delayMs).unref();
    return () => clearTimeout(handle);
  },
};

/** The clock and timers of the machine and the random source of the operating system. */
export const HOST_SYSTEM: System = {
  clock: { now: Date.now },
  random: createBlockRandom(),
  timer,
};
