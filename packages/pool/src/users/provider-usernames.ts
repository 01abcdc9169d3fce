import { ProviderError } from '@poolgate/provider';
import type { Attributes } from '../identity/attributes.ts';
import type { StoreReads, Transaction } from '../kernel/ports.ts';
import { listCachedProviders } from '../settings/identity-providers.ts';
import type { SettingsCachePort } from '../settings/settings-ports.ts';
import { toCanonicalName } from '../settings/sign-in-names.ts';
import type { IdentityProviderRecord, PoolRecord, UserRecord, UserSearch } from '../store/records.ts';

/** The dependencies for reading a pool's providers. */
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
  const prefixes = providers.map(({ name }) => foldProviderName(`${name}_`));
  const isReserved = (name = '') => prefixes.some((prefix) => foldProviderName(name).startsWith(prefix));
  if (isReserved(username)) throw reservedNameError('Username');
  if (hasAlias && isReserved(attributes.preferred_username)) throw reservedNameError('preferred_username');
}

/** Folds a provider's name. Two providers never differ in case only, so it is ignored in every pool. */
export function foldProviderName(name: string): string {
  return toCanonicalName({ usernamesAreCaseSensitive: false }, name);
}

function reservedNameError(what: string): ProviderError {
  return new ProviderError(
    'InvalidParameterException',
    `${what} must not begin with the name of an identity provider.`,
  );
}

/**
 * Checks the name of a new provider. A user may have chosen a name that begins with it before the provider existed. The account of that
 * name could then never sign in.
 * @throws {ProviderError} `InvalidParameterException`
 */
export async function requireUnusedPrefix(
  transaction: Transaction<'users' | 'federatedIdentities'>,
  pool: PoolRecord,
  name: string,
): Promise<void> {
  const prefix = toCanonicalName(pool.settings, `${name}_`);
  const hasAlias = pool.settings.aliasAttributes.includes('preferred_username');
  for (const attribute of hasAlias ? NAME_ATTRIBUTES : (['username'] as const)) {
    for await (const user of findByPrefix(transaction, pool, { attribute, match: 'prefix', value: prefix })) {
      const chosen = attribute === 'username' ? user.username : (user.attributes[attribute] ?? '');
      if (!toCanonicalName(pool.settings, chosen).startsWith(prefix)) continue;
      if (user.status === 'EXTERNAL_PROVIDER') continue;
      if (attribute === 'username' && (await isFederated(transaction, user))) continue;
      throw new ProviderError(
        'InvalidParameterException',
        `The user ${user.username} already has a ${attribute} that begins with ${prefix}. Change it or delete that user first.`,
      );
    }
  }
}

const USERS_PER_PAGE = 60;
const NAME_ATTRIBUTES = ['username', 'preferred_username'] as const;

async function* findByPrefix(
  { users }: Transaction<'users'>,
  { id }: PoolRecord,
  search: UserSearch,
): AsyncGenerator<UserRecord> {
  let cursor: string | undefined;
  do {
    const { rows, nextCursor } = await users.search(id, search, USERS_PER_PAGE, cursor);
    yield* rows;
    cursor = nextCursor;
  } while (cursor !== undefined);
}

async function isFederated(
  { federatedIdentities }: Transaction<'federatedIdentities'>,
  { poolId, username }: UserRecord,
): Promise<boolean> {
  return (await federatedIdentities.listOf(poolId, username)).length > 0;
}
