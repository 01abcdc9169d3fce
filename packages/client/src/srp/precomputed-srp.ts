import type { SrpRunner } from './srp-runner.ts';
import type { SrpStart } from './srp-tasks.ts';

/** Computes SRP, and the first step of a login before its user is known, because the private value does not depend on the user. */
export interface PrecomputedSrp {
  readonly srp: SrpRunner;
  /** Precomputes the next first step, for {@link PRECOMPUTED_LIFETIME_MS} at most. Resolves when it is ready; never rejects. */
  readonly prepareSrp: () => Promise<unknown>;
}

/** The clock and timers. */
export interface PrecomputeClock {
  /** The milliseconds of a clock that continues while a page or its machine sleeps. */
  readonly now: () => number;
  /** Runs a function after a delay. Returns a function that cancels it. */
  readonly after: (delayMs: number, run: () => void) => () => void;
}

/** How long an unused private value stays in a page's memory: about the time that a person spends at a form. */
const PRECOMPUTED_LIFETIME_MS = 5 * 60_000;

interface TimedSrpStart {
  readonly start: Promise<SrpStart>;
  readonly drawnAtMs: number;
  /** Cancels the timer that forgets it. */
  readonly stopTimer: () => void;
}

/** A precomputed value is used once, while it is fresh. The next caller gets a new one. */
export function createPrecomputedSrp(run: SrpRunner, { now, after }: PrecomputeClock = SYSTEM_CLOCK): PrecomputedSrp {
  let ahead: TimedSrpStart | undefined;
  const start = (): Promise<SrpStart> => run('start', null);
  const draw = (): TimedSrpStart => ({
    start: start(),
    drawnAtMs: now(),
    stopTimer: after(PRECOMPUTED_LIFETIME_MS, () => {
      ahead = undefined;
    }),
  });
  /** Timers stop while a page sleeps, so the clock is checked too. */
  const dropOld = (): void => {
    if (ahead === undefined || Math.abs(now() - ahead.drawnAtMs) < PRECOMPUTED_LIFETIME_MS) return;
    ahead.stopTimer();
    ahead = undefined;
  };
  const take = (): Promise<SrpStart> => {
    dropOld();
    const taken = ahead;
    ahead = undefined;
    taken?.stopTimer();
    return taken === undefined ? start() : taken.start.catch(start);
  };
  return {
    srp: (task, input) => (task === 'start' ? (take() as ReturnType<typeof run<typeof task>>) : run(task, input)),
    prepareSrp() {
      dropOld();
      ahead ??= draw();
      return ahead.start.catch(() => undefined);
    },
  };
}

const SYSTEM_CLOCK: PrecomputeClock = {
  now: Date.now,
  after(delayMs, run) {
    const timer: unknown = setTimeout(run, delayMs);
    // Outside of browsers, the timer must not keep the program running.
    (timer as { readonly unref?: () => void }).unref?.();
    return () => clearTimeout(timer as ReturnType<typeof setTimeout>);
  },
};
