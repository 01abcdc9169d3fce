import { ProviderError } from '@poolgate/provider';
import { recordEvent } from '../events.ts';
import type { ClockPort, RandomPort, StorePort, Transaction } from '../kernel/ports.ts';
import { deliverAfterCommit } from '../messages/deliver.ts';
import type { DeliveryPorts, NotificationPorts } from '../messages/delivery-ports.ts';
import type { PoolAndClient } from '../pools/pools.ts';
import { isConflict } from '../store/conflict.ts';
import type { PoolRecord, UserRecord, UserWithCredential } from '../store/records.ts';
import { contactsOf } from '../users/contacts.ts';
import { uuid } from '../users/identifiers.ts';
import { canonicalName } from '../users/sign-in-names.ts';
import { findUser, signInNames } from '../users/users.ts';
import type { RegistrationExpiryPorts } from './registration-ports.ts';
import { isPending, newRegistration } from './registrations.ts';
import { notifyNameOwner, type SignUpRegistration, sendSignUpCode } from './sign-up-registration.ts';

/**
 * Registers a name that only one user can have, as Cognito does.
 * @param hidesTaken whether a taken name is answered like a new one: then nothing is registered, and the session confirms nobody
 * @throws {ProviderError} `UsernameExistsException`
 */
export async function registerExclusively(
  ports: NotificationPorts & DeliveryPorts & RegistrationExpiryPorts & StorePort,
  owner: PoolAndClient,
  request: SignUpRegistration,
  hidesTaken: boolean,
): Promise<UserWithCredential> {
  const { pool, client } = owner;
  const { user, typedName, password, contact } = request;
  const name = canonicalName(pool.settings, typedName);
  const credential = await password?.credential(user.username, null);
  try {
    await ports.store.write(async (transaction) => {
      await dropExpired(ports, transaction, pool, name);
      await transaction.users.insert(user, signInNames(pool, user, name));
      if (credential) await transaction.credentials.put(credential);
      await transaction.registrations.put(newRegistration(ports, user, name));
      if (contact) await sendSignUpCode(ports, transaction, owner, { ...request, contact });
      await recordEvent(ports, transaction, { type: 'user.signed_up', pool, user, clientId: client.id });
    });
  } catch (cause) {
    if (!isConflict(cause)) throw cause;
    const repeated = await recordTakenName(ports, owner, request);
    if (!hidesTaken) throw nameTaken(owner, request, cause);
    return repeated ?? { user: { ...user, username: unusedUsername(ports, pool, user) }, credential };
  }
  if (contact) await deliverAfterCommit(ports);
  return { user, credential };
}

/** Where users choose their usernames, the one of this user is the taken one. */
function unusedUsername(ports: RandomPort, { settings }: PoolRecord, { username }: UserRecord): string {
  return settings.usernameAttributes.length > 0 ? username : uuid(ports.random);
}

/** Tells the owner of a name that another person wants it, and gives the refusal. */
export async function refuseTakenName(
  ports: NotificationPorts & DeliveryPorts & StorePort,
  owner: PoolAndClient,
  request: SignUpRegistration,
  cause: unknown,
): Promise<ProviderError> {
  await recordTakenName(ports, owner, request);
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
  ports: ClockPort,
  transaction: Transaction<'registrations' | 'users'>,
  pool: PoolRecord,
  name: string,
): Promise<void> {
  for (const registration of await transaction.registrations.listByName(pool.id, name, 1)) {
    if (!isPending(ports, registration)) await transaction.users.delete(pool.id, registration.username);
  }
}

/**
 * Tells the person who registered the name before. It may have been someone else: without its session, the code that confirms the
 * registration makes its password valid only if the same password came again.
 * @returns the registration, where it is the same one again
 */
async function recordTakenName(
  ports: NotificationPorts & DeliveryPorts & StorePort,
  owner: PoolAndClient,
  request: SignUpRegistration,
): Promise<UserWithCredential | undefined> {
  const { pool } = owner;
  const known = await findUser(ports, pool, request.typedName);
  const fits = known?.credential !== undefined && (request.password?.equals(known.credential) ?? false);
  const registration = known && (await ports.store.registrations.byUsername(pool.id, known.user.username));
  await ports.store.write(async (transaction) => {
    if (registration && !fits) await transaction.registrations.contest(pool.id, registration.name);
    await notifyNameOwner(ports, transaction, owner, request, known?.user);
  });
  await deliverAfterCommit(ports);
  return fits && known.user.status === 'UNCONFIRMED' ? known : undefined;
}
