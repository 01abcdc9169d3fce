import { type Input, ProviderError } from '@poolgate/provider';
import type { NotificationPorts } from '../delivery/delivery-ports.ts';
import type { LoginCandidate } from '../identity/login-candidate.ts';
import { recordEvent, toFailureReason } from '../kernel/audit-events.ts';
import type { EventPorts, StorePort, StoreReads, Transaction } from '../kernel/ports.ts';
import { hidesUsers } from '../kernel/user-existence.ts';
import { codeMismatchError, redeemCode } from '../proofs/codes/stored-codes.ts';
import { CODE_GUESS_COUNTERS, CODE_LIMITS } from '../proofs/lockouts/code-limits.ts';
import { createUserGuess } from '../proofs/lockouts/user-guess.ts';
import type { DecoyPorts } from '../proofs/passwords/password-ports.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import { toCanonicalName } from '../settings/sign-in-names.ts';
import type { PoolReads, PoolTransaction } from '../store/pool-store.ts';
import type { CodeRecord, PoolRecord, UserRecord, UserWithCredential } from '../store/records.ts';
import { isConflictError } from '../store/store-error-guards.ts';
import type { TriggerPorts } from '../triggers/trigger-ports.ts';
import { createLoginCandidate } from '../users/find-login-candidate.ts';
import { invokePostConfirmation } from '../users/post-confirmation-trigger.ts';
import { completeRegistration } from './complete-registration.ts';
import { MissingClaimError, type PreparedRegistrationClaim } from './registration-claim.ts';
import type { RegistrationSession } from './registration-session.ts';

/**
 * Codes of this many other pending registrations of a name are accepted as well, because the reader of the mailbox reads them all. They are
 * that of the name's holder, which is sent again, and the newest.
 */
const MAX_OTHER_CODES = CODE_LIMITS.sign_up.validAtOnce - 1;

/** A request to confirm a registration. */
export interface SignUpConfirmation {
  readonly owner: PoolAndClient;
  /** The user of the typed name. */
  readonly candidate: LoginCandidate;
  /** The content of the session. */
  readonly own: RegistrationSession | undefined;
  /** The user whose wrong codes are counted. */
  readonly guessedAs: string;
  /** True if codes of other registrations are not accepted. */
  readonly isBound: boolean;
  readonly input: Input<'ConfirmSignUp'>;
  /** The proof of a person without a session. Undefined: the rules of `ConfirmSignUp`, for which the code is enough. */
  readonly claim: PreparedRegistrationClaim | undefined;
}

/**
 * The user whose wrong codes are counted. All registrations of one name share a counter, because creating many would otherwise multiply the
 * guesses at the same codes. It is the decoy that the name has without a registration, so registering it resets no counter.
 */
async function findGuessedName(
  ports: DecoyPorts & StoreReads<'registrations' | 'users'>,
  { pool }: PoolAndClient,
  candidate: LoginCandidate,
  own: RegistrationSession | undefined,
  typedName: string,
): Promise<string> {
  const { store } = ports;
  const name = own?.name ?? (await findRegisteredName(store, pool, candidate, typedName));
  const holder = (await store.users.byName(pool.id, name))?.user;
  const nobody = createLoginCandidate(ports, pool, name, undefined).userId;
  const registration = await store.registrations.byUsername(pool.id, holder?.username ?? nobody);
  return holder === undefined || registration !== undefined ? nobody : holder.username;
}

/**
 * Confirms the first verified registration.
 * @throws {ProviderError} the errors of `ConfirmSignUp`
 * @throws {MissingClaimError} the code was correct, but a password or a required attribute is missing
 */
export async function confirmSignUpByCode(
  ports: NotificationPorts & TriggerPorts & DecoyPorts & StorePort,
  confirmation: Omit<SignUpConfirmation, 'guessedAs'>,
): Promise<UserWithCredential> {
  const { owner, candidate, own, input } = confirmation;
  const guessedAs = await findGuessedName(ports, owner, candidate, own, input.Username);
  const confirmed = await writeConfirmation(ports, { ...confirmation, guessedAs });
  if (confirmed instanceof Error) throw confirmed;
  const { pool, client } = owner;
  const about = { pool, clientId: client.id, user: confirmed.user, clientMetadata: input.ClientMetadata };
  await invokePostConfirmation(ports, { ...about, source: 'PostConfirmation_ConfirmSignUp' });
  return confirmed;
}

/** The error is returned, not thrown: a wrong code or password must be counted, and a rejected write would forget it. */
async function writeConfirmation(
  ports: NotificationPorts & StorePort,
  confirmation: SignUpConfirmation,
): Promise<UserWithCredential | ProviderError | MissingClaimError> {
  try {
    return await ports.store.write((transaction) => verifyAndConfirm(ports, transaction, confirmation));
  } catch (cause) {
    if (!isConflictError(cause)) throw cause;
    throw new ProviderError('AliasExistsException', 'An account with the email already exists.', { cause });
  }
}

async function verifyAndConfirm(
  ports: NotificationPorts,
  transaction: PoolTransaction,
  confirmation: SignUpConfirmation,
): Promise<UserWithCredential | ProviderError | MissingClaimError> {
  const { owner, candidate, own, input } = confirmation;
  const { pool, client } = owner;
  const typed = await transaction.users.byUsername(pool.id, candidate.userId);
  const name = own?.name ?? (await findRegisteredName(transaction, pool, candidate, input.Username));
  const taken = await redeemSignUpCode(ports, transaction, confirmation, name);
  const winner = taken instanceof ProviderError ? undefined : (own?.username ?? taken.username);
  const subject =
    winner === undefined || winner === typed?.username ? typed : await transaction.users.byUsername(pool.id, winner);
  const refusal = findConfirmationError(taken, subject, hidesUsers(ports, client));
  const outcome =
    taken instanceof ProviderError || subject === undefined || refusal !== undefined
      ? (refusal ?? codeMismatchError())
      : await completeRegistration(ports, transaction, confirmation, { name, user: subject, code: taken });
  if (outcome instanceof MissingClaimError) return outcome;
  const error = outcome instanceof ProviderError ? outcome : undefined;
  await recordConfirmation(ports, transaction, owner, subject, error);
  return outcome;
}

/** The name of the candidate's registration, or the typed name without one. */
async function findRegisteredName(
  reads: Pick<PoolReads, 'registrations'>,
  pool: PoolRecord,
  { userId }: LoginCandidate,
  typedName: string,
): Promise<string> {
  return (await reads.registrations.byUsername(pool.id, userId))?.name ?? toCanonicalName(pool.settings, typedName);
}

async function redeemSignUpCode(
  ports: NotificationPorts,
  transaction: PoolTransaction,
  { owner: { pool }, candidate, own, guessedAs, isBound, input }: SignUpConfirmation,
  name: string,
): Promise<CodeRecord | ProviderError> {
  const username = own?.username ?? candidate.userId;
  const waiting = await transaction.registrations.listByName(pool.id, name, MAX_OTHER_CODES + 1);
  const others = new Set([candidate.userId, ...waiting.map((row) => row.username)]);
  others.delete(username);
  return redeemCode(ports, transaction, {
    pool,
    username,
    others: isBound ? [] : [...others].slice(0, MAX_OTHER_CODES),
    purpose: 'sign_up',
    code: input.ConfirmationCode,
    guess: createUserGuess(ports, pool, CODE_GUESS_COUNTERS.sign_up, guessedAs),
  });
}

function findConfirmationError(
  taken: CodeRecord | ProviderError,
  user: UserRecord | undefined,
  isHidden: boolean,
): ProviderError | undefined {
  if (user?.status !== 'UNCONFIRMED') return notConfirmableError(taken, user, isHidden);
  return taken instanceof ProviderError ? taken : undefined;
}

/** Records one event, also for an unknown name. */
function recordConfirmation(
  ports: EventPorts,
  transaction: Transaction<'events'>,
  { pool, client }: PoolAndClient,
  user: UserRecord | undefined,
  refusal: ProviderError | undefined,
): Promise<void> {
  const about = { type: 'user.confirmed', pool, user, clientId: client.id } as const;
  if (refusal === undefined) return recordEvent(ports, transaction, { ...about, details: { how: 'code' } });
  const details = { reason: toFailureReason(refusal) };
  return recordEvent(ports, transaction, { ...about, outcome: 'failure', details });
}

/** If users are hidden, the response does not reveal whether the user is confirmed or does not exist. */
function notConfirmableError(
  taken: CodeRecord | ProviderError,
  user: UserRecord | undefined,
  isHidden: boolean,
): ProviderError {
  const refusal = taken instanceof ProviderError ? taken : codeMismatchError();
  if (user === undefined || isHidden || refusal.reason === 'locked') return refusal;
  return new ProviderError('NotAuthorizedException', `User cannot be confirmed. Current status is ${user.status}`);
}
