import { ProviderError } from '@poolgate/provider';
import { recordEvent } from '../events.ts';
import { deliverAfterCommit } from '../messages/deliver.ts';
import type { PoolAndClient } from '../pools/pools.ts';
import type { PoolRuntime } from '../runtime.ts';
import { isConflict } from '../store/conflict.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';
import { contactsOf } from '../users/contacts.ts';
import { canonicalName } from '../users/sign-in-names.ts';
import { findUser, signInNames } from '../users/users.ts';
import { isPending, newRegistration } from './registrations.ts';
import { notifyNameOwner, type SignUpRegistration, sendSignUpCode } from './sign-up-registration.ts';

/**
 * Registers a name that only one can have, as Cognito does.
 * @throws {ProviderError} `UsernameExistsException`
 */
export async function registerExclusively(
  context: PoolRuntime,
  owner: PoolAndClient,
  request: SignUpRegistration,
): Promise<UserRecord> {
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
    throw await refuseTakenName(context, owner, request, cause);
  }
  if (contact) await deliverAfterCommit(context);
  return user;
}

/** Tells the owner of a name that somebody else wants it, and gives the refusal. */
export async function refuseTakenName(
  context: PoolRuntime,
  owner: PoolAndClient,
  request: SignUpRegistration,
  cause: unknown,
): Promise<ProviderError> {
  await recordTakenName(context, owner, request);
  return new ProviderError('UsernameExistsException', nameTakenMessage(owner.pool, request), { cause });
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
 * Whoever registered the name before is told, and who did is in doubt from now on: without its session, the code that confirms it
 * makes no password of it good, unless it is the one that was sent again.
 */
async function recordTakenName(context: PoolRuntime, owner: PoolAndClient, request: SignUpRegistration): Promise<void> {
  const { pool } = owner;
  const known = await findUser(context, pool, request.typedName);
  const fits = known?.credential !== undefined && (request.password?.equals(known.credential) ?? false);
  const registration = known && (await context.store.registrations.byUsername(pool.id, known.user.username));
  await context.store.write(async (transaction) => {
    if (registration && !fits) await transaction.registrations.contest(pool.id, registration.name);
    await notifyNameOwner(context, transaction, owner, request, known?.user);
  });
  await deliverAfterCommit(context);
}
