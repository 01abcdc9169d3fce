import type { Configuration } from '../config/configuration.ts';
import { createOkFinding, createWarning, type Finding } from './findings/finding.ts';

/** Whether encryption secrets exist. The configuration ensures that production has its own. */
export function checkSecrets({ settings, mode }: Configuration): readonly Finding[] {
  const { secrets } = settings;
  if (secrets === undefined) return [createOkFinding(`In ${mode} mode, the service generates its own secrets.`)];
  const several =
    secrets.length === 1
      ? []
      : [
          createWarning(
            `POOLGATE_SECRET contains ${secrets.length} secrets. The first one encrypts, the others only decrypt.`,
            'Remove the older ones once nothing is encrypted with them; see the finding about encryption.',
          ),
        ];
  return [createOkFinding('POOLGATE_SECRET is set.'), ...several];
}
