import type { Clock } from '../options/cognito-options.ts';
import { QUOTAS, type QuotaCategory } from '../options/quotas.ts';

/** Keeps calls within Cognito's quotas, so that Cognito never has to refuse one. */
export interface WindowLimiter {
  /** Takes a place in the running second; where there is none, gives after how many milliseconds there is one. */
  acquire(category: QuotaCategory): { readonly waitMs: number };
}

const WINDOW_MS = 1_000;

/** Makes a limiter: of each category no more than its rate within any second, whole bursts allowed. */
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

/** When the last calls went out: a ring as long as calls fit into a second, the oldest at `next`. */
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
  // A clock that was set back must not close a category for as long as it was set back.
  if (ageMs >= 0 && ageMs < WINDOW_MS) return WINDOW_MS - ageMs;
  takenAtMs[next] = nowMs;
  window.next = (next + 1) % takenAtMs.length;
  return 0;
}
