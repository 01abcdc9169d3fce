import { ProviderError } from '@poolgate/provider';
import type { KeyRingPort, StoreReads } from '../kernel/ports.ts';
import type { PoolReads } from '../store/pool-store.ts';
import type { IdentityProviderRecord, PoolRecord } from '../store/records.ts';
import { toComparableIdentifier } from './identity-provider-settings.ts';
import { IDENTITY_PROVIDER_TYPES } from './identity-provider-types.ts';
import type { PoolAndClient } from './pools-and-clients.ts';
import type { SettingsCachePort } from './settings-ports.ts';

/** The name by which app clients name the users of the pool itself. */
export const LOCAL_USERS = 'COGNITO';

const PURPOSE = 'identity-provider-secret';

/** Encrypts the secret of an identity provider for its record. */
export function encryptProviderSecret(ports: KeyRingPort, poolId: string, name: string, secret: string): string {
  return ports.keyRing.encrypt(PURPOSE, Buffer.from(secret), `${poolId}/${name}`);
}

/**
 * Decrypts the secret that authenticates this service at an identity provider. Empty for a public client.
 * @throws {Error} it was encrypted with a secret that the service no longer has
 */
export function decryptProviderSecret(
  { keyRing }: KeyRingPort,
  { poolId, name, secretEncrypted }: IdentityProviderRecord,
): string {
  const bytes = keyRing.decrypt(PURPOSE, secretEncrypted, `${poolId}/${name}`);
  if (bytes === undefined) throw new Error(`The secret of identity provider ${name} cannot be decrypted.`);
  return Buffer.from(bytes).toString('utf8');
}

/** Returns the identity providers of a pool; they may be a few seconds old. */
export async function listCachedProviders(
  { settingsCache, store }: SettingsCachePort & StoreReads<'identityProviders'>,
  { id }: Pick<PoolRecord, 'id'>,
): Promise<readonly IdentityProviderRecord[]> {
  return (await settingsCache.identityProviders.getOrLoad(id, () => store.identityProviders.listOf(id))) ?? [];
}

/** The providers that users of a client can sign in with. Costs no read for a client that names none. */
export async function listProvidersOfClient(
  ports: SettingsCachePort & StoreReads<'identityProviders'>,
  { pool, client }: PoolAndClient,
): Promise<readonly IdentityProviderRecord[]> {
  const names = (client.settings.kept?.SupportedIdentityProviders ?? []).filter((name) => name !== LOCAL_USERS);
  if (names.length === 0) return [];
  const providers = await listCachedProviders(ports, pool);
  return names.flatMap((name) => providers.filter((provider) => provider.name === name));
}

/** Returns the provider with an identifier, such as the domain of an email address. */
export function findProviderByIdentifier(
  providers: readonly IdentityProviderRecord[],
  identifier: string,
): IdentityProviderRecord | undefined {
  const wanted = toComparableIdentifier(identifier);
  return providers.find(({ settings }) => settings.identifiers.some((one) => toComparableIdentifier(one) === wanted));
}

/** @throws {ProviderError} `ResourceNotFoundException`: the pool has no such provider */
export async function requireIdentityProvider(
  reads: Pick<PoolReads, 'identityProviders'>,
  { id }: Pick<PoolRecord, 'id'>,
  name: string,
): Promise<IdentityProviderRecord> {
  const provider = await reads.identityProviders.byName(id, name);
  if (provider === undefined) throw identityProviderNotFoundError(name);
  return provider;
}

/** Creates the error for a missing identity provider. */
export function identityProviderNotFoundError(name: string): ProviderError {
  return new ProviderError('ResourceNotFoundException', `Identity provider ${name} does not exist.`, {
    reason: 'identity_provider_not_found',
  });
}

/** Returns the issuer whose accounts a provider signs in. For a provider without ID tokens it is the origin of its account API. */
export function readProviderIssuer({ settings: { type, details } }: Pick<IdentityProviderRecord, 'settings'>): string {
  if (IDENTITY_PROVIDER_TYPES[type].hasIdToken) return details.oidc_issuer ?? '';
  return new URL(details.attributes_url ?? 'https://invalid').origin;
}
