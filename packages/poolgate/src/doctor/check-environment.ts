import type { Configuration } from '../config/configuration.ts';
import { formatMisspellingWarning } from '../config/misspelled-variables.ts';
import { createWarning, type Finding } from './findings/finding.ts';

/** Environment variables that are probably misspelled settings. */
export function checkEnvironment({ misspelledVariables }: Configuration): readonly Finding[] {
  return misspelledVariables.map((miss) =>
    createWarning(
      formatMisspellingWarning(miss),
      `Rename it to ${miss.meant}, or ignore this if another program reads it.`,
    ),
  );
}
