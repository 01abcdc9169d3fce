import { ProviderError } from '@poolgate/provider';
import type { Attributes } from '../identity/attributes.ts';
import { type Contact, listContacts } from '../identity/contacts.ts';
import { takeOverSignInName, updateSignInNames } from '../identity/user-records.ts';
import { hasVerifiedContact } from '../identity/verified-contact.ts';
import type { EventPorts, Transaction } from '../kernel/ports.ts';
import { toCanonicalName } from '../settings/sign-in-names.ts';
import type { PoolSettings } from '../store/pool-and-client-settings.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';
import { isConflictError } from '../store/store-error-guards.ts';
import { revokeLoginsOfUser } from '../tokens/login-revocations.ts';

type ProofChange = Partial<Pick<UserRecord, 'status' | 'attributes' | 'mfaMethods' | 'preferredMfa'>>;

/** A user's contact that a code just verified. */
export interface ContactProof {
  readonly pool: PoolRecord;
  readonly user: UserRecord;
  readonly attribute: Contact['attribute'];
  /** The changes that the proof makes in addition to verifying the contact. */
  readonly change: ProofChange;
  /** True if only the code was required. It then does not prove that no one else has access to the account. */
  readonly isAlone?: boolean;
  readonly nowMs: number;
}

/** The effect of a proof on its user. */
export interface ContactProofResult {
  readonly user: UserRecord;
  /** True if every earlier credential was removed, including the password. */
  readonly isCleared: boolean;
}

/**
 * Marks a contact as verified. If another user has verified it as a name, it does not become this user's name and stays unverified, and a
 * change that depends on it is refused.
 *
 * The creator of an unverified account may not be the owner of the mailbox. A code that is the only proof therefore gives the account to
 * its reader, and to no one else.
 * @throws {ProviderError} `AliasExistsException`
 */
export async function verifyContact(
  ports: EventPorts,
  transaction: PoolTransaction,
  proof: ContactProof,
): Promise<ContactProofResult> {
  const { pool, attribute, change: wanted, nowMs, isAlone = false } = proof;
  const isCleared = isAlone && !hasVerifiedContact(proof.user.attributes);
  const user = isCleared
    ? { ...proof.user, attributes: removeContactsExcept(proof.user.attributes, attribute) }
    : proof.user;
  const change = isCleared
    ? { ...wanted, attributes: wanted.attributes ?? {}, mfaMethods: [], preferredMfa: null }
    : wanted;
  const { identities, ...kept } = user.attributes;
  const before = isCleared || identities === undefined ? kept : user.attributes;
  const attributes = { ...before, ...change.attributes };
  const needsNothing = Object.keys(wanted).length === 0;
  const asBefore = { user: proof.user, isCleared: false };
  if (needsNothing && attributes[`${attribute}_verified`] === 'true') return asBefore;
  if (!(await claimContact(ports, transaction, pool, user, attribute, attributes[attribute] ?? ''))) {
    if (!needsNothing) throw aliasExistsError(attribute);
    return asBefore;
  }
  if (isCleared) await deleteProofsAndLogins(transaction, user, nowMs);
  const changed = { ...user, ...change, attributes: { ...attributes, [`${attribute}_verified`]: 'true' } };
  await transaction.users.update(pool.id, user.username, {
    ...change,
    attributes: changed.attributes,
    modifiedAtMs: nowMs,
  });
  await renameUser(transaction, pool, changed, attribute);
  return { user: { ...changed, modifiedAtMs: nowMs }, isCleared };
}

/** Removes all but one of a user's contacts, because another person may have entered the others. */
export function removeContactsExcept(attributes: Attributes, kept: Contact['attribute']): Attributes {
  const others = listContacts(attributes)
    .filter(({ attribute }) => attribute !== kept)
    .flatMap(({ attribute }) => [attribute, `${attribute}_verified`]);
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !others.includes(name)));
}

/** Deletes everything with which another person could act as this user. */
export async function deleteProofsAndLogins(
  transaction: Transaction<'federatedIdentities' | 'localUsers' | 'logins' | 'revocations' | 'users'>,
  user: UserRecord,
  nowMs: number,
): Promise<void> {
  const { poolId, username, sub } = user;
  await transaction.users.deleteProofs(poolId, username);
  await transaction.federatedIdentities.deleteLinksOf(poolId, username);
  await revokeLoginsOfUser(transaction, user, nowMs);
  await transaction.localUsers.clear(poolId, sub, nowMs);
}

/** Whether no other user has verified this contact. Users who only claimed it lose it, and registrations that waited for it end. */
async function claimContact(
  ports: EventPorts,
  transaction: Transaction<'events' | 'registrations' | 'users'>,
  pool: PoolRecord,
  user: UserRecord,
  attribute: Contact['attribute'],
  destination: string,
): Promise<boolean> {
  if (!isSignInAttribute(pool.settings, attribute)) return true;
  const name = toCanonicalName(pool.settings, destination);
  if (!(await takeOverSignInName(ports, transaction, pool, user, name))) return false;
  await transaction.registrations.deleteOthers(pool.id, name, user.username);
  return true;
}

/** Whether no other user can be found by this contact. */
export async function isContactFree(
  transaction: Transaction<'users'>,
  pool: PoolRecord,
  user: UserRecord,
  attribute: Contact['attribute'],
  destination: string,
): Promise<boolean> {
  if (!isSignInAttribute(pool.settings, attribute)) return true;
  const owner = await transaction.users.lockByName(pool.id, toCanonicalName(pool.settings, destination));
  return owner === undefined || owner.user.username === user.username;
}

function isSignInAttribute(
  { usernameAttributes, aliasAttributes }: PoolSettings,
  attribute: Contact['attribute'],
): boolean {
  return usernameAttributes.includes(attribute) || aliasAttributes.includes(attribute);
}

async function renameUser(
  transaction: Transaction<'users'>,
  pool: PoolRecord,
  user: UserRecord,
  attribute: Contact['attribute'],
): Promise<void> {
  try {
    await updateSignInNames(transaction, pool, user);
  } catch (cause) {
    if (!isConflictError(cause)) throw cause;
    throw aliasExistsError(attribute, cause);
  }
}

function aliasExistsError(attribute: string, cause?: unknown): ProviderError {
  return new ProviderError('AliasExistsException', `An account with the ${attribute} already exists.`, { cause });
}
