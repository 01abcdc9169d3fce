import { ProviderError } from '@poolgate/provider';
import { deliverAfterCommit } from '../delivery/deliver-after-commit.ts';
import type { DeliveryPorts, NotificationPorts } from '../delivery/delivery-ports.ts';
import { consumeNoticeAllowance } from '../delivery/notices.ts';
import { listSignInNames } from '../identity/user-records.ts';
import { recordEvent } from '../kernel/audit-events.ts';
import type { ClockPort, StorePort, Transaction } from '../kernel/ports.ts';
import type { DecoyPorts } from '../proofs/passwords/password-ports.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import { toCanonicalName } from '../settings/sign-in-names.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { CredentialRecord, RegistrationRecord, UserRecord, UserWithCredential } from '../store/records.ts';
import { isConflictError } from '../store/store-error-guards.ts';
import {
  computeRegistrationExpiryMs,
  createRegistration,
  findRegistrationByPassword,
  isNameVerified,
  isRegistrationPending,
  listPendingRegistrations,
  MAX_COMPARED_REGISTRATIONS,
  type PendingRegistration,
} from './pending-registrations.ts';
import type { RegistrationExpiryPorts } from './registration-ports.ts';
import { notifyNameOwner, type RegistrationRequest, sendSignUpCode } from './sign-up-messages.ts';

/** How often to start over because the same name was registered in the meantime. */
const MAX_ATTEMPTS = 8;

/** Up to this attempt, earlier registrations are compared to find the same person's. */
const MAX_COMPARISONS = 4;

/** The registration to write, and the state at the time when the password was compared. */
interface RegistrationAttempt {
  readonly name: string;
  readonly credential: CredentialRecord | undefined;
  readonly open: readonly PendingRegistration[];
  readonly previous: PendingRegistration | undefined;
  /** Whether a registration that arrived in the meantime must still be compared. */
  readonly compares: boolean;
}

/**
 * Registers in addition to others who registered the same name, or even have it. The first one to verify the name becomes its user. The
 * same password identifies the same person; without one, no one is identified. For a verified name it writes the same rows, and notifies
 * the owner instead of sending a code.
 * @returns the user of the registration, with its password
 */
export async function registerSharedName(
  ports: NotificationPorts & DecoyPorts & DeliveryPorts & RegistrationExpiryPorts & StorePort,
  owner: PoolAndClient,
  request: RegistrationRequest,
): Promise<UserWithCredential> {
  const { pool } = owner;
  const name = toCanonicalName(pool.settings, request.typedName);
  const credential = await request.password?.createCredential(request.user.username, null);
  for (let attempts = 1; ; attempts += 1) {
    const open = await listPendingRegistrations(ports, pool, name);
    const previous = request.password && findRegistrationByPassword(ports, pool, open, request.password);
    const attempt = { name, credential, open, previous, compares: attempts <= MAX_COMPARISONS };
    const user = await writeRegistrationAttempt(ports, owner, request, attempt);
    if (user === undefined && attempts < MAX_ATTEMPTS) continue;
    if (user === undefined) throw new ProviderError('TooManyRequestsException', 'Too many requests');
    if (request.contact) await deliverAfterCommit(ports);
    return { user, credential: previous === undefined ? credential : previous.credential };
  }
}

async function writeRegistrationAttempt(
  ports: NotificationPorts & RegistrationExpiryPorts & StorePort,
  owner: PoolAndClient,
  request: RegistrationRequest,
  attempt: RegistrationAttempt,
): Promise<UserRecord | undefined> {
  try {
    return await ports.store.write((transaction) => writeRegistration(ports, transaction, owner, request, attempt));
  } catch (cause) {
    if (!isConflictError(cause)) throw cause;
    if (
      request.isReserved &&
      (await ports.store.users.byUsername(owner.pool.id, request.user.username)) !== undefined
    ) {
      throw new ProviderError('InvalidParameterException', 'Invalid UserIdForSrp given.', { cause });
    }
    return undefined;
  }
}

/** The holder of the name is locked first, so that registrations of one name wait for each other. */
async function writeRegistration(
  ports: NotificationPorts & RegistrationExpiryPorts,
  transaction: PoolTransaction,
  owner: PoolAndClient,
  request: RegistrationRequest,
  attempt: RegistrationAttempt,
): Promise<UserRecord | undefined> {
  const { pool, client } = owner;
  const { name, previous } = attempt;
  const holder = await findNameHolder(ports, transaction, owner, name);
  const waiting = await transaction.registrations.listByName(pool.id, name, MAX_COMPARED_REGISTRATIONS);
  if (isOutdated(ports, waiting, attempt)) return undefined;
  const isAside = holder !== undefined && holder.username !== previous?.user.username;
  const user = previous
    ? await renewRegistration(ports, transaction, previous, { name, isAside })
    : await addRegistration(ports, transaction, owner, request, {
        ...attempt,
        isAside,
        isContested: isAside || waiting.length > 0,
      });
  const { contact } = request;
  if (holder !== undefined && isAside && isNameVerified(pool, holder, name)) {
    await notifyNameOwner(ports, transaction, owner, { ...request, user }, holder);
    return user;
  }
  if (contact) await sendSignUpCode(ports, transaction, owner, { ...request, user, contact });
  // Notifying an owner uses the notice allowance. Without an owner it is used as well, so that the allowance reveals nothing.
  await consumeNoticeAllowance(ports, transaction, pool, user, 'sign_up_known');
  await recordEvent(ports, transaction, { type: 'user.signed_up', pool, user, clientId: client.id });
  return user;
}

/** No username is empty. */
const NOBODY = '';

/** An expired registration does not hold its name. */
async function findNameHolder(
  ports: ClockPort,
  transaction: Transaction<'registrations' | 'users'>,
  { pool }: PoolAndClient,
  name: string,
): Promise<UserRecord | undefined> {
  const holder = (await transaction.users.lockByName(pool.id, name))?.user;
  // Always looked up, so that timing reveals nothing.
  const registration = await transaction.registrations.byUsername(pool.id, holder?.username ?? NOBODY);
  if (registration === undefined || isRegistrationPending(ports, registration)) return holder;
  await transaction.users.delete(pool.id, registration.username);
  return undefined;
}

/** Whether a registration was added or removed since the password was compared, so that it must be compared again. */
function isOutdated(
  ports: ClockPort,
  waiting: readonly RegistrationRecord[],
  { open, previous, compares }: RegistrationAttempt,
): boolean {
  const isThere = (username: string) => waiting.some((row) => row.username === username);
  if (previous !== undefined && !isThere(previous.user.username)) return true;
  const known = new Set(open.map(({ user }) => user.username));
  return compares && waiting.some((row) => isRegistrationPending(ports, row) && !known.has(row.username));
}

interface RegistrationName {
  readonly name: string;
  readonly isAside: boolean;
}

async function renewRegistration(
  ports: RegistrationExpiryPorts,
  transaction: Transaction<'registrations' | 'users'>,
  { user, registration }: PendingRegistration,
  { name, isAside }: RegistrationName,
): Promise<UserRecord> {
  if (registration.isAside && !isAside)
    await transaction.users.replaceNames(user.poolId, user.username, [user.username, name]);
  const expiresAtMs = Math.max(registration.expiresAtMs, computeRegistrationExpiryMs(ports));
  await transaction.registrations.put({ ...registration, isAside, expiresAtMs });
  return user;
}

/** A taken name writes as many rows as any other, so that timing does not reveal it. */
const nameWhileAside = ({ username }: UserRecord): string => `${username} aside`;

async function addRegistration(
  ports: RegistrationExpiryPorts,
  transaction: Transaction<'credentials' | 'registrations' | 'users'>,
  { pool }: PoolAndClient,
  { user }: RegistrationRequest,
  {
    credential,
    name,
    isAside,
    isContested,
  }: RegistrationAttempt & RegistrationName & { readonly isContested: boolean },
): Promise<UserRecord> {
  // Without other registrations, this changes nothing but takes as long.
  await transaction.registrations.contest(pool.id, name);
  await transaction.users.insert(user, listSignInNames(pool, user, isAside ? nameWhileAside(user) : name));
  if (credential) await transaction.credentials.put(credential);
  await transaction.registrations.put({ ...createRegistration(ports, user, name), isAside, isContested });
  return user;
}
