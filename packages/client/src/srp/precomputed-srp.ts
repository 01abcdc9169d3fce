import type { SrpRunner } from './srp-runner.ts';
import type { SrpStart } from './srp-tasks.ts';

/** Computes SRP, and a login's first step before its user is known: the private value depends on nobody. */
export interface PrecomputedSrp {
  readonly srp: SrpRunner;
  /** Has the next first step ready, for {@link PRECOMPUTED_LIFETIME_MS} at most. Gives when it is; never rejects. */
  readonly prepareSrp: () => Promise<unknown>;
}

/** What time is told by. */
export interface PrecomputeClock {
  /** Milliseconds of a clock that goes on while a page or its machine sleeps. */
  readonly now: () => number;
  /** Runs something after so many milliseconds; gives what calls it off. */
  readonly after: (delayMs: number, run: () => void) => () => void;
}

/** For so long a private value that nobody uses stays in the memory of a page: about as long as somebody is at a form. */
const PRECOMPUTED_LIFETIME_MS = 5 * 60_000;

interface TimedSrpStart {
  readonly start: Promise<SrpStart>;
  readonly drawnAtMs: number;
  /** Calls the timer off that forgets it. */
  readonly stopTimer: () => void;
}

/** A value that was made ahead is given out once, while it is young: whoever asks next gets another one. */
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
  /** Timers stand still where a page sleeps, so the clock is asked too. */
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
    // A program outside of browsers does not wait with its end for it.
    (timer as { readonly unref?: () => void }).unref?.();
    return () => clearTimeout(timer as ReturnType<typeof setTimeout>);
  },
};
