import { ProviderError } from '@poolgate/provider';
import type { PoolSettings } from '../settings.ts';
import { isConflict } from '../store/conflict.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';
import type { Contact } from './contacts.ts';
import { canonicalName } from './names.ts';
import { renewNames } from './users.ts';

type Change = Partial<Pick<UserRecord, 'status' | 'attributes' | 'mfaMethods' | 'preferredMfa'>>;

/** A contact of a user that was just proven by a code. */
export interface ContactProof {
  readonly pool: PoolRecord;
  readonly user: UserRecord;
  readonly attribute: Contact['attribute'];
  /** What the proof changes beside the contact's being verified. */
  readonly change: Change;
  readonly nowMs: number;
}

/**
 * Writes that a contact is proven. Where it is a name of somebody else, proving it does not make it this user's name;
 * then it stays unverified, and a change that rests on it is refused.
 * @throws {ProviderError} `AliasExistsException`
 */
export async function proveContact(transaction: PoolTransaction, proof: ContactProof): Promise<UserRecord> {
  const { pool, user, attribute, change, nowMs } = proof;
  const attributes = { ...user.attributes, ...change.attributes };
  const isFree = await isOwnName(transaction, pool, user, attribute, attributes[attribute] ?? '');
  const needsNothing = Object.keys(change).length === 0;
  if (!isFree && !needsNothing) throw aliasExists(attribute);
  if (!isFree || (needsNothing && attributes[`${attribute}_verified`] === 'true')) return user;
  const changed = { ...user, ...change, attributes: { ...attributes, [`${attribute}_verified`]: 'true' } };
  await transaction.updateUser(pool.id, user.username, {
    ...change,
    attributes: changed.attributes,
    modifiedAtMs: nowMs,
  });
  await rename(transaction, pool, changed, attribute);
  return { ...changed, modifiedAtMs: nowMs };
}

/** Whether nobody else is found by this contact. */
export async function isOwnName(
  transaction: PoolTransaction,
  pool: PoolRecord,
  user: UserRecord,
  attribute: Contact['attribute'],
  destination: string,
): Promise<boolean> {
  if (!isNaming(pool.settings, attribute)) return true;
  const owner = await transaction.userByName(pool.id, canonicalName(pool.settings, destination));
  return owner === undefined || owner.user.username === user.username;
}

function isNaming({ usernameAttributes, aliasAttributes }: PoolSettings, attribute: Contact['attribute']): boolean {
  return usernameAttributes.includes(attribute) || aliasAttributes.includes(attribute);
}

async function rename(
  transaction: PoolTransaction,
  pool: PoolRecord,
  user: UserRecord,
  attribute: Contact['attribute'],
): Promise<void> {
  try {
    await renewNames(transaction, pool, user);
  } catch (cause) {
    if (!isConflict(cause)) throw cause;
    throw aliasExists(attribute, cause);
  }
}

function aliasExists(attribute: string, cause?: unknown): ProviderError {
  return new ProviderError('AliasExistsException', `An account with the ${attribute} already exists.`, { cause });
}
