/** How many tries beyond the first are left. It keeps retries from doubling the load on a service that is ill. */
export interface RetryBudget {
  /** Notes a call, which adds its share. */
  earn(): void;
  /** Takes one try; false where there is none. */
  spend(): boolean;
}

/** Makes a budget that begins full. */
export function createRetryBudget(limits: { readonly retryReserve: number; readonly retryShare: number }): RetryBudget {
  let saved = limits.retryReserve;
  return {
    earn() {
      saved = Math.min(limits.retryReserve, saved + limits.retryShare);
    },
    spend() {
      if (saved < 1) return false;
      saved -= 1;
      return true;
    },
  };
}

/**
 * How long to wait before a further try, in milliseconds: anything up to a bound that doubles, so that callers who failed
 * together do not come back together.
 * @param tried how many tries there were, from 1
 * @param random from 0 up to but not 1
 */
export function computeFullJitterMs(
  tried: number,
  random: number,
  limits: { readonly backoffMs: number; readonly maxBackoffMs: number },
): number {
  return Math.floor(random * Math.min(limits.maxBackoffMs, limits.backoffMs * 2 ** (tried - 1)));
}
