/** What the process provides: clock, randomness, log lines, the data folder, and errors that end a start. */
import type { Clock, Random, Timer } from '@poolgate/pool';
import { createBlockRandom } from './random.ts';

/** What a start receives from outside the configuration. */
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

/** The machine's clock and timers, and the operating system's random source. */
export const HOST_SYSTEM: System = {
  clock: { now: Date.now },
  random: createBlockRandom(),
  timer,
};
