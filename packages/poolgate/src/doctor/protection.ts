import type { Configuration } from '../config/configuration.ts';
import { weakSettings } from '../config/weak-settings.ts';
import { type Finding, warn } from './finding.ts';

/** The settings that protect less than they could; nothing where there are none. */
export function checkProtection(configuration: Configuration): readonly Finding[] {
  return weakSettings(configuration).map(({ finding, advice }) => warn(finding, advice));
}
