import type { Clock, LeakedPasswordLookup } from '@poolgate/pool';

/** How many ranges clients may have this process fetch in a minute: all together, and for each share of a network. */
const FETCHES_PER_MINUTE = 120;
const FETCHES_PER_SHARE = 10;
const MINUTE_MS = 60_000;

/** What became of a fetch: `refused_first` is the first that is refused in a minute, so that a log has one line of it. */
export type FetchAdmission = 'taken' | 'refused' | 'refused_first';

/** Bounds what strangers can have this process ask of a range API. */
export interface FetchAllowance {
  take(sources: Parameters<LeakedPasswordLookup>[1]): FetchAdmission;
}

/** Makes an allowance that is whole again each minute. */
export function createFetchAllowance(clock: Clock): FetchAllowance {
  const byNetwork = new Map<string, number>();
  let beganAtMs = Number.NEGATIVE_INFINITY;
  let taken = 0;
  let hasRefused = false;
  return {
    take(sources) {
      const nowMs = clock.now();
      // Either way: a clock that is set back gives a new allowance too.
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
