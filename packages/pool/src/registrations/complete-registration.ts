import type { Input, ProviderError } from '@poolgate/provider';
import type { NotificationPorts } from '../delivery/delivery-ports.ts';
import { type Contact, listContacts } from '../identity/contacts.ts';
import { deleteUnverifiedSignUp } from '../identity/unverified-sign-up.ts';
import { lockUser, releaseAliases, takeOverSignInName, updateSignInNames } from '../identity/user-records.ts';
import type { EventPorts, Transaction } from '../kernel/ports.ts';
import { codeMismatchError } from '../proofs/codes/stored-codes.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { CodeRecord, PoolRecord, RegistrationRecord, UserRecord, UserWithCredential } from '../store/records.ts';
import { removeContactsExcept } from '../users/verify-contact.ts';
import { isNameVerified, isRegistrationPending } from './pending-registrations.ts';
import {
  applyRegistrationClaim,
  type MissingClaimError,
  type PreparedRegistrationClaim,
  verifyRegistrationClaim,
} from './registration-claim.ts';
import type { RegistrationSession } from './registration-session.ts';

/** The input of a registration's confirmation. */
interface ConfirmationTerms {
  readonly owner: PoolAndClient;
  /** The content of the session. */
  readonly own: RegistrationSession | undefined;
  readonly claim: PreparedRegistrationClaim | undefined;
  readonly input: Pick<Input<'ConfirmSignUp'>, 'ForceAliasCreation'>;
}

/** A registration with a correct code. */
export interface ProvenRegistration {
  readonly name: string;
  readonly user: UserRecord;
  /** The correct code. */
  readonly code: CodeRecord;
}

/**
 * Makes this registration the user of its name, unless another user has verified the name before. Deletes the name's other registrations.
 */
export async function completeRegistration(
  ports: NotificationPorts,
  transaction: PoolTransaction,
  terms: ConfirmationTerms,
  proven: ProvenRegistration,
): Promise<UserWithCredential | ProviderError | MissingClaimError> {
  const { owner, own, claim } = terms;
  const { pool } = owner;
  const { code } = proven;
  const user = markContactVerified(proven.user, code);
  const registration = await transaction.registrations.byUsername(pool.id, user.username);
  if (registration && !isRegistrationPending(ports, registration)) return codeMismatchError();
  const ownClaim = own === undefined ? claim : undefined;
  const refusal = ownClaim && (await verifyRegistrationClaim(ports, transaction, owner, user, ownClaim));
  if (refusal !== undefined) {
    await transaction.codes.put(code);
    return refusal;
  }
  // Locks the holder of the name, so that of several simultaneous confirmations the first one wins.
  if (!(await takeNameIfFree(ports, transaction, pool, user, proven.name))) return codeMismatchError();
  const isWaiting = (await transaction.users.byUsername(pool.id, user.username))?.status === proven.user.status;
  if (!isWaiting) return codeMismatchError();
  const winner = ownClaim
    ? await applyRegistrationClaim(ports, transaction, owner, user, ownClaim)
    : await removeUnprovenData(transaction, user, code, registration?.isContested === true && own === undefined);
  await writeConfirmedUser(ports, transaction, terms, winner, registration);
  await transaction.registrations.deleteOthers(pool.id, proven.name, user.username);
  return lockUser(transaction, pool, user.username);
}

/** If others registered the name too, a code alone does not show who entered the password and contacts. */
async function removeUnprovenData(
  transaction: Transaction<'users'>,
  user: UserRecord,
  code: CodeRecord,
  isDoubtful: boolean,
): Promise<UserRecord> {
  if (!isDoubtful) return user;
  await transaction.users.deleteProofs(user.poolId, user.username);
  return keepOnlySentContact(user, code);
}

async function writeConfirmedUser(
  ports: EventPorts,
  transaction: Transaction<'events' | 'users'>,
  { owner: { pool }, input }: ConfirmationTerms,
  winner: UserRecord,
  registration: RegistrationRecord | undefined,
): Promise<void> {
  const nowMs = ports.clock.now();
  const { username, status, attributes, mfaMethods, preferredMfa } = winner;
  const change = { status, attributes, mfaMethods, preferredMfa, modifiedAtMs: nowMs };
  await transaction.users.update(pool.id, username, change);
  if (input.ForceAliasCreation === true) await releaseAliases(ports, transaction, pool, winner, nowMs);
  await takeRegisteredName(transaction, pool, winner, registration);
}

/** A name that the code does not verify belongs to the first user who confirms it. */
async function takeNameIfFree(
  ports: EventPorts,
  transaction: Transaction<'events' | 'users'>,
  pool: PoolRecord,
  user: UserRecord,
  name: string,
): Promise<boolean> {
  if (isNameVerified(pool, user, name)) return takeOverSignInName(ports, transaction, pool, user, name);
  await deleteUnverifiedSignUp(transaction, pool, name, user.username);
  const holder = await transaction.users.lockByName(pool.id, name);
  return holder === undefined || holder.user.username === user.username;
}

/** The holder of the code may not have entered the other contacts, so they are all removed. */
function keepOnlySentContact(user: UserRecord, code: CodeRecord): UserRecord {
  const contact = findSentContact(user, code);
  return contact ? { ...user, attributes: removeContactsExcept(user.attributes, contact.attribute) } : user;
}

function findSentContact({ attributes }: UserRecord, { channel, destination }: CodeRecord): Contact | undefined {
  return listContacts(attributes).find((one) => one.channel === channel && one.destination === destination);
}

function markContactVerified(user: UserRecord, code: CodeRecord): UserRecord {
  const { attributes } = user;
  const contact = findSentContact(user, code);
  const verified = contact ? { [`${contact.attribute}_verified`]: 'true' } : {};
  return { ...user, status: 'CONFIRMED', attributes: { ...attributes, ...verified } };
}

/** A competing registration has only its own temporary name so far. */
async function takeRegisteredName(
  transaction: Transaction<'users'>,
  pool: PoolRecord,
  user: UserRecord,
  registration: RegistrationRecord | undefined,
): Promise<void> {
  if (registration?.isAside) {
    await transaction.users.replaceNames(pool.id, user.username, [user.username, registration.name]);
  }
  await updateSignInNames(transaction, pool, user);
}
