import { ProviderError } from '@poolgate/provider';
import type { Attributes } from '../identity/attributes.ts';
import type { StoreReads } from '../kernel/ports.ts';
import { listCachedProviders } from '../settings/identity-providers.ts';
import type { SettingsCachePort } from '../settings/settings-ports.ts';
import { toCanonicalName } from '../settings/sign-in-names.ts';
import type { IdentityProviderRecord, PoolRecord } from '../store/records.ts';

/** What reading the providers of a pool takes. */
export type ProviderNamePorts = SettingsCachePort & StoreReads<'identityProviders'>;

/** Names that a user chooses. */
interface ChosenNames {
  readonly username?: string;
  readonly attributes: Attributes;
}

/**
 * Rejects usernames and aliases that belong to accounts at identity providers. `Google_1` must not be taken before that account first signs in.
 * @throws {ProviderError} `InvalidParameterException`
 */
export async function refuseProviderNames(
  ports: ProviderNamePorts,
  pool: PoolRecord,
  names: ChosenNames,
): Promise<void> {
  if (names.username === undefined && names.attributes.preferred_username === undefined) return;
  checkProviderNames(await listCachedProviders(ports, pool), pool, names);
}

/** Like {@link refuseProviderNames}, for providers that were read before. */
export function checkProviderNames(
  providers: readonly IdentityProviderRecord[],
  { settings }: PoolRecord,
  { username, attributes }: ChosenNames,
): void {
  const hasAlias = settings.aliasAttributes.includes('preferred_username');
  const prefixes = providers.map(({ name }) => foldName(`${name}_`));
  const isReserved = (name = '') => prefixes.some((prefix) => foldName(name).startsWith(prefix));
  if (isReserved(username)) throw reservedNameError('Username');
  if (hasAlias && isReserved(attributes.preferred_username)) throw reservedNameError('preferred_username');
}

/** Two providers never differ in case only, so it is ignored in every pool. */
function foldName(name: string): string {
  return toCanonicalName({ usernamesAreCaseSensitive: false }, name);
}

function reservedNameError(what: string): ProviderError {
  return new ProviderError(
    'InvalidParameterException',
    `${what} must not begin with the name of an identity provider.`,
  );
}
