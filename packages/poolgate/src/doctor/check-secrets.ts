import type { Configuration } from '../config/configuration.ts';
import { createOkFinding, createWarning, type Finding } from './findings/finding.ts';

/** Whether encryption secrets exist. The configuration ensures that production has its own. */
export function checkSecrets({ settings, mode }: Configuration): readonly Finding[] {
  const { secrets } = settings;
  if (secrets === undefined) return [createOkFinding(`A start in ${mode} makes its own secrets.`)];
  const several =
    secrets.length === 1
      ? []
      : [
          createWarning(
            `POOLGATE_SECRET holds ${secrets.length} secrets: the first one encrypts, the others only decrypt.`,
            'Take the older ones out once nothing is encrypted under them: see what is said of the encryption.',
          ),
        ];
  return [createOkFinding('POOLGATE_SECRET is set.'), ...several];
}
