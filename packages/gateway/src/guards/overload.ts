import type { Timer } from '../deps.ts';

/** Tells whether this process has more to do than it can. */
export interface Overload {
  /** True while every one of the last looks came late by more than is allowed. */
  readonly isOverloaded: boolean;
  /** By how much the last look came late, in milliseconds: as long something waits before the event loop begins with it. */
  readonly delayMs: number;
  stop(): void;
}

interface OverloadParts {
  readonly timer: Timer;
  /** Milliseconds of a clock that is never set. */
  readonly elapsed: () => number;
  /** The delay that is allowed; 0: any. */
  readonly mostMs: number;
  /** Called when it begins and when it ends. */
  readonly onChange: (isOverloaded: boolean, delayMs: number) => void;
}

const LOOK_MS = 100;
/** One late look is a burst, or a collection of garbage. */
const LATE_LOOKS = 3;

/** Looks regularly how late the event loop comes to what is due. */
export function watchOverload({ timer, elapsed, mostMs, onChange }: OverloadParts): Overload {
  let delayMs = 0;
  let lateLooks = 0;
  let stop = (): void => {};
  const wait = (): void => {
    const beganMs = elapsed();
    stop = timer.after(LOOK_MS, () => {
      delayMs = Math.max(0, elapsed() - beganMs - LOOK_MS);
      const wasOverloaded = lateLooks >= LATE_LOOKS;
      lateLooks = delayMs > mostMs ? lateLooks + 1 : 0;
      const isOverloaded = lateLooks >= LATE_LOOKS;
      if (isOverloaded !== wasOverloaded) onChange(isOverloaded, delayMs);
      wait();
    });
  };
  if (mostMs > 0) wait();
  return {
    get isOverloaded() {
      return lateLooks >= LATE_LOOKS;
    },
    get delayMs() {
      return delayMs;
    },
    stop: () => stop(),
  };
}
