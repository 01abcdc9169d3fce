import { performance } from 'node:perf_hooks';
import type { Timer } from '../kernel/deps.ts';

/** Tells whether this process has more to do than it can. */
export interface OverloadMonitor {
  /** True where a request that comes now is to be refused: too much work came before it, in this turn of the event loop. */
  hasTooMuchWork(): boolean;
  /** True from the third look in a row that came late on, until nothing was refused for a second. */
  readonly isOverloaded: boolean;
  /** By how much the last look came late, in milliseconds: as long something waits before the event loop begins with it. */
  readonly delayMs: number;
  stop(): void;
}

/** What time is told by. */
export interface OverloadClock {
  /** Milliseconds of a clock that is never set. */
  readonly elapsed: () => number;
  /**
   * Milliseconds that this thread has worked. Not the time on a clock: a machine that does other work makes everything late, and
   * refusing requests would not help.
   */
  readonly worked: () => number;
  /** Milliseconds that the event loop has waited with nothing to do. */
  readonly rested: () => number;
  /** Runs something at the end of this turn of the event loop. */
  readonly atEndOfTurn: (run: () => void) => void;
}

interface OverloadParts extends OverloadClock {
  readonly timer: Timer;
  /** How much work may come together in one turn of the event loop, in milliseconds; 0: any. */
  readonly mostMs: number;
  /** Called when it begins and when it ends. */
  readonly onChange: (isOverloaded: boolean, delayMs: number) => void;
}

/** The part of that which is done in a turn while there is more to do than can be done, so that nothing waits for long. */
const SHARE_WHEN_OVERLOADED = 1 / 12;
/** The part of that by which a look must be late to count. */
const SHARE_OF_LATENESS = 1 / 8;
const LOOK_MS = 100;
/** One late look is a burst, or a collection of garbage. */
const LATE_LOOKS = 3;
/** The part of the time that a loop rests at most which has always something to do. */
const MOST_REST = 0.05;
/** So many looks without a refusal end it. */
const QUIET_LOOKS = 10;

/** The clocks of this machine. A Node that does not tell what a thread worked (before 22.19) gives the time on the clock. */
export const HOST_OVERLOAD_CLOCK: OverloadClock = {
  elapsed: () => performance.now(),
  worked() {
    const { threadCpuUsage }: Partial<typeof process> = process;
    if (threadCpuUsage === undefined) return performance.now();
    const { user, system } = threadCpuUsage.call(process);
    return (user + system) / 1000;
  },
  rested: () => performance.eventLoopUtilization().idle,
  atEndOfTurn: (run) => void setImmediate(run),
};

/**
 * Watches how much work comes together. A turn of the event loop takes up every request that has arrived, and answers nobody before the
 * work of those before him is done; so what a turn may take bounds how long anybody waits, health checks too. A burst may have
 * `mostMs`. Where looks come late again and again, and the loop had no rest between them, the bound is a twelfth of it. A loop that rests
 * and is late all the same waits for a processor that others have; it has not more to do than it can.
 */
export function watchOverload({
  timer,
  elapsed,
  worked,
  rested,
  atEndOfTurn,
  mostMs,
  onChange,
}: OverloadParts): OverloadMonitor {
  let delayMs = 0;
  let lateLooks = 0;
  let quietLooks = 0;
  let isOverloaded = false;
  /** What had been worked when the turn began that is watched; `NaN` where none is. */
  let turnBeganMs = Number.NaN;
  /** To watch a turn costs as much as a small request: none is watched that begins so soon after another one's end. */
  let restUntilMs = Number.NEGATIVE_INFINITY;
  let stop = (): void => {};
  const lateMs = mostMs * SHARE_OF_LATENESS;
  const busyMs = lateMs * SHARE_OF_LATENESS;
  const mostWhenOverloadedMs = mostMs * SHARE_WHEN_OVERLOADED;

  const look = (restedMs: number): void => {
    const hasNoRest = restedMs <= (LOOK_MS + delayMs) * MOST_REST;
    lateLooks = delayMs > lateMs && hasNoRest ? lateLooks + 1 : 0;
    quietLooks += 1;
    const wasOverloaded = isOverloaded;
    isOverloaded = lateLooks >= LATE_LOOKS || (wasOverloaded && quietLooks < QUIET_LOOKS);
    if (isOverloaded !== wasOverloaded) onChange(isOverloaded, delayMs);
  };
  const wait = (): void => {
    const beganMs = elapsed();
    const restedBeforeMs = rested();
    stop = timer.after(LOOK_MS, () => {
      delayMs = Math.max(0, elapsed() - beganMs - LOOK_MS);
      look(rested() - restedBeforeMs);
      wait();
    });
  };
  /**
   * While there is too much to do turns follow each other, and what a turn does before its first request counts too. A turn that did next to
   * nothing is followed by none: the loop of a machine that does other work is late as well, and would spin.
   */
  const endTurn = (): void => {
    const nowMs = isOverloaded ? worked() : Number.NaN;
    const isBusy = nowMs - turnBeganMs >= busyMs;
    turnBeganMs = isBusy ? nowMs : Number.NaN;
    if (isBusy) atEndOfTurn(endTurn);
    else if (!isOverloaded) restUntilMs = elapsed() + busyMs;
  };
  if (mostMs > 0) wait();
  return {
    hasTooMuchWork() {
      if (mostMs === 0) return false;
      if (Number.isNaN(turnBeganMs)) {
        if (!isOverloaded && elapsed() < restUntilMs) return false;
        turnBeganMs = worked();
        atEndOfTurn(endTurn);
        return false;
      }
      const isTooMuch = worked() - turnBeganMs > (isOverloaded ? mostWhenOverloadedMs : mostMs);
      if (isTooMuch) quietLooks = 0;
      return isTooMuch;
    },
    get isOverloaded() {
      return isOverloaded;
    },
    get delayMs() {
      return delayMs;
    },
    stop() {
      stop();
      // Else its turns would keep the process alive.
      isOverloaded = false;
    },
  };
}
