import type { InvalidSetting } from './configuration-error.ts';
import type { ProviderName } from './provider-settings.ts';
import { SETTING_GROUPS, SETTING_NAMES, SETTINGS, type SettingName, type Settings } from './settings.ts';

/** The required keys of each provider. */
const REQUIRED: Readonly<Record<ProviderName, readonly SettingName[]>> = {
  embedded: [],
  cognito: ['userPoolId', 'clientId'],
};

/** Whether each setting was given. */
export interface SettingPresence {
  readonly isGiven: (name: SettingName) => boolean;
  readonly isInvalid: (name: SettingName) => boolean;
}

/** Finds problems of settings that do not fit the provider: missing ones, and ones without effect. */
export function findProviderProblems(
  { provider }: Settings,
  { isGiven, isInvalid }: SettingPresence,
): readonly InvalidSetting[] {
  if (isInvalid('provider')) return [];
  const missing = REQUIRED[provider].filter((name) => !isGiven(name));
  const idle = SETTING_NAMES.filter((name) => {
    const only = OF_PROVIDER.get(name);
    return only !== undefined && only !== provider && isGiven(name);
  });
  return [
    ...missing.map((name) => ({
      name: SETTINGS[name].env,
      problem: `is missing. It is required because IDP_PROVIDER is ${provider}`,
      allowed: SETTINGS[name].kind.allowed,
    })),
    ...idle.map((name) => ({
      name: SETTINGS[name].env,
      problem: `has no effect with IDP_PROVIDER=${provider}`,
      allowed: 'leave it out',
    })),
  ];
}

const OF_PROVIDER: ReadonlyMap<string, ProviderName> = new Map(
  SETTING_GROUPS.flatMap(({ settings, only }) =>
    only === undefined ? [] : Object.keys(settings).map((name) => [name, only] as const),
  ),
);
