import { ProviderError } from '@poolgate/provider';
import { contactsOf } from '../domain/contacts.ts';
import { canonicalName } from '../domain/names.ts';
import type { PoolAndClient } from '../domain/pools.ts';
import { isOpen, newRegistration } from '../domain/registrations.ts';
import { findUser, namesOf } from '../domain/users.ts';
import { recordEvent } from '../events.ts';
import { afterCommit } from '../messages/deliver.ts';
import type { PoolRuntime } from '../runtime.ts';
import { isConflict } from '../store/conflict.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';
import { type Registering, sendSignUpCode, tellOwner } from './registering.ts';

/**
 * Registers a name that only one can have, as Cognito does.
 * @throws {ProviderError} `UsernameExistsException`
 */
export async function writeSignUp(
  context: PoolRuntime,
  owner: PoolAndClient,
  wanted: Registering,
): Promise<UserRecord> {
  const { pool, client } = owner;
  const { user, typedName, password, contact } = wanted;
  const name = canonicalName(pool.settings, typedName);
  const credential = password?.credential(user.username, null);
  try {
    await context.store.write(async (transaction) => {
      await dropExpired(context, transaction, pool, name);
      await transaction.insertUser(user, namesOf(pool, user, name));
      if (credential) await transaction.putCredential(credential);
      await transaction.putRegistration(newRegistration(context, user, name));
      if (contact) await sendSignUpCode(context, transaction, pool, { ...wanted, contact });
      await recordEvent(context, transaction, { type: 'user.signed_up', pool, user, clientId: client.id });
    });
  } catch (cause) {
    if (!isConflict(cause)) throw cause;
    await refuse(context, owner, wanted);
    throw new ProviderError('UsernameExistsException', takenWords(pool, wanted), { cause });
  }
  if (contact) await afterCommit(context);
  return user;
}

/** Cognito says which contact it is where users sign up with one. */
function takenWords(pool: PoolRecord, { user, typedName }: Registering): string {
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
  for (const registration of await transaction.registrations(pool.id, name, 1)) {
    if (!isOpen(context, registration)) await transaction.deleteUser(pool.id, registration.username);
  }
}

/**
 * Whoever registered the name before is told, and who did is in doubt from now on: without its session, the code that confirms it
 * makes no password of it good, unless it is the one that was sent again.
 */
async function refuse(context: PoolRuntime, owner: PoolAndClient, wanted: Registering): Promise<void> {
  const { pool } = owner;
  const known = await findUser(context, pool, wanted.typedName);
  const fits = known?.credential !== undefined && (wanted.password?.equals(known.credential) ?? false);
  const registration = known && (await context.store.registration(pool.id, known.user.username));
  await context.store.write(async (transaction) => {
    if (registration && !fits) await transaction.contestRegistrations(pool.id, registration.name);
    await tellOwner(context, transaction, owner, wanted, known?.user);
  });
  await afterCommit(context);
}
