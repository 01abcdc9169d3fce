import type { Input, ProviderError } from '@poolgate/provider';
import { codeMismatch } from '../factors/stored-codes.ts';
import type { PoolAndClient } from '../pools/pools.ts';
import type { PoolRuntime } from '../runtime.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { CodeRecord, PoolRecord, RegistrationRecord, UserRecord, UserWithCredential } from '../store/records.ts';
import { type Contact, contactsOf } from '../users/contacts.ts';
import { dropRegistration } from '../users/unverified-sign-up.ts';
import { lockUser, releaseAliases, takeOverName, updateNames } from '../users/users.ts';
import { withoutOtherContacts } from '../users/verify-contact.ts';
import { type PreparedClaim, settleClaim } from './registration-claim.ts';
import type { SignedUpRegistration } from './registration-session.ts';
import { isNameVerified, isPending } from './registrations.ts';

/** What a confirmation is asked for with. */
interface ConfirmationTerms {
  readonly owner: PoolAndClient;
  /** What the session says. */
  readonly own: SignedUpRegistration | undefined;
  readonly claim: PreparedClaim | undefined;
  readonly input: Pick<Input<'ConfirmSignUp'>, 'ForceAliasCreation'>;
}

/** A registration whose code was right. */
export interface ProvenRegistration {
  readonly name: string;
  readonly user: UserRecord;
  /** The code that was right. */
  readonly code: CodeRecord;
}

/** Of all that wait for the name this one becomes the user, unless somebody had it by proof before; the others end. */
export async function confirmRegistration(
  context: PoolRuntime,
  transaction: PoolTransaction,
  { owner, own, input, claim }: ConfirmationTerms,
  { name, user: before, code }: ProvenRegistration,
): Promise<UserWithCredential | ProviderError> {
  const { pool } = owner;
  const { username } = before;
  const user = withVerifiedContact(before, code);
  // Whoever has the name is held from here on, so that of several that are proven at once the first one wins.
  if (!(await takeNameIfFree(context, transaction, pool, user, name))) return codeMismatch();
  const registration = await transaction.registrations.byUsername(pool.id, username);
  const isWaiting = (await transaction.users.byUsername(pool.id, username))?.status === before.status;
  if (!isWaiting || (registration && !isPending(context, registration))) return codeMismatch();
  const isDoubtful = registration?.isContested === true && own === undefined;
  const isClaimed = claim !== undefined && own === undefined;
  if (isDoubtful && !isClaimed) await transaction.users.deleteProofs(pool.id, username);
  const confirmed = isDoubtful && !isClaimed ? withOnlyItsContact(user, code) : user;
  const winner = isClaimed ? await settleClaim(context, transaction, owner, confirmed, claim) : confirmed;
  const nowMs = context.clock.now();
  const { status, attributes } = winner;
  await transaction.users.update(pool.id, username, { status, attributes, modifiedAtMs: nowMs });
  if (input.ForceAliasCreation === true) await releaseAliases(context, transaction, pool, winner, nowMs);
  await takeRegisteredName(transaction, pool, winner, registration);
  await transaction.registrations.deleteOthers(pool.id, name, username);
  return lockUser(transaction, pool, username);
}

/** A name that the code does not prove goes to whoever comes first. */
async function takeNameIfFree(
  context: PoolRuntime,
  transaction: PoolTransaction,
  pool: PoolRecord,
  user: UserRecord,
  name: string,
): Promise<boolean> {
  if (isNameVerified(pool, user, name)) return takeOverName(context, transaction, pool, user, name);
  await dropRegistration(transaction, pool, name, user.username);
  const holder = await transaction.users.lockByName(pool.id, name);
  return holder === undefined || holder.user.username === user.username;
}

/** Nobody knows whether whoever has the code wrote the other contacts: none of them is kept. */
function withOnlyItsContact(user: UserRecord, code: CodeRecord): UserRecord {
  const contact = sentContact(user, code);
  return contact ? { ...user, attributes: withoutOtherContacts(user.attributes, contact.attribute) } : user;
}

function sentContact({ attributes }: UserRecord, { channel, destination }: CodeRecord): Contact | undefined {
  return contactsOf(attributes).find((one) => one.channel === channel && one.destination === destination);
}

function withVerifiedContact(user: UserRecord, code: CodeRecord): UserRecord {
  const { attributes } = user;
  const contact = sentContact(user, code);
  const verified = contact ? { [`${contact.attribute}_verified`]: 'true' } : {};
  return { ...user, status: 'CONFIRMED', attributes: { ...attributes, ...verified } };
}

/** A registration that stood aside has no name yet but its own. */
async function takeRegisteredName(
  transaction: PoolTransaction,
  pool: PoolRecord,
  user: UserRecord,
  registration: RegistrationRecord | undefined,
): Promise<void> {
  if (registration?.isAside) {
    await transaction.users.replaceNames(pool.id, user.username, [user.username, registration.name]);
  }
  await updateNames(transaction, pool, user);
}
