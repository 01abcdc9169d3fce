import type { Configuration } from '../config/configuration.ts';
import { nearMissWarning } from '../config/near-misses.ts';
import { type Finding, warn } from './finding.ts';

/** Environment variables that are probably misspelled settings. */
export function checkEnvironment({ nearMisses }: Configuration): readonly Finding[] {
  return nearMisses.map((miss) =>
    warn(nearMissWarning(miss), `Rename it to ${miss.meant}, or ignore this if another program reads it.`),
  );
}
