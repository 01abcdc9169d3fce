import { ProviderError, type RefusalReason } from '@poolgate/provider';
import { recordEvent } from '../kernel/audit-events.ts';
import type { EventPorts, StoreReads, Transaction } from '../kernel/ports.ts';
import {
  isValidSignInName,
  listUnverifiedNames,
  listVerifiedNames,
  toCanonicalName,
} from '../settings/sign-in-names.ts';
import type { PoolReads } from '../store/pool-store.ts';
import type { PoolRecord, UserRecord, UserWithCredential } from '../store/records.ts';
import { isConflictError } from '../store/store-error-guards.ts';
import { deleteUnverifiedSignUp } from './unverified-sign-up.ts';

/** Finds the user of a typed name: a username, a sub, or a contact that the pool accepts for sign-in. */
export function findUser(
  { store }: StoreReads<'users'>,
  pool: PoolRecord,
  typed: string,
): Promise<UserWithCredential | undefined> {
  return readUserByName(store, pool, typed);
}

/** As {@link findUser}, without users whom only other identity providers sign in: here they have nothing to prove or to reset. */
export async function findLocalUser(
  ports: StoreReads<'users'>,
  pool: PoolRecord,
  typed: string,
): Promise<UserWithCredential | undefined> {
  const found = await findUser(ports, pool, typed);
  return found?.user.status === 'EXTERNAL_PROVIDER' ? undefined : found;
}

/** As {@link findUser}, by the reads of a store or of a write. It locks nothing, so it costs the same for a name that no user has. */
export async function readUserByName(
  reads: Pick<PoolReads, 'users'>,
  pool: PoolRecord,
  typed: string,
): Promise<UserWithCredential | undefined> {
  const name = toCanonicalName(pool.settings, typed);
  return isValidSignInName(name) ? reads.users.byName(pool.id, name) : undefined;
}

/**
 * Like {@link findUser} in a write, and locks the user: no other write changes or deletes the user until this one ends. In PostgreSQL the
 * lock takes time only for existing users, so anonymous requests that proved nothing must not call it.
 */
export async function lockUserByName(
  transaction: Transaction<'users'>,
  pool: PoolRecord,
  typed: string,
): Promise<UserWithCredential | undefined> {
  const name = toCanonicalName(pool.settings, typed);
  return isValidSignInName(name) ? transaction.users.lockByName(pool.id, name) : undefined;
}

/** @throws {ProviderError} `UserNotFoundException`: only for administrators, because it reveals that the user does not exist */
export async function requireUser(
  ports: StoreReads<'users'>,
  pool: PoolRecord,
  typed: string,
): Promise<UserWithCredential> {
  const found = await findUser(ports, pool, typed);
  if (found === undefined) throw userNotFoundError();
  return found;
}

/**
 * Returns the current user in this write. No other write changes or deletes the user until it ends.
 * @param username the canonical username
 * @throws {ProviderError} `UserNotFoundException`: the user was deleted in the meantime
 */
export async function lockUser(
  transaction: Transaction<'users'>,
  pool: PoolRecord,
  username: string,
  reason?: RefusalReason,
): Promise<UserWithCredential> {
  const found = await transaction.users.lockByName(pool.id, toCanonicalName(pool.settings, username));
  if (found?.user.username !== username) throw userNotFoundError(reason);
  return found;
}

/** Cognito's error for a user who does not exist, for callers who may know. */
export function userNotFoundError(reason?: RefusalReason): ProviderError {
  return new ProviderError('UserNotFoundException', 'User does not exist.', reason === undefined ? {} : { reason });
}

/** Cognito's error for the same when a code is requested or sent. */
export function userOrClientNotFoundError(): ProviderError {
  return new ProviderError('UserNotFoundException', 'Username/client id combination not found.');
}

/**
 * Inserts a confirmed user with its verified names and its username. A pending registration of one of these names is replaced. Rejects with
 * `ConflictError` if a name is taken.
 */
export async function insertUser(
  transaction: Transaction<'users'>,
  pool: PoolRecord,
  user: UserRecord,
  signUpName: string,
): Promise<void> {
  const names = listSignInNames(pool, user, toCanonicalName(pool.settings, signUpName));
  for (const name of names) await deleteUnverifiedSignUp(transaction, pool, name, user.username);
  await transaction.users.insert(user, names);
}

/** Lists the names that certainly belong to a user, and additional canonical ones. */
export function listSignInNames(pool: PoolRecord, user: UserRecord, ...more: readonly string[]): readonly string[] {
  return [...new Set([...listVerifiedNames(pool.settings, user), ...more])];
}

/**
 * Updates a user's names after a change of attributes. A pending registration yields to a verified name. An unverified contact stays a name
 * only if it already is one of this user, so no one can claim an address by writing it into an attribute.
 */
export async function updateSignInNames(
  transaction: Transaction<'users'>,
  pool: PoolRecord,
  user: UserRecord,
): Promise<void> {
  const names = new Set(listVerifiedNames(pool.settings, user));
  for (const name of names) await deleteUnverifiedSignUp(transaction, pool, name, user.username);
  for (const name of listUnverifiedNames(pool.settings, user)) {
    const owner = await transaction.users.lockByName(pool.id, name);
    if (owner?.user.username === user.username) names.add(name);
  }
  await transaction.users.replaceNames(pool.id, user.username, [...names]);
}

/**
 * Like {@link updateSignInNames}, for names that another user may have.
 * @param changed the attributes that changed; the error names the first one that is a name
 * @throws {ProviderError} `AliasExistsException`
 */
export async function claimSignInNames(
  transaction: Transaction<'users'>,
  pool: PoolRecord,
  user: UserRecord,
  changed: readonly string[],
): Promise<void> {
  try {
    await updateSignInNames(transaction, pool, user);
  } catch (cause) {
    if (!isConflictError(cause)) throw cause;
    const naming: readonly string[] = [...pool.settings.usernameAttributes, ...pool.settings.aliasAttributes];
    const attribute = changed.find((name) => naming.includes(name)) ?? 'name';
    throw new ProviderError('AliasExistsException', `An account with the ${attribute} already exists.`, { cause });
  }
}

/**
 * Takes a newly verified name from anyone who has not verified it: a registration is deleted, another user loses only the name. False if
 * another user had verified it before.
 */
export async function takeOverSignInName(
  ports: EventPorts,
  transaction: Transaction<'events' | 'users'>,
  pool: PoolRecord,
  user: UserRecord,
  name: string,
): Promise<boolean> {
  await deleteUnverifiedSignUp(transaction, pool, name, user.username);
  const holder = (await transaction.users.lockByName(pool.id, name))?.user;
  if (holder === undefined || holder.username === user.username) return true;
  const proven = listVerifiedNames(pool.settings, holder);
  if (proven.includes(name)) return false;
  await transaction.users.replaceNames(pool.id, holder.username, proven);
  await recordEvent(ports, transaction, {
    type: 'user.updated',
    pool,
    user: holder,
    actor: { kind: 'user', id: user.sub },
    details: { attributes: 'names', reason: 'alias_taken' },
  });
  return true;
}

/**
 * Takes aliases from other users (Cognito `ForceAliasCreation`), where they become unverified. As in Cognito, this applies only to contacts
 * that count as verified for the new user. Usernames and subs are never taken.
 */
export async function releaseAliases(
  ports: EventPorts,
  transaction: Transaction<'events' | 'users'>,
  pool: PoolRecord,
  user: UserRecord,
  nowMs: number,
): Promise<void> {
  for (const attribute of pool.settings.aliasAttributes) {
    const value = user.attributes[attribute];
    if (value === undefined || user.attributes[`${attribute}_verified`] !== 'true') continue;
    const owner = await transaction.users.lockByName(pool.id, toCanonicalName(pool.settings, value));
    if (owner === undefined || owner.user.username === user.username) continue;
    const attributes = { ...owner.user.attributes, [`${attribute}_verified`]: 'false' };
    await transaction.users.update(pool.id, owner.user.username, { attributes, modifiedAtMs: nowMs });
    await updateSignInNames(transaction, pool, { ...owner.user, attributes });
    await recordEvent(ports, transaction, {
      type: 'user.updated',
      pool,
      user: owner.user,
      actor: { kind: 'user', id: user.sub },
      details: { attributes: `${attribute}_verified`, reason: 'alias_taken' },
    });
  }
}
