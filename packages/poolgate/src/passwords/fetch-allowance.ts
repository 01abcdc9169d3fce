import type { Clock } from '@poolgate/pool';

/** How many ranges clients may have this process fetch in a minute: all sources together, and each of them. */
const FETCHES_PER_MINUTE = 120;
const FETCHES_PER_SOURCE = 10;
const MINUTE_MS = 60_000;

/** What became of a fetch: `refused_first` is the first that is refused in a minute, so that a log has one line of it. */
export type FetchAdmission = 'taken' | 'refused' | 'refused_first';

/** Bounds what strangers can have this process ask of a range API. */
export interface FetchAllowance {
  take(source: string): FetchAdmission;
}

/** Makes an allowance that is whole again each minute. */
export function createFetchAllowance(clock: Clock): FetchAllowance {
  const bySource = new Map<string, number>();
  let beganAtMs = Number.NEGATIVE_INFINITY;
  let taken = 0;
  let hasRefused = false;
  return {
    take(source) {
      const nowMs = clock.now();
      // Either way: a clock that is set back gives a new allowance too.
      if (Math.abs(nowMs - beganAtMs) >= MINUTE_MS) {
        bySource.clear();
        [beganAtMs, taken, hasRefused] = [nowMs, 0, false];
      }
      const ofSource = bySource.get(source) ?? 0;
      if (taken >= FETCHES_PER_MINUTE || ofSource >= FETCHES_PER_SOURCE) {
        const isFirst = !hasRefused;
        hasRefused = true;
        return isFirst ? 'refused_first' : 'refused';
      }
      bySource.set(source, ofSource + 1);
      taken += 1;
      return 'taken';
    },
  };
}
