import type { Random } from '../kernel/ports.ts';

const FIRST_MS = 2_000;
const MAX_MS = 5 * 60_000;
const UINT32 = 2 ** 32;

/** After this many attempts a message fails, even if it has not expired. */
export const MAX_DELIVERY_TRIES = 10;

/**
 * Computes the delay after a number of attempts. It doubles each time up to five minutes, less a random part of up to half, so that
 * simultaneous failures are not retried at the same time.
 */
export function computeBackoffMs(random: Random, tries: number): number {
  const ms = Math.min(FIRST_MS * 2 ** Math.max(0, tries - 1), MAX_MS);
  const part = new DataView(random(4).buffer).getUint32(0) / UINT32;
  return Math.ceil(ms * (1 - part / 2));
}
