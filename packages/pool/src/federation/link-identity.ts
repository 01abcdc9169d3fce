import { ProviderError } from '@poolgate/provider';
import { isContactAttribute } from '../identity/contacts.ts';
import { SUBJECT_ATTRIBUTE, updateIdentitiesAttribute } from '../identity/federated-identities.ts';
import { recordEvent } from '../kernel/audit-events.ts';
import type { EventPorts, Transaction } from '../kernel/ports.ts';
import { readProviderIssuer, requireIdentityProvider } from '../settings/identity-providers.ts';
import type { FederatedIdentityKey } from '../store/federated-identity-repository.ts';
import type { PoolReads } from '../store/pool-store.ts';
import type { FederatedIdentityRecord, PoolRecord, UserRecord } from '../store/records.ts';

/** Cognito's maximum number of linked identities per user. */
const MAX_LINKS = 5;

type LinkTransaction = Transaction<'events' | 'federatedIdentities' | 'identityProviders' | 'users'>;

/** A link that is about to be made. */
export interface IdentityLink {
  readonly pool: PoolRecord;
  readonly user: UserRecord;
  readonly key: FederatedIdentityKey;
  /** True where a rule of the provider makes the link, and no person. */
  readonly isByRule?: boolean;
}

/**
 * Links an account at a provider, or whatever account has an attribute, to a locked user.
 * @throws {ProviderError} `InvalidParameterException`: the account already signs in someone, or the provider does not map the attribute;
 * `LimitExceededException`
 */
export async function linkIdentity(
  ports: EventPorts,
  transaction: LinkTransaction,
  { pool, user, key, isByRule = false }: IdentityLink,
): Promise<FederatedIdentityRecord> {
  // The person who registered it has proven nothing, and would share the account with the user of the provider.
  if (user.status === 'UNCONFIRMED') throw invalidParameterError('DestinationUser is not confirmed.');
  const provider = await requireIdentityProvider(transaction, pool, key.providerName);
  const { type, attributeMapping } = provider.settings;
  const isMapped = type === 'OIDC' && Object.hasOwn(attributeMapping, key.attribute) && key.attribute !== 'username';
  if (key.attribute !== SUBJECT_ATTRIBUTE && !isMapped) {
    throw invalidParameterError(
      `ProviderAttributeName of SourceUser must be ${SUBJECT_ATTRIBUTE} or a mapped attribute.`,
    );
  }
  const flag = `${key.attribute}_verified`;
  if (isContactAttribute(key.attribute) && !Object.hasOwn(attributeMapping, flag)) {
    throw invalidParameterError(
      `ProviderAttributeName of SourceUser can be ${key.attribute} only if the provider also maps ${flag}.`,
    );
  }
  const existing = await transaction.federatedIdentities.byKey(pool.id, key);
  if (existing !== undefined) throw linkRefusedError(existing, user);
  if (!(await canBeLinked(transaction, pool, user.username))) {
    throw new ProviderError('LimitExceededException', `A user can have ${MAX_LINKS} linked identities at most.`);
  }
  const nowMs = ports.clock.now();
  const issuer = readProviderIssuer(provider);
  const { username } = user;
  const facts = { poolId: pool.id, username, issuer, isPrimary: false, isByRule, createdAtMs: nowMs };
  const identity: FederatedIdentityRecord = { ...key, ...facts };
  await transaction.federatedIdentities.insert(identity);
  await updateIdentitiesAttribute(transaction, pool, user, nowMs);
  const details = { attributes: 'identities', identity_provider: key.providerName };
  await recordEvent(ports, transaction, { type: 'user.updated', pool, user, details });
  return identity;
}

/** Whether a user has fewer links than the maximum. */
export async function canBeLinked(
  reads: Pick<PoolReads, 'federatedIdentities'>,
  { id }: PoolRecord,
  username: string,
): Promise<boolean> {
  const linked = await reads.federatedIdentities.listOf(id, username);
  return linked.filter(({ isPrimary }) => !isPrimary).length < MAX_LINKS;
}

/** Cognito's text where the account already signs in a user. */
export const ALREADY_IN_USE =
  'Merging is not currently supported, provide a SourceUser that has not been signed up in order to link';

function linkRefusedError({ username }: FederatedIdentityRecord, user: UserRecord): ProviderError {
  if (username === user.username) return invalidParameterError('SourceUser is already linked to DestinationUser');
  return invalidParameterError(ALREADY_IN_USE);
}

function invalidParameterError(message: string): ProviderError {
  return new ProviderError('InvalidParameterException', message);
}
