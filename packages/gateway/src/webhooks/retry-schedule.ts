import type { Random } from '../kernel/deps.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The delay after each failed attempt. After the last one, the delivery fails. */
const RETRY_DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  12 * HOUR_MS,
];

/**
 * Returns the delay after a failed attempt, varied by up to a fifth, so that simultaneous failures are not retried at the same time.
 * @param tries the number of attempts so far
 * @returns undefined after the last attempt
 */
export function computeRetryDelay(tries: number, random: Random): number | undefined {
  const waitMs = RETRY_DELAYS_MS[tries - 1];
  if (waitMs === undefined) return undefined;
  const [byte = 0] = random(1);
  return Math.round(waitMs * (0.8 + (0.4 * byte) / 255));
}
