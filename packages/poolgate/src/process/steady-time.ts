import type { Clock } from '@poolgate/pool';

/** A clock that is never set runs ahead of real time by less than this. */
const MOST_AHEAD_MS = 60_000;

/** A clock that was set forward is trusted after this time. */
const BELIEVED_AFTER_MS = 3_600_000;

/**
 * The time that decides what is removed as expired. A clock may be set forward by mistake and back again. Rows removed in between would be
 * gone too early, for example a revocation that still has to reject a token. A new time is therefore trusted only after it has remained
 * stable.
 * @param elapsed milliseconds of a monotonic clock
 */
export function createSteadyTime({ now }: Clock, elapsed: () => number): () => number {
  let known = { atMs: now(), elapsedMs: elapsed() };
  let aheadSinceMs: number | undefined;
  return () => {
    const elapsedMs = elapsed();
    const atMs = now();
    const expectedMs = known.atMs + (elapsedMs - known.elapsedMs);
    const isAhead = atMs > expectedMs + MOST_AHEAD_MS;
    aheadSinceMs = isAhead ? (aheadSinceMs ?? elapsedMs) : undefined;
    if (aheadSinceMs !== undefined && elapsedMs - aheadSinceMs < BELIEVED_AFTER_MS) return expectedMs;
    aheadSinceMs = undefined;
    known = { atMs, elapsedMs };
    return atMs;
  };
}
