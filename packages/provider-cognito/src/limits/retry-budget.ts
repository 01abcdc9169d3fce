/** The number of remaining retries. It keeps retries from doubling the load on a failing service. */
export interface RetryBudget {
  /** Counts a call, which adds a fraction of a retry. */
  earn(): void;
  /** Takes one retry; false if none is left. */
  spend(): boolean;
}

/** Creates a full budget. */
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
 * Computes the delay before a retry in milliseconds: a random time up to a limit that doubles, so that simultaneous failures are not
 * retried at the same time.
 * @param tried the number of attempts so far, from 1
 * @param random from 0 to below 1
 */
export function computeFullJitterMs(
  tried: number,
  random: number,
  limits: { readonly backoffMs: number; readonly maxBackoffMs: number },
): number {
  return Math.floor(random * Math.min(limits.maxBackoffMs, limits.backoffMs * 2 ** (tried - 1)));
}
