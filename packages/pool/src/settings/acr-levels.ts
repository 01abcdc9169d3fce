import type { PoolSettings } from '../store/pool-and-client-settings.ts';

/**
 * An authentication level, from weakest to strongest. Cognito fixes what reaches each level; pools can only rename them.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-step-up-authentication.html
 */
export type AcrLevel = 1 | 2 | 3 | 4;

/** All levels. */
export const ACR_LEVELS: readonly AcrLevel[] = [1, 2, 3, 4];

/** The key of a level in `AcrConfiguration` and `AcrMapping`. */
export const toLevelKey = (level: AcrLevel): string => `Level${level}`;

/** Whether a text is the key of a level. */
export const isLevelKey = (text: string): boolean => ACR_LEVELS.some((level) => toLevelKey(level) === text);

type AcrSettings = Pick<PoolSettings, 'kept'>;

/** The names of the levels as a request gives them. */
type AcrConfiguration = NonNullable<NonNullable<PoolSettings['kept']>['AcrConfiguration']>;

/** The name of each level in a configuration that names some of them. */
export function completeAcrConfiguration(named: AcrConfiguration): Record<string, { readonly AcrValue: string }> {
  const entries = ACR_LEVELS.map((level) => {
    const key = toLevelKey(level);
    return [key, { AcrValue: named[key]?.AcrValue ?? `urn:cognito:loa:${level}` }] as const;
  });
  return Object.fromEntries(entries);
}

/** The name of a level in the pool, as `acr` claims and requests use it. */
export function formatAcr({ kept }: AcrSettings, level: AcrLevel): string {
  return completeAcrConfiguration(kept?.AcrConfiguration ?? {})[toLevelKey(level)]?.AcrValue ?? '';
}

/** The level that a name means in the pool; undefined for other text, such as a name from before a change. */
export function findAcrLevel(settings: AcrSettings, acr: string): AcrLevel | undefined {
  return ACR_LEVELS.find((level) => formatAcr(settings, level) === acr);
}

/** The levels in a space-separated list of names, in the order of the list. Unknown names are ignored. */
export function parseAcrValues(settings: AcrSettings, text: string): readonly AcrLevel[] {
  const levels = text.split(' ').map((name) => findAcrLevel(settings, name));
  return [...new Set(levels.filter((level) => level !== undefined))];
}

/** Whether the plan of the pool includes requests for a level. */
export function offersAcrLevels({ kept }: AcrSettings): boolean {
  return kept?.UserPoolTier !== 'LITE';
}
