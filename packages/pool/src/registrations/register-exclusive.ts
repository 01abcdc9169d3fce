import { ProviderError } from '@poolgate/provider';
import { recordEvent } from '../events.ts';
import { deliverAfterCommit } from '../messages/deliver.ts';
import type { PoolAndClient } from '../pools/pools.ts';
import type { PoolRuntime } from '../runtime.ts';
import { isConflict } from '../store/conflict.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { PoolRecord, UserRecord, UserWithCredential } from '../store/records.ts';
import { contactsOf } from '../users/contacts.ts';
import { uuid } from '../users/identifiers.ts';
import { canonicalName } from '../users/sign-in-names.ts';
import { findUser, signInNames } from '../users/users.ts';
import { isPending, newRegistration } from './registrations.ts';
import { notifyNameOwner, type SignUpRegistration, sendSignUpCode } from './sign-up-registration.ts';

/**
 * Registers a name that only one user can have, as Cognito does.
 * @param hidesTaken whether a taken name is answered like a new one: then nothing is registered, and the session confirms nobody
 * @throws {ProviderError} `UsernameExistsException`
 */
export async function registerExclusively(
  context: PoolRuntime,
  owner: PoolAndClient,
  request: SignUpRegistration,
  hidesTaken: boolean,
): Promise<UserWithCredential> {
  const { pool, client } = owner;
  const { user, typedName, password, contact } = request;
  const name = canonicalName(pool.settings, typedName);
  const credential = await password?.credential(user.username, null);
  try {
    await context.store.write(async (transaction) => {
      await dropExpired(context, transaction, pool, name);
      await transaction.users.insert(user, signInNames(pool, user, name));
      if (credential) await transaction.credentials.put(credential);
      await transaction.registrations.put(newRegistration(context, user, name));
      if (contact) await sendSignUpCode(context, transaction, owner, { ...request, contact });
      await recordEvent(context, transaction, { type: 'user.signed_up', pool, user, clientId: client.id });
    });
  } catch (cause) {
    if (!isConflict(cause)) throw cause;
    const repeated = await recordTakenName(context, owner, request);
    if (!hidesTaken) throw nameTaken(owner, request, cause);
    return repeated ?? { user: { ...user, username: unusedUsername(context, pool, user) }, credential };
  }
  if (contact) await deliverAfterCommit(context);
  return { user, credential };
}

/** Where users choose their usernames, the one of this user is the taken one. */
function unusedUsername(context: PoolRuntime, { settings }: PoolRecord, { username }: UserRecord): string {
  return settings.usernameAttributes.length > 0 ? username : uuid(context.random);
}

/** Tells the owner of a name that another person wants it, and gives the refusal. */
export async function refuseTakenName(
  context: PoolRuntime,
  owner: PoolAndClient,
  request: SignUpRegistration,
  cause: unknown,
): Promise<ProviderError> {
  await recordTakenName(context, owner, request);
  return nameTaken(owner, request, cause);
}

function nameTaken({ pool }: PoolAndClient, request: SignUpRegistration, cause: unknown): ProviderError {
  return new ProviderError('UsernameExistsException', nameTakenMessage(pool, request), { cause });
}

/** Cognito says which contact it is where users sign up with one. */
function nameTakenMessage(pool: PoolRecord, { user, typedName }: SignUpRegistration): string {
  const { settings } = pool;
  const contact = contactsOf(user.attributes).find(({ destination }) => destination === typedName);
  return contact !== undefined && settings.usernameAttributes.includes(contact.attribute)
    ? `An account with the given ${contact.attribute} already exists.`
    : 'User already exists';
}

async function dropExpired(
  context: PoolRuntime,
  transaction: PoolTransaction,
  pool: PoolRecord,
  name: string,
): Promise<void> {
  for (const registration of await transaction.registrations.listByName(pool.id, name, 1)) {
    if (!isPending(context, registration)) await transaction.users.delete(pool.id, registration.username);
  }
}

/**
 * Tells the person who registered the name before. It may have been someone else: without its session, the code that confirms the
 * registration makes its password valid only if the same password came again.
 * @returns the registration, where it is the same one again
 */
async function recordTakenName(
  context: PoolRuntime,
  owner: PoolAndClient,
  request: SignUpRegistration,
): Promise<UserWithCredential | undefined> {
  const { pool } = owner;
  const known = await findUser(context, pool, request.typedName);
  const fits = known?.credential !== undefined && (request.password?.equals(known.credential) ?? false);
  const registration = known && (await context.store.registrations.byUsername(pool.id, known.user.username));
  await context.store.write(async (transaction) => {
    if (registration && !fits) await transaction.registrations.contest(pool.id, registration.name);
    await notifyNameOwner(context, transaction, owner, request, known?.user);
  });
  await deliverAfterCommit(context);
  return fits && known.user.status === 'UNCONFIRMED' ? known : undefined;
}
