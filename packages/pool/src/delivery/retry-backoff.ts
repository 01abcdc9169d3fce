import type { Random } from '../kernel/ports.ts';

const FIRST_MS = 2_000;
const MAX_MS = 5 * 60_000;
const UINT32 = 2 ** 32;

/** After so many tries a message is given up, however long it would be of use. */
export const MAX_DELIVERY_TRIES = 10;

/**
 * How long to wait after so many tries: twice as long each time, up to five minutes, less a random part of up to a half,
 * so that what failed together does not come back together.
 */
export function computeBackoffMs(random: Random, tries: number): number {
  const ms = Math.min(FIRST_MS * 2 ** Math.max(0, tries - 1), MAX_MS);
  const part = new DataView(random(4).buffer).getUint32(0) / UINT32;
  return Math.ceil(ms * (1 - part / 2));
}
