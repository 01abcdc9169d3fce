import { ProviderError } from '@poolgate/provider';
import { canonicalName } from '../domain/names.ts';
import type { PoolAndClient } from '../domain/pools.ts';
import {
  isOpen,
  isProvenName,
  MOST_COMPARED,
  newRegistration,
  type OpenRegistration,
  openRegistrations,
  registeredUntilMs,
  registrationWith,
} from '../domain/registrations.ts';
import { namesOf } from '../domain/users.ts';
import { recordEvent } from '../events.ts';
import { afterCommit } from '../messages/deliver.ts';
import { admitNotice } from '../messages/notices.ts';
import type { PoolRuntime } from '../runtime.ts';
import { isConflict } from '../store/conflict.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { CredentialRecord, RegistrationRecord, UserRecord } from '../store/records.ts';
import { type Registering, sendSignUpCode, tellOwner } from './registering.ts';

/** How often somebody begins again because the same name was registered meanwhile. */
const MOST_ATTEMPTS = 8;

/** Until then whoever came first is asked whether it was the same one. */
const MOST_COMPARISONS = 4;

/** What is to be written, and what was known when its password was compared. */
interface Attempt {
  readonly name: string;
  readonly credential: CredentialRecord | undefined;
  readonly open: readonly OpenRegistration[];
  readonly again: OpenRegistration | undefined;
  /** Whether a registration that came meanwhile was not compared, and has to be. */
  readonly compares: boolean;
}

/**
 * Registers beside whoever has registered the same name, or has it: the first one who proves it becomes its user. Who comes again with
 * the same password is the same one; without a password nobody is. For a name that is proven it writes the same, and its owner is told instead of getting a code.
 * @returns the user of the registration
 */
export async function writeRegistration(
  context: PoolRuntime,
  owner: PoolAndClient,
  wanted: Registering,
): Promise<UserRecord> {
  const { pool } = owner;
  const name = canonicalName(pool.settings, wanted.typedName);
  const credential = wanted.password?.credential(wanted.user.username, null);
  for (let attempts = 1; ; attempts += 1) {
    const open = await openRegistrations(context, pool, name);
    const again = wanted.password && registrationWith(context, pool, open, wanted.password);
    const attempt = { name, credential, open, again, compares: attempts <= MOST_COMPARISONS };
    const user = await writeAttempt(context, owner, wanted, attempt);
    if (user === undefined && attempts < MOST_ATTEMPTS) continue;
    if (user === undefined) throw new ProviderError('TooManyRequestsException', 'Too many requests');
    if (wanted.contact) await afterCommit(context);
    return user;
  }
}

async function writeAttempt(
  context: PoolRuntime,
  owner: PoolAndClient,
  wanted: Registering,
  attempt: Attempt,
): Promise<UserRecord | undefined> {
  try {
    return await context.store.write((transaction) => write(context, transaction, owner, wanted, attempt));
  } catch (cause) {
    if (!isConflict(cause)) throw cause;
    if (wanted.isReserved && (await context.store.user(owner.pool.id, wanted.user.username)) !== undefined) {
      throw new ProviderError('InvalidParameterException', 'Invalid UserIdForSrp given.', { cause });
    }
    return undefined;
  }
}

/** Whoever holds the name is held first, so that registrations of one name take turns. */
async function write(
  context: PoolRuntime,
  transaction: PoolTransaction,
  owner: PoolAndClient,
  wanted: Registering,
  attempt: Attempt,
): Promise<UserRecord | undefined> {
  const { pool, client } = owner;
  const { name, again } = attempt;
  const holder = await holderOf(context, transaction, owner, name);
  const waiting = await transaction.registrations(pool.id, name, MOST_COMPARED);
  if (isOutdated(context, waiting, attempt)) return undefined;
  const isAside = holder !== undefined && holder.username !== again?.user.username;
  const user = again
    ? await renew(context, transaction, again, { name, isAside })
    : await add(context, transaction, owner, wanted, {
        ...attempt,
        isAside,
        isContested: isAside || waiting.length > 0,
      });
  const { contact } = wanted;
  if (holder !== undefined && isAside && isProvenName(pool, holder, name)) {
    await tellOwner(context, transaction, owner, { ...wanted, user }, holder);
    return user;
  }
  if (contact) await sendSignUpCode(context, transaction, pool, { ...wanted, user, contact });
  // An owner would have been told, which is counted: so is that there is nobody to tell.
  await admitNotice(context, transaction, pool, user, 'sign_up_known');
  await recordEvent(context, transaction, { type: 'user.signed_up', pool, user, clientId: client.id });
  return user;
}

/** No user name is empty. */
const NOBODY = '';

/** A registration that has expired holds nothing. */
async function holderOf(
  context: PoolRuntime,
  transaction: PoolTransaction,
  { pool }: PoolAndClient,
  name: string,
): Promise<UserRecord | undefined> {
  const holder = (await transaction.userByName(pool.id, name))?.user;
  // Looked for in any case, so that time tells nothing.
  const registration = await transaction.registration(pool.id, holder?.username ?? NOBODY);
  if (registration === undefined || isOpen(context, registration)) return holder;
  await transaction.deleteUser(pool.id, registration.username);
  return undefined;
}

/** Whether a registration came or went since the password was compared, so that it has to be compared again. */
function isOutdated(
  context: PoolRuntime,
  waiting: readonly RegistrationRecord[],
  { open, again, compares }: Attempt,
): boolean {
  const isThere = (username: string) => waiting.some((row) => row.username === username);
  if (again !== undefined && !isThere(again.user.username)) return true;
  const known = new Set(open.map(({ user }) => user.username));
  return compares && waiting.some((row) => isOpen(context, row) && !known.has(row.username));
}

interface Place {
  readonly name: string;
  readonly isAside: boolean;
}

async function renew(
  context: PoolRuntime,
  transaction: PoolTransaction,
  { user, registration }: OpenRegistration,
  { name, isAside }: Place,
): Promise<UserRecord> {
  if (registration.isAside && !isAside) await transaction.setNames(user.poolId, user.username, [user.username, name]);
  const expiresAtMs = Math.max(registration.expiresAtMs, registeredUntilMs(context));
  await transaction.putRegistration({ ...registration, isAside, expiresAtMs });
  return user;
}

async function add(
  context: PoolRuntime,
  transaction: PoolTransaction,
  { pool }: PoolAndClient,
  { user }: Registering,
  { credential, name, isAside, isContested }: Attempt & Place & { readonly isContested: boolean },
): Promise<UserRecord> {
  // Where nobody else waits this changes nothing, and takes as long.
  await transaction.contestRegistrations(pool.id, name);
  await transaction.insertUser(user, isAside ? namesOf(pool, user) : namesOf(pool, user, name));
  if (credential) await transaction.putCredential(credential);
  await transaction.putRegistration({ ...newRegistration(context, user, name), isAside, isContested });
  return user;
}
