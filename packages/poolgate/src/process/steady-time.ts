import type { Clock } from '@poolgate/pool';

/** A clock runs ahead of the time that really passes by less, while nobody sets it. */
const MOST_AHEAD_MS = 60_000;

/** A clock that has been set forward, and has stayed so for so long, is right. */
const BELIEVED_AFTER_MS = 3_600_000;

/**
 * The time by which is removed what nobody needs any more. Where a clock is set forward by mistake, and back again, what was removed in
 * between would be gone too early: a revocation, and with it the end of a token. So such a time counts only once it has stayed.
 * @param elapsed milliseconds of a clock that is never set
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
