import type { Configuration } from '../config/configuration.ts';
import { findWeakSettings } from '../config/weak-settings.ts';
import { createWarning, type Finding } from './findings/finding.ts';

/** The settings that protect less than they could, if any. */
export function checkWeakSettings(configuration: Configuration): readonly Finding[] {
  return findWeakSettings(configuration).map(({ finding, advice }) => createWarning(finding, advice));
}
