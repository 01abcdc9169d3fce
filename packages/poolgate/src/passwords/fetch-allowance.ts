import type { Clock, LeakedPasswordLookup } from '@poolgate/pool';

/** The maximum number of ranges that this process fetches for clients per minute: in total, and for each share of a network. */
const FETCHES_PER_MINUTE = 120;
const FETCHES_PER_SHARE = 10;
const MINUTE_MS = 60_000;

/** The result of an attempt. `refused_first` is the first rejected one in a minute, so that the log gets one line per minute. */
export type FetchAdmission = 'taken' | 'refused' | 'refused_first';

/** Limits how many requests to a range API strangers can cause. */
export interface FetchAllowance {
  take(sources: Parameters<LeakedPasswordLookup>[1]): FetchAdmission;
}

/** Creates an allowance that is restored each minute. */
export function createFetchAllowance(clock: Clock): FetchAllowance {
  const byNetwork = new Map<string, number>();
  let beganAtMs = Number.NEGATIVE_INFINITY;
  let taken = 0;
  let hasRefused = false;
  return {
    take(sources) {
      const nowMs = clock.now();
      // The absolute value: a clock that is set back also restores the allowance.
      if (Math.abs(nowMs - beganAtMs) >= MINUTE_MS) {
        byNetwork.clear();
        [beganAtMs, taken, hasRefused] = [nowMs, 0, false];
      }
      const takenBy = (key: string): number => byNetwork.get(key) ?? 0;
      const isUsedUp = sources.some(({ key, shares }) => takenBy(key) >= shares * FETCHES_PER_SHARE);
      if (taken >= FETCHES_PER_MINUTE || isUsedUp) {
        const isFirst = !hasRefused;
        hasRefused = true;
        return isFirst ? 'refused_first' : 'refused';
      }
      for (const { key } of sources) byNetwork.set(key, takenBy(key) + 1);
      taken += 1;
      return 'taken';
    },
  };
}
