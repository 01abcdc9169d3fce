import type { Clock, Timer } from '../options/cognito-options.ts';

/** Time that passes when a test says so. What is to run after no time at all runs by itself. */
export interface TestTime {
  readonly clock: Clock;
  readonly timer: Timer;
  /** Lets time pass, and everything happen that is due by then. */
  advance(ms: number): void;
  /** How long each pause was that anybody asked for. */
  readonly requestedDelays: readonly number[];
}

/** Makes a time that stands still. */
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
