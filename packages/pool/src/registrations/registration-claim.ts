import { type MissingRegistrationProof, ProviderError, type RegistrationProof } from '@poolgate/provider';
import type { NotificationPorts } from '../delivery/delivery-ports.ts';
import {
  type Attributes,
  checkAttributes,
  listMissingAttributes,
  parseAttributes,
  removeEmptyAttributes,
} from '../identity/attributes.ts';
import { listContacts } from '../identity/contacts.ts';
import { incorrectPasswordError } from '../identity/login-errors.ts';
import { isVerifiedContact } from '../identity/verified-contact.ts';
import type { ClockPort } from '../kernel/ports.ts';
import {
  acceptRightGuess,
  countWrongGuess,
  type GuessCounter,
  lockedError,
  PASSWORD_GUESS_COUNTER,
} from '../proofs/lockouts/lockout.ts';
import { createUserGuess } from '../proofs/lockouts/user-guess.ts';
import {
  createClaimedVerifierPassword,
  createPlainPassword,
  listPasswordUserNames,
  type NewPassword,
} from '../proofs/passwords/new-password.ts';
import type { NewPasswordPorts } from '../proofs/passwords/password-ports.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { CredentialRecord, UserRecord } from '../store/records.ts';
import { type ProviderNamePorts, refuseProviderNames } from '../users/provider-usernames.ts';
import { deleteProofsAndLogins } from '../users/verify-contact.ts';

/** Wrong proofs of a registration's password. They are counted separately, so that they do not lock out the person who registered. */
const CLAIM_GUESS_COUNTER: GuessCounter = { ...PASSWORD_GUESS_COUNTER, name: 'registration.claim' };

/** The input of a confirmation without the registration's session. */
export interface RegistrationClaimInput extends Omit<RegistrationProof, 'Session'> {
  /** Whether the request names the username of the verifier. */
  readonly isIdentityKnown: boolean;
}

/** A claim that was parsed before the registration is read, so that parsing has the same cost and response for every name. */
interface ParsedRegistrationClaim {
  readonly password: NewPassword | undefined;
  /** Why the password cannot be a new one; undefined if it can. */
  readonly refusal: unknown;
  readonly isIdentityKnown: boolean;
  readonly attributes: Attributes;
}

/** A claim with the credential of its new password, if its username is already known. */
export interface PreparedRegistrationClaim extends ParsedRegistrationClaim {
  readonly credential?: CredentialRecord;
}

/** The code was correct but is not sufficient. It stays valid. */
export class MissingClaimError extends Error {
  readonly missing: MissingRegistrationProof;
  constructor(missing: MissingRegistrationProof) {
    super('The registration needs a password.');
    this.missing = missing;
  }
}

/** The credential of a new password is computed outside of the write, but only the write learns its user. */
class CredentialNeededError extends Error {
  readonly username: string;
  constructor(username: string) {
    super('The credential is not computed yet.');
    this.username = username;
  }
}

/**
 * Parses a claim.
 * @throws {ProviderError} `InvalidParameterException`, `NotAuthorizedException`: attributes or a verifier that no user can have
 */
export async function parseRegistrationClaim(
  ports: NewPasswordPorts & ProviderNamePorts,
  { pool, client }: PoolAndClient,
  sent: RegistrationClaimInput,
): Promise<ParsedRegistrationClaim> {
  const { Password, PasswordVerifier, UserAttributes, isIdentityKnown } = sent;
  const attributes = removeEmptyAttributes(parseAttributes(pool, UserAttributes));
  checkAttributes(pool, client, attributes);
  await refuseProviderNames(ports, pool, { attributes });
  const plain = Password === undefined ? undefined : createPlainPassword(ports, pool, Password);
  const password = PasswordVerifier ? createClaimedVerifierPassword(ports, pool, PasswordVerifier) : plain;
  const refusal = await password?.check().then(
    () => undefined,
    (cause: unknown) => cause,
  );
  return { password, refusal, isIdentityKnown, attributes };
}

/** Processes a claim, and repeats it with the credential of its password if that turns out to be a new one. */
export async function retryWithCredential<Result>(
  claim: ParsedRegistrationClaim,
  work: (claim: PreparedRegistrationClaim) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(claim);
  } catch (cause) {
    if (!(cause instanceof CredentialNeededError) || claim.password === undefined) throw cause;
    return work({ ...claim, credential: await claim.password.createCredential(cause.username, null) });
  }
}

/**
 * Verifies a claim and changes only the count of wrong passwords. The reader of the mailbox may not be the person who registered, and must
 * not be able to guess that person's password.
 * @param user with the contact that the code verified
 * @returns the error after the write if the claim is not sufficient; otherwise undefined
 */
export async function verifyRegistrationClaim(
  ports: NotificationPorts,
  transaction: PoolTransaction,
  { pool }: PoolAndClient,
  user: UserRecord,
  claim: PreparedRegistrationClaim,
): Promise<ProviderError | MissingClaimError | undefined> {
  // Not locked, because the user who has the name is locked first, so that two simultaneous confirmations do not deadlock.
  const current = (await transaction.users.byName(pool.id, user.username))?.credential;
  const { password } = claim;
  if (current !== undefined && password !== undefined) {
    const guess = createUserGuess(ports, pool, CLAIM_GUESS_COUNTER, user.username);
    const isRight = password.equals(current);
    const isCounted = isRight
      ? await acceptRightGuess(transaction, guess)
      : await countWrongGuess(ports, transaction, guess, { pool, user });
    if (!isCounted) return lockedError(transaction, guess);
    if (isRight) return undefined;
    if (password.hasSaltOf(current)) return incorrectPasswordError();
  }
  const attributes = selectRemainingAttributes(user, claim);
  const missing = listMissingAttributes(pool, attributes);
  if ((current !== undefined && password === undefined) || missing.length > 0) {
    return new MissingClaimError({ ...toMissingPassword(current, password), Attributes: missing });
  }
  return password && findNewPasswordError(claim, password, { ...user, attributes });
}

/**
 * Applies a claim that {@link verifyRegistrationClaim} accepted. With the proof of its password a registration keeps everything, otherwise
 * only what was verified.
 * @param user with the contact that the code verified
 * @returns the user to write
 */
export async function applyRegistrationClaim(
  ports: ClockPort,
  transaction: PoolTransaction,
  { pool }: PoolAndClient,
  user: UserRecord,
  claim: PreparedRegistrationClaim,
): Promise<UserRecord> {
  const current = (await transaction.users.lockByName(pool.id, user.username))?.credential;
  if (current !== undefined && claim.password?.equals(current)) return user;
  if (claim.password !== undefined && claim.credential?.username !== user.username)
    throw new CredentialNeededError(user.username);
  const cleared = { ...user, attributes: selectRemainingAttributes(user, claim), mfaMethods: [], preferredMfa: null };
  await deleteProofsAndLogins(transaction, cleared, ports.clock.now());
  if (claim.credential) await transaction.credentials.put(claim.credential);
  return cleared;
}

function selectRemainingAttributes(user: UserRecord, claim: PreparedRegistrationClaim): Attributes {
  return { ...withUnverifiedContacts(claim.attributes), ...selectProvenContacts(user.attributes) };
}

function toMissingPassword(
  current: CredentialRecord | undefined,
  password: NewPassword | undefined,
): Omit<MissingRegistrationProof, 'Attributes'> {
  if (current === undefined || password !== undefined) return {};
  return { Password: { UserIdForSrp: current.username, SaltHex: current.saltHex } };
}

/** Why the password cannot become the user's new one; undefined if it can. */
function findNewPasswordError(
  claim: PreparedRegistrationClaim,
  password: NewPassword,
  user: UserRecord,
): ProviderError | undefined {
  try {
    if (claim.refusal !== undefined) throw claim.refusal;
    if (!claim.isIdentityKnown && password.isVerifier) throw unknownIdentityError();
    password.checkOwner(listPasswordUserNames(user));
    return undefined;
  } catch (cause) {
    if (cause instanceof ProviderError) return cause;
    throw cause;
  }
}

function unknownIdentityError(): ProviderError {
  return new ProviderError('InvalidParameterException', 'Name the username that the password verifier was made for.');
}

function selectProvenContacts(attributes: Attributes): Attributes {
  const proven = listContacts(attributes).filter(({ attribute }) => isVerifiedContact(attributes, attribute));
  return Object.fromEntries(
    proven.flatMap(({ attribute, destination }) => [
      [attribute, destination],
      [`${attribute}_verified`, 'true'],
    ]),
  );
}

function withUnverifiedContacts(attributes: Attributes): Attributes {
  const unproven = listContacts(attributes).map(({ attribute }) => [`${attribute}_verified`, 'false']);
  return { ...attributes, ...Object.fromEntries(unproven) };
}
