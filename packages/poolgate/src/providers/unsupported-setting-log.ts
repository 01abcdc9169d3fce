import type { AcceptedUnsupportedSettings, UnsupportedSetting } from '@poolgate/pool';
import type { Configuration } from '../config/configuration.ts';
import type { WriteLogLine } from '../process/log-line.ts';

/** The maximum number of remembered pairs of a pool and a setting. */
const MAX_LOGGED = 10_000;

/** Production rejects unsupported settings that promise security, whatever is configured, because an operator would rely on them. */
export function readAcceptedUnsupportedSettings({ settings, mode }: Configuration): AcceptedUnsupportedSettings {
  if (settings.unsupportedSettings === 'refuse') return 'none';
  return mode === 'production' ? 'without_security' : 'all';
}

/** Warns once about each stored pool setting without an effect. */
export function createUnsupportedSettingLog(log: WriteLogLine): (found: UnsupportedSetting) => void {
  const logged = new Set<string>();
  return ({ userPoolId, setting }) => {
    const key = `${userPoolId} ${setting}`;
    if (logged.has(key) || logged.size >= MAX_LOGGED) return;
    logged.add(key);
    log('warn', 'This service does not support a setting of a pool. The setting is stored but has no effect.', {
      setting,
      pool: userPoolId,
    });
  };
}
