import type { Random } from '../kernel/deps.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** How long is waited after each try that failed; after the last one an event is given up. */
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
 * How long to wait after a try that failed, up to a fifth more or less, so that what failed together comes back apart.
 * @param tries how often it was tried, this time included
 * @returns undefined where it was tried often enough
 */
export function computeRetryDelay(tries: number, random: Random): number | undefined {
  const waitMs = RETRY_DELAYS_MS[tries - 1];
  if (waitMs === undefined) return undefined;
  const [byte = 0] = random(1);
  return Math.round(waitMs * (0.8 + (0.4 * byte) / 255));
}
