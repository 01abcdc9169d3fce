import type { Clock, Timer } from '../options/cognito-options.ts';

/** Time that a test advances. What is due immediately runs by itself. */
export interface TestTime {
  readonly clock: Clock;
  readonly timer: Timer;
  /** Advances the time, and runs everything that is due by then. */
  advance(ms: number): void;
  /** The length of each requested pause. */
  readonly requestedDelays: readonly number[];
}

/** Creates a time that stands still. */
export function createTestTime(startMs = 1_700_000_000_000): TestTime {
  let nowMs = startMs;
  const waiting = new Set<{ readonly atMs: number; readonly run: () => void }>();
  const requestedDelays: number[] = [];
  return {
    requestedDelays,
    clock: { now: () => nowMs },
    timer: {
      after(delayMs, run) {
        requestedDelays.push(delayMs);
        const entry = { atMs: nowMs + delayMs, run };
        waiting.add(entry);
        if (delayMs === 0) queueMicrotask(() => waiting.delete(entry) && run());
        return () => void waiting.delete(entry);
      },
    },
    advance(ms) {
      nowMs += ms;
      for (const entry of [...waiting]) if (entry.atMs <= nowMs && waiting.delete(entry)) entry.run();
    },
  };
}
