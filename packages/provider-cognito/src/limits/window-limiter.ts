import type { Clock } from '../options/cognito-options.ts';
import { QUOTAS, type QuotaCategory } from '../options/quotas.ts';

/** Keeps calls within Cognito's quotas, so that Cognito never refuses one for its rate. */
export interface WindowLimiter {
  /** Takes a place in the current second. If none is left, returns after how many milliseconds there is one. */
  acquire(category: QuotaCategory): { readonly waitMs: number };
}

const WINDOW_MS = 1_000;

/** Creates a limiter that allows each category its rate within any second, including whole bursts. */
export function createWindowLimiter(
  clock: Clock,
  rates: Partial<Readonly<Record<QuotaCategory, number>>> = {},
): WindowLimiter {
  const windows = new Map<QuotaCategory, Window>();
  return {
    acquire(category) {
      const nowMs = clock.now();
      let window = windows.get(category);
      if (window === undefined) {
        window = createWindow(rates[category] ?? QUOTAS[category]);
        windows.set(category, window);
      }
      return { waitMs: takeSlot(window, nowMs) };
    },
  };
}

/** The times of the last calls: a ring with as many places as calls are allowed in a second, the oldest at `next`. */
interface Window {
  readonly takenAtMs: Float64Array;
  next: number;
}

function createWindow(rate: number): Window {
  return { takenAtMs: new Float64Array(Math.max(1, Math.floor(rate))).fill(Number.NEGATIVE_INFINITY), next: 0 };
}

function takeSlot(window: Window, nowMs: number): number {
  const { takenAtMs, next } = window;
  const ageMs = nowMs - (takenAtMs[next] ?? Number.NEGATIVE_INFINITY);
  // A clock that was set back must not block a category for that time.
  if (ageMs >= 0 && ageMs < WINDOW_MS) return WINDOW_MS - ageMs;
  takenAtMs[next] = nowMs;
  window.next = (next + 1) % takenAtMs.length;
  return 0;
}
