import { ProviderError } from '@poolgate/provider';
import { deliverAfterCommit } from '../delivery/deliver-after-commit.ts';
import type { DeliveryPorts, NotificationPorts } from '../delivery/delivery-ports.ts';
import { listContacts } from '../identity/contacts.ts';
import { findUser, listSignInNames } from '../identity/user-records.ts';
import { recordEvent } from '../kernel/audit-events.ts';
import { generateUuid } from '../kernel/identifiers.ts';
import type { ClockPort, RandomPort, StorePort, Transaction } from '../kernel/ports.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import { toCanonicalName } from '../settings/sign-in-names.ts';
import type { PoolRecord, UserRecord, UserWithCredential } from '../store/records.ts';
import { isConflictError } from '../store/store-error-guards.ts';
import { createRegistration, isRegistrationPending } from './pending-registrations.ts';
import type { RegistrationExpiryPorts } from './registration-ports.ts';
import {
  notifyNameOwner,
  notifyOwnerOfRefusedSignUp,
  type RegistrationRequest,
  sendSignUpCode,
} from './sign-up-messages.ts';

/**
 * Registers a name that only one user can have, as Cognito does.
 * @param hidesTaken whether a taken name gets the response of a new one; nothing is then registered, and the session confirms no one
 * @throws {ProviderError} `UsernameExistsException`
 */
export async function registerExclusiveName(
  ports: NotificationPorts & DeliveryPorts & RegistrationExpiryPorts & StorePort,
  owner: PoolAndClient,
  request: RegistrationRequest,
  hidesTaken: boolean,
): Promise<UserWithCredential> {
  const { pool, client } = owner;
  const { user, typedName, password, contact } = request;
  const name = toCanonicalName(pool.settings, typedName);
  const credential = await password?.createCredential(user.username, null);
  try {
    await ports.store.write(async (transaction) => {
      await deleteExpiredRegistration(ports, transaction, pool, name);
      await transaction.users.insert(user, listSignInNames(pool, user, name));
      if (credential) await transaction.credentials.put(credential);
      await transaction.registrations.put(createRegistration(ports, user, name));
      if (contact) await sendSignUpCode(ports, transaction, owner, { ...request, contact });
      await recordEvent(ports, transaction, { type: 'user.signed_up', pool, user, clientId: client.id });
    });
  } catch (cause) {
    if (!isConflictError(cause)) throw cause;
    const repeated = await recordTakenName(ports, owner, request, hidesTaken);
    if (!hidesTaken) throw nameTakenError(owner, request, cause);
    return repeated ?? { user: { ...user, username: chooseUnusedUsername(ports, pool, user) }, credential };
  }
  if (contact) await deliverAfterCommit(ports);
  return { user, credential };
}

/** If users choose their usernames, the taken one is this user's. */
function chooseUnusedUsername(ports: RandomPort, { settings }: PoolRecord, { username }: UserRecord): string {
  return settings.usernameAttributes.length > 0 ? username : generateUuid(ports.random);
}

/** Notifies the owner of a name that another person wants it, and returns the error. */
export async function reportTakenName(
  ports: NotificationPorts & DeliveryPorts & StorePort,
  owner: PoolAndClient,
  request: RegistrationRequest,
  { hidesTaken, cause }: { readonly hidesTaken: boolean; readonly cause: unknown },
): Promise<ProviderError> {
  await recordTakenName(ports, owner, request, hidesTaken);
  return nameTakenError(owner, request, cause);
}

function nameTakenError({ pool }: PoolAndClient, request: RegistrationRequest, cause: unknown): ProviderError {
  return new ProviderError('UsernameExistsException', formatNameTakenMessage(pool, request), { cause });
}

/** Cognito names the contact if users sign up with one. */
function formatNameTakenMessage(pool: PoolRecord, { user, typedName }: RegistrationRequest): string {
  const { settings } = pool;
  const contact = listContacts(user.attributes).find(({ destination }) => destination === typedName);
  return contact !== undefined && settings.usernameAttributes.includes(contact.attribute)
    ? `An account with the given ${contact.attribute} already exists.`
    : 'User already exists';
}

async function deleteExpiredRegistration(
  ports: ClockPort,
  transaction: Transaction<'registrations' | 'users'>,
  pool: PoolRecord,
  name: string,
): Promise<void> {
  for (const registration of await transaction.registrations.listByName(pool.id, name, 1)) {
    if (!isRegistrationPending(ports, registration)) await transaction.users.delete(pool.id, registration.username);
  }
}

/**
 * Notifies the person who registered the name before. This may be another person: without its session, the code that confirms the
 * registration makes its password valid only if the same password was sent again.
 * @returns the registration, if it is the same person's
 */
async function recordTakenName(
  ports: NotificationPorts & DeliveryPorts & StorePort,
  owner: PoolAndClient,
  request: RegistrationRequest,
  hidesTaken: boolean,
): Promise<UserWithCredential | undefined> {
  const { pool } = owner;
  const notify = hidesTaken ? notifyNameOwner : notifyOwnerOfRefusedSignUp;
  const known = await findUser(ports, pool, request.typedName);
  const fits = known?.credential !== undefined && (request.password?.equals(known.credential) ?? false);
  const registration = known && (await ports.store.registrations.byUsername(pool.id, known.user.username));
  await ports.store.write(async (transaction) => {
    if (registration && !fits) await transaction.registrations.contest(pool.id, registration.name);
    await notify(ports, transaction, owner, request, known?.user);
  });
  await deliverAfterCommit(ports);
  return fits && known.user.status === 'UNCONFIRMED' ? known : undefined;
}
