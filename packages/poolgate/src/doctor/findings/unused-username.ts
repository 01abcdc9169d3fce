import type { Random } from '@poolgate/pool';

const RANDOM_BYTES = 12;

/** The name of a user that nobody has. */
export function createUnusedUsername(random: Random): string {
  return `poolgate-doctor-${Buffer.from(random(RANDOM_BYTES)).toString('hex')}`;
}
