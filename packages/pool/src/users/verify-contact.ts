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

/** A contact of a user that was just proven by a code. */
export interface ContactProof {
  readonly pool: PoolRecord;
  readonly user: UserRecord;
  readonly attribute: Contact['attribute'];
  /** What the proof changes beside the contact's being verified. */
  readonly change: ProofChange;
  /** True: nothing but the code was asked for, so that it says nothing about whoever else has a way into the account. */
  readonly isAlone?: boolean;
  readonly nowMs: number;
}

/** What a proof made of its user. */
export interface ContactProofResult {
  readonly user: UserRecord;
  /** True: everything by which somebody could be this user before is gone, the password too. */
  readonly isCleared: boolean;
}

/**
 * Writes that a contact is verified. Where it is a name that somebody else has proven, it does not become this user's name;
 * then it stays unverified, and a change that rests on it is refused.
 *
 * Whoever had an account of which nothing was proven need not be the one who has the mailbox: a code that comes alone makes
 * the account its reader's, and nobody else's.
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
  const attributes = { ...user.attributes, ...change.attributes };
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

/** Attributes of a user of whose contacts only one is left: whoever wrote the others may have been somebody else. */
export function removeContactsExcept(attributes: Attributes, kept: Contact['attribute']): Attributes {
  const others = listContacts(attributes)
    .filter(({ attribute }) => attribute !== kept)
    .flatMap(({ attribute }) => [attribute, `${attribute}_verified`]);
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !others.includes(name)));
}

/** Deletes everything by which another person could be this user. */
export async function deleteProofsAndLogins(
  transaction: Transaction<'localUsers' | 'logins' | 'revocations' | 'users'>,
  user: UserRecord,
  nowMs: number,
): Promise<void> {
  const { poolId, username, sub } = user;
  await transaction.users.deleteProofs(poolId, username);
  await revokeLoginsOfUser(transaction, user, nowMs);
  await transaction.localUsers.clear(poolId, sub, nowMs);
}

/** Whether nobody else has proven this contact; whoever only claimed it has it no more, and registrations that waited for it end. */
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

/** Whether nobody else is found by this contact. */
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
