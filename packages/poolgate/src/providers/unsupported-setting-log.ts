import type { AcceptedUnsupportedSettings, UnsupportedSetting } from '@poolgate/pool';
import type { Configuration } from '../config/configuration.ts';
import type { WriteLogLine } from '../process/log-line.ts';

/** How many pairs of a pool and a setting are remembered as logged. */
const MAX_LOGGED = 10_000;

/** Production refuses settings that promise security, whatever is set: an operator would rely on them. */
export function readAcceptedUnsupportedSettings({ settings, mode }: Configuration): AcceptedUnsupportedSettings {
  if (settings.unsupportedSettings === 'refuse') return 'none';
  return mode === 'production' ? 'without_security' : 'all';
}

/** Warns once of each setting that a pool stores and that has no effect. */
export function createUnsupportedSettingLog(log: WriteLogLine): (found: UnsupportedSetting) => void {
  const logged = new Set<string>();
  return ({ userPoolId, setting }) => {
    const key = `${userPoolId} ${setting}`;
    if (logged.has(key) || logged.size >= MAX_LOGGED) return;
    logged.add(key);
    log('warn', 'A setting of a pool is not supported by this service. It is stored and has no effect.', {
      setting,
      pool: userPoolId,
    });
  };
}
