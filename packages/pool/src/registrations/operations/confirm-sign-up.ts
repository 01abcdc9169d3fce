import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { failureReason, recordEvent } from '../../events.ts';
import { CODE_GUESSES, CODE_LIMITS } from '../../factors/code-limits.ts';
import { guessAt } from '../../factors/guess-at.ts';
import { codeMismatch, redeemCode } from '../../factors/stored-codes.ts';
import { sessionAfterSignUp } from '../../login/login-after-sign-up.ts';
import { confirmLinkOf } from '../../messages/confirm-link.ts';
import type { ExtensionTable, OperationTable } from '../../operation-table.ts';
import { checkSecretHash, type PoolAndClient, requireClientAndPool } from '../../pools/pools.ts';
import type { PoolRuntime } from '../../runtime.ts';
import type { ClientSettings } from '../../settings.ts';
import { invalidSession } from '../../shared/login-errors.ts';
import { isConflict } from '../../store/conflict.ts';
import type { PoolReads, PoolTransaction } from '../../store/pool-store.ts';
import type {
  CodeRecord,
  PoolRecord,
  RegistrationRecord,
  UserRecord,
  UserWithCredential,
} from '../../store/records.ts';
import { askPostConfirmation } from '../../users/ask-post-confirmation.ts';
import { type Contact, contactsOf } from '../../users/contacts.ts';
import { findCandidate, type LoginCandidate, loginCandidate } from '../../users/login-candidate.ts';
import { canonicalName } from '../../users/sign-in-names.ts';
import { dropRegistration } from '../../users/unverified-sign-up.ts';
import { lockUser, noSuchUserOfClient, releaseAliases, takeOverName, updateNames } from '../../users/users.ts';
import { withoutOtherContacts } from '../../users/verify-contact.ts';
import { decryptRegistration, type SignedUpRegistration } from '../registration-session.ts';
import { isNameVerified, isPending } from '../registrations.ts';

/**
 * Codes of so many other registrations that wait for a name are as good as the own one, since whoever reads the mailbox reads them all:
 * the one of whoever holds the name, which is sent again, and the newest.
 */
const MAX_OTHER_CODES = CODE_LIMITS.sign_up.validAtOnce - 1;

/** The operation by which users prove that they can be reached. */
export const confirmSignUpOperations: OperationTable<'confirmSignUp'> = { confirmSignUp };

/** The same by the link of a mail. */
export const confirmLinkExtensions: ExtensionTable<'confirm_by_link'> = { confirm_by_link: confirmByLink };

/**
 * Makes a user of the registration that is proven first. The code proves the contact, and the session says which registration its
 * reader made: without one a code makes the password good only where nobody else has registered the name.
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_ConfirmSignUp.html
 */
async function confirmSignUp(context: PoolRuntime, input: Input<'ConfirmSignUp'>): Promise<Output<'ConfirmSignUp'>> {
  const owner = await requireClientAndPool(context, input.ClientId);
  const candidate = await findCandidate(context, owner, input.Username, noSuchUserOfClient);
  checkSecretHash(context, owner, [input.Username, candidate.userId], input.SecretHash);
  const { Session } = input;
  const own = Session === undefined ? undefined : decryptRegistration(context, owner, input.Username, Session);
  const confirmed = await confirm(context, { owner, candidate, own, isBound: false, input });
  return owner.client.settings.allowedFlows.includes('USER_AUTH')
    ? { Session: sessionAfterSignUp(context, owner, loginCandidate(context, owner.pool, input.Username, confirmed)) }
    : {};
}

/**
 * Confirms the registration that a link was sent for, and no other. Who opens a link need not be who registered: like a code without a
 * session it makes the password good only where nobody else has registered the name.
 */
async function confirmByLink(context: PoolRuntime, { Token }: { readonly Token: string }): Promise<void> {
  const link = confirmLinkOf(context, Token);
  if (link === undefined) throw invalidSession();
  const { clientId: ClientId, username: Username, code: ConfirmationCode } = link;
  const owner = await requireClientAndPool(context, ClientId);
  const candidate = await findCandidate(context, owner, Username, noSuchUserOfClient);
  const input = { ClientId, Username, ConfirmationCode };
  await confirm(context, { owner, candidate, own: undefined, isBound: true, input });
}

interface Confirmation {
  readonly owner: PoolAndClient;
  /** Who is called by the name that was typed. */
  readonly candidate: LoginCandidate;
  /** What the session says. */
  readonly own: SignedUpRegistration | undefined;
  /** As whom wrong codes are counted. */
  readonly guessedAs: string;
  /** True: codes of other registrations do not do. */
  readonly isBound: boolean;
  readonly input: Input<'ConfirmSignUp'>;
}

/**
 * As whom wrong codes are counted: all registrations of one name together, since whoever makes many of them would else have as many
 * guesses at the same codes. It is whom the name stands for where nobody has registered it, so that registering it frees no counter.
 */
async function guessedName(
  context: PoolRuntime,
  { pool }: PoolAndClient,
  candidate: LoginCandidate,
  own: SignedUpRegistration | undefined,
  typedName: string,
): Promise<string> {
  const { store } = context;
  const name = own?.name ?? (await registeredName(store, pool, candidate, typedName));
  const holder = (await store.users.byName(pool.id, name))?.user;
  const nobody = loginCandidate(context, pool, name, undefined).userId;
  const registration = await store.registrations.byUsername(pool.id, holder?.username ?? nobody);
  return holder === undefined || registration !== undefined ? nobody : holder.username;
}

async function confirm(
  context: PoolRuntime,
  confirmation: Omit<Confirmation, 'guessedAs'>,
): Promise<UserWithCredential> {
  const { owner, candidate, own, input } = confirmation;
  const guessedAs = await guessedName(context, owner, candidate, own, input.Username);
  const confirmed = await writeConfirmation(context, { ...confirmation, guessedAs });
  if (confirmed instanceof ProviderError) throw confirmed;
  const { pool, client } = owner;
  const about = { pool, clientId: client.id, user: confirmed.user, clientMetadata: input.ClientMetadata };
  await askPostConfirmation(context, { ...about, source: 'PostConfirmation_ConfirmSignUp' });
  return confirmed;
}

/** The refusal is given, not thrown: a wrong code must be counted, and a rejected write would forget it. */
async function writeConfirmation(
  context: PoolRuntime,
  confirmation: Confirmation,
): Promise<UserWithCredential | ProviderError> {
  try {
    return await context.store.write((transaction) => judgeConfirmation(context, transaction, confirmation));
  } catch (cause) {
    if (!isConflict(cause)) throw cause;
    throw new ProviderError('AliasExistsException', 'An account with the email already exists.', { cause });
  }
}

async function judgeConfirmation(
  context: PoolRuntime,
  transaction: PoolTransaction,
  confirmation: Confirmation,
): Promise<UserWithCredential | ProviderError> {
  const { owner, candidate, own, input } = confirmation;
  const { pool, client } = owner;
  const typed = await transaction.users.byUsername(pool.id, candidate.userId);
  const name = own?.name ?? (await registeredName(transaction, pool, candidate, input.Username));
  const taken = await confirmByCode(context, transaction, confirmation, name);
  const winner = taken instanceof ProviderError ? undefined : (own?.username ?? taken.username);
  const subject =
    winner === undefined || winner === typed?.username ? typed : await transaction.users.byUsername(pool.id, winner);
  const refusal = confirmationRefusal(taken, subject, client.settings);
  const outcome =
    taken instanceof ProviderError || subject === undefined || refusal !== undefined
      ? (refusal ?? codeMismatch())
      : await confirmRegistration(context, transaction, confirmation, { name, user: subject, code: taken });
  const error = outcome instanceof ProviderError ? outcome : undefined;
  await recordConfirmation(context, transaction, owner, subject, error);
  return outcome;
}

/** What a registration waits for; the name itself where it is nobody's, or a user's. */
async function registeredName(
  reads: PoolReads,
  pool: PoolRecord,
  { userId }: LoginCandidate,
  typedName: string,
): Promise<string> {
  return (await reads.registrations.byUsername(pool.id, userId))?.name ?? canonicalName(pool.settings, typedName);
}

async function confirmByCode(
  context: PoolRuntime,
  transaction: PoolTransaction,
  { owner: { pool }, candidate, own, guessedAs, isBound, input }: Confirmation,
  name: string,
): Promise<CodeRecord | ProviderError> {
  const username = own?.username ?? candidate.userId;
  const waiting = await transaction.registrations.listByName(pool.id, name, MAX_OTHER_CODES + 1);
  const others = new Set([candidate.userId, ...waiting.map((row) => row.username)]);
  others.delete(username);
  return redeemCode(context, transaction, {
    pool,
    username,
    others: isBound ? [] : [...others].slice(0, MAX_OTHER_CODES),
    purpose: 'sign_up',
    code: input.ConfirmationCode,
    guess: guessAt(context, pool, CODE_GUESSES.sign_up, guessedAs),
  });
}

function confirmationRefusal(
  taken: CodeRecord | ProviderError,
  user: UserRecord | undefined,
  settings: ClientSettings,
): ProviderError | undefined {
  if (user?.status !== 'UNCONFIRMED') return notConfirmable(taken, user, settings);
  return taken instanceof ProviderError ? taken : undefined;
}

/** One event for a name that nobody has too. */
function recordConfirmation(
  context: PoolRuntime,
  transaction: PoolTransaction,
  { pool, client }: PoolAndClient,
  user: UserRecord | undefined,
  refusal: ProviderError | undefined,
): Promise<void> {
  const about = { type: 'user.confirmed', pool, user, clientId: client.id } as const;
  if (refusal === undefined) return recordEvent(context, transaction, { ...about, details: { how: 'code' } });
  const details = { reason: failureReason(refusal) };
  return recordEvent(context, transaction, { ...about, outcome: 'failure', details });
}

/** Where users are hidden, nobody learns here that one is confirmed, or is not there at all. */
function notConfirmable(
  taken: CodeRecord | ProviderError,
  user: UserRecord | undefined,
  { preventUserExistenceErrors }: ClientSettings,
): ProviderError {
  const refusal = taken instanceof ProviderError ? taken : codeMismatch();
  if (user === undefined || preventUserExistenceErrors || refusal.reason === 'locked') return refusal;
  return new ProviderError('NotAuthorizedException', `User cannot be confirmed. Current status is ${user.status}`);
}

interface ProvenRegistration {
  readonly name: string;
  readonly user: UserRecord;
  /** The code that was right. */
  readonly code: CodeRecord;
}

/** Of all that wait for the name this one becomes the user, unless somebody had it by proof before; the others end. */
async function confirmRegistration(
  context: PoolRuntime,
  transaction: PoolTransaction,
  { owner: { pool }, own, input }: Confirmation,
  { name, user: before, code }: ProvenRegistration,
): Promise<UserWithCredential | ProviderError> {
  const { username } = before;
  const user = withVerifiedContact(before, code);
  // Whoever has the name is held from here on, so that of several that are proven at once the first one wins.
  if (!(await takeNameIfFree(context, transaction, pool, user, name))) return codeMismatch();
  const registration = await transaction.registrations.byUsername(pool.id, username);
  const isWaiting = (await transaction.users.byUsername(pool.id, username))?.status === before.status;
  if (!isWaiting || (registration && !isPending(context, registration))) return codeMismatch();
  const isDoubtful = registration?.isContested === true && own === undefined;
  if (isDoubtful) await transaction.users.deleteProofs(pool.id, username);
  const winner = isDoubtful ? withOnlyItsContact(user, code) : user;
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
