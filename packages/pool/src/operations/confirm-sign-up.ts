import { type Input, type Output, ProviderError, type ProviderOperations } from '@poolgate/provider';
import { signedUpSession } from '../auth/signed-up.ts';
import { CODE_GUESSES, CODE_LIMITS } from '../domain/code-limits.ts';
import { codeMismatch, takeCode } from '../domain/codes.ts';
import { withoutOtherContacts } from '../domain/contact-proof.ts';
import { type Contact, contactsOf } from '../domain/contacts.ts';
import { guessSubject } from '../domain/lockout.ts';
import { type Candidate, candidateOf, findCandidate } from '../domain/masking.ts';
import { canonicalName } from '../domain/names.ts';
import { checkSecretHash, clientAndPool, type PoolAndClient } from '../domain/pools.ts';
import { type OwnRegistration, openRegistration } from '../domain/registration-session.ts';
import { isOpen, isProvenName } from '../domain/registrations.ts';
import { dropRegistration } from '../domain/unproven.ts';
import { claimUser, noSuchUserOfClient, releaseAliases, renewNames, takeName } from '../domain/users.ts';
import { failureWord, recordEvent } from '../events.ts';
import { duringCall, type PoolRuntime } from '../runtime.ts';
import type { ClientSettings } from '../settings.ts';
import { isConflict } from '../store/conflict.ts';
import type { PoolReads, PoolTransaction } from '../store/pool-store.ts';
import type { CodeRecord, PoolRecord, RegistrationRecord, UserRecord, UserWithCredential } from '../store/records.ts';

/**
 * Codes of so many other registrations that wait for a name are as good as the own one, since whoever reads the mailbox reads them all:
 * the one of whoever holds the name, which is sent again, and the newest.
 */
const MOST_OTHER_CODES = CODE_LIMITS.sign_up.rightAtOnce - 1;

/** The operation by which users prove that they can be reached. */
export function confirmSignUpOperations(runtime: PoolRuntime): Pick<ProviderOperations, 'confirmSignUp'> {
  return { confirmSignUp: (input, call) => confirmSignUp(duringCall(runtime, call), input) };
}

/**
 * Makes a user of the registration that is proven first. The code proves the contact, and the session says which registration its
 * reader made: without one a code makes the password good only where nobody else has registered the name.
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_ConfirmSignUp.html
 */
async function confirmSignUp(context: PoolRuntime, input: Input<'ConfirmSignUp'>): Promise<Output<'ConfirmSignUp'>> {
  const owner = await clientAndPool(context, input.ClientId);
  const candidate = await findCandidate(context, owner, input.Username, noSuchUserOfClient);
  checkSecretHash(context, owner, [input.Username, candidate.userId], input.SecretHash);
  const { Session } = input;
  const own = Session === undefined ? undefined : openRegistration(context, owner, input.Username, Session);
  const guessedAs = await guessedName(context, owner, candidate, own, input.Username);
  const confirmed = await writeConfirmation(context, { owner, candidate, own, guessedAs, input });
  if (confirmed instanceof ProviderError) throw confirmed;
  return owner.client.settings.allowedFlows.includes('USER_AUTH')
    ? { Session: signedUpSession(context, owner, candidateOf(context, owner.pool, input.Username, confirmed)) }
    : {};
}

interface Confirmation {
  readonly owner: PoolAndClient;
  /** Who is called by the name that was typed. */
  readonly candidate: Candidate;
  /** What the session says. */
  readonly own: OwnRegistration | undefined;
  /** As whom wrong codes are counted. */
  readonly guessedAs: string;
  readonly input: Input<'ConfirmSignUp'>;
}

/**
 * As whom wrong codes are counted: all registrations of one name together, since whoever makes many of them would else have as many
 * guesses at the same codes. It is whom the name stands for where nobody has registered it, so that registering it frees no counter.
 */
async function guessedName(
  context: PoolRuntime,
  { pool }: PoolAndClient,
  candidate: Candidate,
  own: OwnRegistration | undefined,
  typedName: string,
): Promise<string> {
  const { store } = context;
  const name = own?.name ?? (await nameOf(store, pool, candidate, typedName));
  const holder = (await store.userByName(pool.id, name))?.user;
  const nobody = candidateOf(context, pool, name, undefined).userId;
  const registration = await store.registration(pool.id, holder?.username ?? nobody);
  return holder === undefined || registration !== undefined ? nobody : holder.username;
}

/** The refusal is given, not thrown: a wrong code must be counted, and a rejected write would forget it. */
async function writeConfirmation(
  context: PoolRuntime,
  confirmation: Confirmation,
): Promise<UserWithCredential | ProviderError> {
  try {
    return await context.store.write((transaction) => judge(context, transaction, confirmation));
  } catch (cause) {
    if (!isConflict(cause)) throw cause;
    throw new ProviderError('AliasExistsException', 'An account with the email already exists.', { cause });
  }
}

async function judge(
  context: PoolRuntime,
  transaction: PoolTransaction,
  confirmation: Confirmation,
): Promise<UserWithCredential | ProviderError> {
  const { owner, candidate, own, input } = confirmation;
  const { pool, client } = owner;
  const typed = await transaction.user(pool.id, candidate.userId);
  const name = own?.name ?? (await nameOf(transaction, pool, candidate, input.Username));
  const taken = await take(context, transaction, confirmation, name);
  const winner = taken instanceof ProviderError ? undefined : (own?.username ?? taken.username);
  const subject = winner === undefined || winner === typed?.username ? typed : await transaction.user(pool.id, winner);
  const refusal = refusalOf(taken, subject, client.settings);
  const outcome =
    taken instanceof ProviderError || subject === undefined || refusal !== undefined
      ? (refusal ?? codeMismatch())
      : await win(context, transaction, confirmation, { name, user: subject, code: taken });
  const error = outcome instanceof ProviderError ? outcome : undefined;
  await tellConfirmation(context, transaction, owner, subject, error);
  return outcome;
}

/** What a registration waits for; the name itself where it is nobody's, or a user's. */
async function nameOf(reads: PoolReads, pool: PoolRecord, { userId }: Candidate, typedName: string): Promise<string> {
  return (await reads.registration(pool.id, userId))?.name ?? canonicalName(pool.settings, typedName);
}

async function take(
  context: PoolRuntime,
  transaction: PoolTransaction,
  { owner: { pool }, candidate, own, guessedAs, input }: Confirmation,
  name: string,
): Promise<CodeRecord | ProviderError> {
  const subject = guessSubject(context, pool, CODE_GUESSES.sign_up, guessedAs);
  const username = own?.username ?? candidate.userId;
  const waiting = await transaction.registrations(pool.id, name, MOST_OTHER_CODES + 1);
  const others = new Set([candidate.userId, ...waiting.map((row) => row.username)]);
  others.delete(username);
  return takeCode(context, transaction, {
    pool,
    username,
    others: [...others].slice(0, MOST_OTHER_CODES),
    purpose: 'sign_up',
    code: input.ConfirmationCode,
    guess: { counter: CODE_GUESSES.sign_up, poolId: pool.id, subject, nowMs: context.clock.now() },
  });
}

function refusalOf(
  taken: CodeRecord | ProviderError,
  user: UserRecord | undefined,
  settings: ClientSettings,
): ProviderError | undefined {
  if (user?.status !== 'UNCONFIRMED') return unconfirmable(taken, user, settings);
  return taken instanceof ProviderError ? taken : undefined;
}

/** One event for a name that nobody has too. */
function tellConfirmation(
  context: PoolRuntime,
  transaction: PoolTransaction,
  { pool, client }: PoolAndClient,
  user: UserRecord | undefined,
  refusal: ProviderError | undefined,
): Promise<void> {
  const about = { type: 'user.confirmed', pool, user, clientId: client.id } as const;
  if (refusal === undefined) return recordEvent(context, transaction, { ...about, details: { how: 'code' } });
  const details = { reason: failureWord(refusal) };
  return recordEvent(context, transaction, { ...about, outcome: 'failure', details });
}

/** Where users are hidden, nobody learns here that one is confirmed, or is not there at all. */
function unconfirmable(
  taken: CodeRecord | ProviderError,
  user: UserRecord | undefined,
  { preventUserExistenceErrors }: ClientSettings,
): ProviderError {
  const refusal = taken instanceof ProviderError ? taken : codeMismatch();
  if (user === undefined || preventUserExistenceErrors || refusal.reason === 'locked') return refusal;
  return new ProviderError('NotAuthorizedException', `User cannot be confirmed. Current status is ${user.status}`);
}

interface Winner {
  readonly name: string;
  readonly user: UserRecord;
  /** The code that was right. */
  readonly code: CodeRecord;
}

/** Of all that wait for the name this one becomes the user, unless somebody had it by proof before; the others end. */
async function win(
  context: PoolRuntime,
  transaction: PoolTransaction,
  { owner: { pool }, own, input }: Confirmation,
  { name, user: before, code }: Winner,
): Promise<UserWithCredential | ProviderError> {
  const { username } = before;
  const user = proven(before, code);
  // Whoever has the name is held from here on, so that of several that are proven at once the first one wins.
  if (!(await getName(context, transaction, pool, user, name))) return codeMismatch();
  const registration = await transaction.registration(pool.id, username);
  const isWaiting = (await transaction.user(pool.id, username))?.status === before.status;
  if (!isWaiting || (registration && !isOpen(context, registration))) return codeMismatch();
  const isDoubtful = registration?.isContested === true && own === undefined;
  if (isDoubtful) await transaction.deleteProofs(pool.id, username);
  const winner = isDoubtful ? withItsContact(user, code) : user;
  const nowMs = context.clock.now();
  const { status, attributes } = winner;
  await transaction.updateUser(pool.id, username, { status, attributes, modifiedAtMs: nowMs });
  if (input.ForceAliasCreation === true) await releaseAliases(context, transaction, pool, winner, nowMs);
  await takePlace(transaction, pool, winner, registration);
  await transaction.deleteRegistrations(pool.id, name, username);
  return claimUser(transaction, pool, username);
}

/** A name that the code does not prove goes to whoever comes first. */
async function getName(
  context: PoolRuntime,
  transaction: PoolTransaction,
  pool: PoolRecord,
  user: UserRecord,
  name: string,
): Promise<boolean> {
  if (isProvenName(pool, user, name)) return takeName(context, transaction, pool, user, name);
  await dropRegistration(transaction, pool, name, user.username);
  const holder = await transaction.userByName(pool.id, name);
  return holder === undefined || holder.user.username === user.username;
}

/** Nobody knows whether whoever has the code wrote the other contacts: none of them is kept. */
function withItsContact(user: UserRecord, code: CodeRecord): UserRecord {
  const contact = contactOf(user, code);
  return contact ? { ...user, attributes: withoutOtherContacts(user.attributes, contact.attribute) } : user;
}

function contactOf({ attributes }: UserRecord, { channel, destination }: CodeRecord): Contact | undefined {
  return contactsOf(attributes).find((one) => one.channel === channel && one.destination === destination);
}

function proven(user: UserRecord, code: CodeRecord): UserRecord {
  const { attributes } = user;
  const contact = contactOf(user, code);
  const verified = contact ? { [`${contact.attribute}_verified`]: 'true' } : {};
  return { ...user, status: 'CONFIRMED', attributes: { ...attributes, ...verified } };
}

/** A registration that stood aside has no name yet but its own. */
async function takePlace(
  transaction: PoolTransaction,
  pool: PoolRecord,
  user: UserRecord,
  registration: RegistrationRecord | undefined,
): Promise<void> {
  if (registration?.isAside) {
    await transaction.setNames(pool.id, user.username, [user.username, registration.name]);
  }
  await renewNames(transaction, pool, user);
}
