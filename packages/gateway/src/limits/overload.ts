import { performance } from 'node:perf_hooks';
import type { Timer } from '../kernel/deps.ts';

/** Detects whether this process has more work than it can handle. */
export interface OverloadMonitor {
  /** True if a request that arrives now must be refused, because too much work came before it in this turn of the event loop. */
  hasTooMuchWork(): boolean;
  /** True from the third consecutive late check on, until nothing was refused for a second. */
  readonly isOverloaded: boolean;
  /** How late the last check was, in milliseconds: the time until the event loop starts new work. */
  readonly delayMs: number;
  stop(): void;
}

/** The clocks. */
export interface OverloadClock {
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
  /**
   * The working time of this thread in milliseconds. Not clock time: a machine with other work makes everything late, and refusing requests
   * would not help.
   */
  readonly worked: () => number;
  /** The idle time of the event loop in milliseconds. */
  readonly rested: () => number;
  /** Runs a function at the end of this turn of the event loop. */
  readonly atEndOfTurn: (run: () => void) => void;
}

interface OverloadParts extends OverloadClock {
  readonly timer: Timer;
  /** How much work may run in one turn of the event loop, in milliseconds; 0 for no limit. */
  readonly mostMs: number;
  /** Called when an overload starts and ends. */
  readonly onChange: (isOverloaded: boolean, delayMs: number) => void;
}

/** The fraction of that limit during an overload, so that nothing waits for long. */
const SHARE_WHEN_OVERLOADED = 1 / 12;
/** The fraction of the limit by which a check must be late to count. */
const SHARE_OF_LATENESS = 1 / 8;
const LOOK_MS = 100;
/** A single late check may be a burst or a garbage collection. */
const LATE_LOOKS = 3;
/** The maximum idle fraction of a loop that is always busy. */
const MOST_REST = 0.05;
/** The number of checks without a refusal that end an overload. */
const QUIET_LOOKS = 10;

/** The clocks of this machine. Node versions that do not report a thread's working time (before 22.19) use clock time. */
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
 * Watches how much work accumulates. A turn of the event loop accepts every request that has arrived, and answers none before all earlier
 * work is done. The limit of a turn therefore limits how long anyone waits, including health checks. A burst may take `mostMs`. If checks
 * are late repeatedly without idle time between them, the limit is a twelfth. A loop that is idle and late nevertheless waits for a
 * processor that others use, which is not an overload.
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
  /** The working time at the start of the watched turn; `NaN` if none. */
  let turnBeganMs = Number.NaN;
  /** Watching a turn costs as much as a small request, so turns that follow another one quickly are not watched. */
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
   * During an overload, turns follow each other, and the work before a turn's first request counts too. After a turn without work, no other
   * follows, because the loop of a busy machine is late as well and would spin.
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
      // Otherwise its turns would keep the process alive.
      isOverloaded = false;
    },
  };
}
