import { ProviderError } from '@poolgate/provider';
import { requireEnabledUser } from '../identity/active-user.ts';
import type { Attributes } from '../identity/attributes.ts';
import { isContactAttribute } from '../identity/contacts.ts';
import { SUBJECT_ATTRIBUTE, updateIdentitiesAttribute } from '../identity/federated-identities.ts';
import { insertUser, lockUser } from '../identity/user-records.ts';
import { recordEvent } from '../kernel/audit-events.ts';
import { generateUuid } from '../kernel/identifiers.ts';
import type { EventPorts, RandomPort, StoreReads, StoreWrites, Transaction } from '../kernel/ports.ts';
import { readProviderIssuer } from '../settings/identity-providers.ts';
import { isValidSignInName, toCanonicalName } from '../settings/sign-in-names.ts';
import type { FederatedIdentityKey } from '../store/federated-identity-repository.ts';
import type { PoolReads } from '../store/pool-store.ts';
import type { FederatedIdentityRecord, IdentityProviderRecord, PoolRecord, UserRecord } from '../store/records.ts';
import { isConflictError } from '../store/store-error-guards.ts';
import { createUserRecord } from '../users/create-user-record.ts';
import { mergeMappedAttributes } from './mapped-attributes.ts';
import type { IdentityProviderPort } from './provider-protocol.ts';

/** An account at a provider, with the attributes that result for its user. */
export interface MappedAccount {
  readonly pool: PoolRecord;
  readonly provider: IdentityProviderRecord;
  readonly subject: string;
  readonly mapped: Attributes;
}

type UserWrites = 'events' | 'federatedIdentities' | 'groups' | 'identityProviders' | 'users';

const MAX_USERNAME_LENGTH = 128;

/**
 * The username of an account that signs in for the first time.
 * @throws {ProviderError} `InvalidParameterException`: no user can have that name
 */
export function createFederatedUsername({ settings }: PoolRecord, providerName: string, subject: string): string {
  const name = toCanonicalName(settings, `${providerName}_${subject}`);
  if (Array.from(name).length > MAX_USERNAME_LENGTH) {
    throw new ProviderError(
      'InvalidParameterException',
      `1 validation error detected: Value '${name}' at 'userName' failed to satisfy constraint: Member must have length less than or equal to 128`,
    );
  }
  if (isValidSignInName(name)) return name;
  throw new ProviderError('InvalidParameterException', 'Invalid ProviderName/Username combination');
}

/** Anyone can enter someone else's address at a provider, so an unverified contact identifies no account. */
function isProven(attribute: string, mapped: Attributes): boolean {
  return !isContactAttribute(attribute) || mapped[`${attribute}_verified`] === 'true';
}

/**
 * Returns the identity of an account, found by the provider's account id or by an attribute that an administrator linked.
 * @throws {ProviderError} `NotAuthorizedException`: it belongs to an issuer other than the provider's current one
 */
export async function findIdentity(
  reads: Pick<PoolReads, 'federatedIdentities'>,
  { pool, provider, subject, mapped }: MappedAccount,
): Promise<FederatedIdentityRecord | undefined> {
  const providerName = provider.name;
  const keys: FederatedIdentityKey[] = [
    { providerName, attribute: SUBJECT_ATTRIBUTE, value: subject },
    ...Object.entries(mapped)
      .filter(([attribute]) => isProven(attribute, mapped))
      .map(([attribute, value]) => ({ providerName, attribute, value })),
  ];
  for (const key of keys) {
    const identity = await reads.federatedIdentities.byKey(pool.id, key);
    if (identity === undefined) continue;
    if (identity.issuer === readProviderIssuer(provider)) return identity;
    throw new ProviderError('NotAuthorizedException', 'The account belongs to another issuer of this provider.');
  }
  return undefined;
}

/**
 * Checks in a write that the provider still exists as it was when the account was proven.
 * @throws {ProviderError} `NotAuthorizedException`
 */
async function requireSameProvider(
  transaction: Transaction<'identityProviders'>,
  { pool, provider }: MappedAccount,
): Promise<void> {
  const current = await transaction.identityProviders.byName(pool.id, provider.name);
  if (current !== undefined && readProviderIssuer(current) === readProviderIssuer(provider)) return;
  throw new ProviderError('NotAuthorizedException', 'The identity provider is no longer available.');
}

/** Whether provider rules must not sign this user in. A rule trusts a provider with ordinary users, but not with administrators. */
export function isExemptFromRules(
  { groupsWithoutLinkRule = [] }: IdentityProviderPort,
  { groups }: UserRecord,
): boolean {
  return groups.some(({ name }) => groupsWithoutLinkRule.includes(name));
}

/** The error for an account whose link was removed or used up during the sign-in. */
export function noLongerLinkedError(cause?: unknown): ProviderError {
  return new ProviderError('NotAuthorizedException', 'The account is no longer linked.', { cause });
}

/**
 * Creates the user of an account that signs in for the first time, with the group of its provider.
 * @returns undefined if the account got a user in the meantime
 * @throws {ProviderError} `UsernameExistsException`: the username belongs to someone else
 */
export async function createFederatedUser(
  ports: EventPorts & RandomPort & StoreWrites<UserWrites> & StoreReads<'federatedIdentities'>,
  account: MappedAccount,
  attributes: Attributes,
): Promise<UserRecord | undefined> {
  const { pool, provider, subject } = account;
  const username = createFederatedUsername(pool, provider.name, subject);
  const identity = { username, sub: generateUuid(ports.random), attributes };
  const user = createUserRecord(ports, pool, identity, 'EXTERNAL_PROVIDER');
  try {
    return await ports.store.write(async (transaction) => {
      await requireSameProvider(transaction, account);
      await insertUser(transaction, pool, user, username);
      await insertIdentity(transaction, account, user, true);
      await joinProviderGroup(transaction, account, user);
      const how = { how: 'identity_provider', identity_provider: provider.name };
      await recordEvent(ports, transaction, { type: 'user.created', pool, user, details: how });
      const created = await updateIdentitiesAttribute(transaction, pool, user, user.createdAtMs);
      return (await lockUser(transaction, pool, created.username)).user;
    });
  } catch (cause) {
    if (!isConflictError(cause)) throw cause;
    if ((await findIdentity(ports.store, account)) !== undefined) return undefined;
    throw new ProviderError('UsernameExistsException', `Already found an entry for username ${username}`, { cause });
  }
}

function insertIdentity(
  transaction: Transaction<'federatedIdentities'>,
  { pool, provider, subject }: MappedAccount,
  { username, modifiedAtMs }: UserRecord,
  isPrimary: boolean,
): Promise<void> {
  const key = { providerName: provider.name, attribute: SUBJECT_ATTRIBUTE, value: subject };
  const facts = { poolId: pool.id, username, issuer: readProviderIssuer(provider), isPrimary, isByRule: false };
  return transaction.federatedIdentities.insert({ ...key, ...facts, createdAtMs: modifiedAtMs });
}

/** As at Cognito, all users of a provider are in one group. */
async function joinProviderGroup(
  transaction: Transaction<'groups'>,
  { pool, provider }: MappedAccount,
  { username, createdAtMs }: UserRecord,
): Promise<void> {
  const name = `${pool.id}_${provider.name}`;
  const description = `Autogenerated group for users who sign in using ${provider.name}`;
  const group = { poolId: pool.id, name, description, precedence: null, roleArn: null };
  await transaction.groups.insertIfMissing({ ...group, createdAtMs, modifiedAtMs: createdAtMs });
  await transaction.groups.addMember(pool.id, name, username, createdAtMs);
}

/** An administrator may have removed the identity, or another account may have used it up, since it was read. */
async function requireSameIdentity(
  transaction: Transaction<'federatedIdentities'>,
  { pool }: MappedAccount,
  identity: FederatedIdentityRecord,
): Promise<void> {
  const current = await transaction.federatedIdentities.byKey(pool.id, identity);
  const isSame = current?.username === identity.username && current.createdAtMs === identity.createdAtMs;
  if (!isSame) throw noLongerLinkedError();
}

/** Replaces the attribute that an administrator linked with the provider's own id of the account. Only the first account gets it. */
async function replaceAttributeLink(
  transaction: Transaction<'federatedIdentities'>,
  account: MappedAccount,
  identity: FederatedIdentityRecord,
  user: UserRecord,
): Promise<void> {
  if (!(await transaction.federatedIdentities.delete(account.pool.id, identity))) throw noLongerLinkedError();
  await insertIdentity(transaction, account, user, false);
}

/**
 * Updates a user to match the provider's current claims. Call it in the write that opens the login.
 * @throws {ProviderError} `NotAuthorizedException`: the user is disabled, the account is no longer linked, or the provider is gone. The same
 *   if a rule linked the account and must not do so for this user. `UserNotFoundException`: the user was deleted meanwhile
 */
export async function updateFederatedUser(
  ports: EventPorts & IdentityProviderPort,
  transaction: Transaction<UserWrites>,
  account: MappedAccount,
  identity: FederatedIdentityRecord,
): Promise<UserRecord> {
  const { pool, mapped } = account;
  const { user } = await lockUser(transaction, pool, identity.username);
  await requireSameIdentity(transaction, account, identity);
  await requireSameProvider(transaction, account);
  requireEnabledUser(user);
  if (identity.isByRule && isExemptFromRules(ports, user)) throw noLongerLinkedError();
  const nowMs = ports.clock.now();
  const attributes = mergeMappedAttributes(pool, user, mapped);
  const changed = Object.keys(attributes).filter((name) => attributes[name] !== user.attributes[name]);
  const current = { ...user, attributes, modifiedAtMs: nowMs };
  if (identity.attribute !== SUBJECT_ATTRIBUTE) {
    await replaceAttributeLink(transaction, account, identity, current);
  } else if (changed.length === 0) return user;
  await recordEvent(ports, transaction, {
    type: 'user.updated',
    pool,
    user,
    details: { attributes: changed.join(' '), identity_provider: account.provider.name },
  });
  return updateIdentitiesAttribute(transaction, pool, current, nowMs);
}
