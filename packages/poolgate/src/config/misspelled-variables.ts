import type { Environment } from './setting-sources.ts';
import type { SettingName } from './settings.ts';
import { SETTING_NAMES, SETTINGS } from './settings.ts';
import { findSuggestion } from './suggestion.ts';

/** An environment variable that is probably a misspelled setting. */
export interface MisspelledVariable {
  readonly name: string;
  readonly meant: string;
}

const PREFIXED = /^(?:IDP|POOLGATE)_/;

/** Many programs read it, and it selects production. */
const NODE_ENV = 'NODE_ENV';

/** Short names are close to many other words, so only one edit counts. */
const LONG_NAME = 8;

const countAllowedEdits = (name: string): number => (name.length < LONG_NAME ? 1 : 2);

/**
 * Finds environment variables whose names are close to a setting's without our prefix, such as `DATBASE_URL`. Other programs may use them,
 * so they are not errors. A setting that is given under its correct name is not suggested.
 */
export function findMisspelledVariables(
  environment: Environment,
  isGiven: (setting: SettingName) => boolean,
): readonly MisspelledVariable[] {
  const missing = SETTING_NAMES.filter((setting) => !isGiven(setting)).map((setting) => SETTINGS[setting].env);
  const candidates = [...missing, ...(environment[NODE_ENV] ? [] : [NODE_ENV])].filter((name) => !PREFIXED.test(name));
  const known = new Set([NODE_ENV, ...Object.values(SETTINGS).map(({ env }) => env)]);
  return Object.entries(environment).flatMap(([name, value]) => {
    if (!value || known.has(name) || PREFIXED.test(name)) return [];
    const meant = findSuggestion(name.toUpperCase(), candidates, countAllowedEdits);
    return meant === undefined ? [] : [{ name, meant }];
  });
}

/** Formats the warning for an operator. The value may be a secret and is omitted. */
export function formatMisspellingWarning({ name, meant }: MisspelledVariable): string {
  return `The environment variable ${name} is set, but is not a setting of Poolgate. Did you mean ${meant}, which is not set?`;
}
