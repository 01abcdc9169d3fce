import type { Random } from '@poolgate/pool';

const RANDOM_BYTES = 12;

/** A username that no user has. */
export function createUnusedUsername(random: Random): string {
  return `poolgate-doctor-${Buffer.from(random(RANDOM_BYTES)).toString('hex')}`;
}
