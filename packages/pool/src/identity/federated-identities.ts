import { createHash } from 'node:crypto';
import type { Transaction } from '../kernel/ports.ts';
import { IDENTITY_PROVIDER_TYPES } from '../settings/identity-provider-types.ts';
import { readProviderIssuer } from '../settings/identity-providers.ts';
import type { FederatedIdentityKey } from '../store/federated-identity-repository.ts';
import type { FederationType } from '../store/pool-and-client-settings.ts';
import type { PoolReads } from '../store/pool-store.ts';
import type { FederatedIdentityRecord, IdentityProviderRecord, PoolRecord, UserRecord } from '../store/records.ts';

/** The attribute of an identity that holds the provider's own id of the account. */
export const SUBJECT_ATTRIBUTE = 'Cognito_Subject';

/** The kind of the provider of an identity whose provider was deleted. */
const DELETED_PROVIDER_TYPE: FederationType = 'OIDC';

/**
 * Brings the attribute `identities` of a user in line with its identities. Call it in the write that changes them.
 * @returns the user with its attributes
 */
export async function updateIdentitiesAttribute(
  transaction: Transaction<'federatedIdentities' | 'identityProviders' | 'users'>,
  pool: PoolRecord,
  user: UserRecord,
  nowMs: number,
): Promise<UserRecord> {
  const identities = await transaction.federatedIdentities.listOf(pool.id, user.username);
  const used = identities.filter(({ attribute }) => attribute === SUBJECT_ATTRIBUTE);
  const providers = await transaction.identityProviders.listOf(pool.id);
  const { identities: _before, ...others } = user.attributes;
  const attributes = used.length === 0 ? others : { ...others, identities: formatIdentities(used, providers) };
  await transaction.users.update(pool.id, user.username, { attributes, modifiedAtMs: nowMs });
  return { ...user, attributes };
}

/** Counts the identities with which a user can sign in: their providers exist and still have the same issuer. */
export async function countUsableIdentities(
  reads: Pick<PoolReads, 'federatedIdentities' | 'identityProviders'>,
  { id }: PoolRecord,
  username: string,
): Promise<number> {
  const identities = await reads.federatedIdentities.listOf(id, username);
  const providers = await reads.identityProviders.listOf(id);
  const isUsable = ({ attribute, providerName, issuer }: FederatedIdentityRecord) =>
    attribute === SUBJECT_ATTRIBUTE &&
    providers.some((provider) => provider.name === providerName && readProviderIssuer(provider) === issuer);
  return identities.filter(isUsable).length;
}

function formatIdentities(
  identities: readonly FederatedIdentityRecord[],
  providers: readonly IdentityProviderRecord[],
): string {
  const list = identities.map(({ value, providerName, isPrimary, createdAtMs }) => ({
    userId: value,
    providerName,
    providerType: providers.find(({ name }) => name === providerName)?.settings.type ?? DELETED_PROVIDER_TYPE,
    issuer: null,
    primary: isPrimary,
    dateCreated: createdAtMs,
  }));
  return JSON.stringify(list);
}

/** The claim that holds the provider's own id of an account. */
export function readSubjectClaim({ settings }: Pick<IdentityProviderRecord, 'settings'>): string {
  return IDENTITY_PROVIDER_TYPES[settings.type].subjectClaim;
}

const ID_LENGTH = 22;

/** A name of an identity for URLs. It reveals nothing about the account at the provider. */
export function toIdentityId({ providerName, attribute, value }: FederatedIdentityKey): string {
  const text = JSON.stringify([providerName, attribute, value]);
  return createHash('sha256').update(text).digest('base64url').slice(0, ID_LENGTH);
}
