import { type MissingClaim, ProviderError, type RegistrationClaim } from '@poolgate/provider';
import { claimedVerifierPassword, type NewPassword, newPlainPassword, ownNames } from '../passwords/new-password.ts';
import type { PoolAndClient } from '../pools/pools.ts';
import type { PoolRuntime } from '../runtime.ts';
import { incorrectPassword } from '../shared/login-errors.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { CredentialRecord, UserRecord } from '../store/records.ts';
import {
  type Attributes,
  attributesFrom,
  checkAttributes,
  missingRequired,
  withoutEmpty,
} from '../users/attributes.ts';
import { contactsOf } from '../users/contacts.ts';
import { isVerifiedContact } from '../users/verified-contact.ts';
import { removeOtherProofs } from '../users/verify-contact.ts';

/** What a person sends who confirms a registration without its session. */
export interface SentClaim extends Omit<RegistrationClaim, 'Session'> {
  /** Whether the request names the username that a verifier has to be made for. */
  readonly isIdentityKnown: boolean;
}

/** A claim as it was read, before anything is known of the registration: so reading it costs and answers the same for every name. */
interface ReadClaim {
  readonly password: NewPassword | undefined;
  /** Why the password may not be a new one; undefined where it may. */
  readonly refusal: unknown;
  readonly isIdentityKnown: boolean;
  readonly attributes: Attributes;
}

/** A claim with the credential of its new password, where the username of that is known already. */
export interface PreparedClaim extends ReadClaim {
  readonly credential?: CredentialRecord;
}

/** The code was right, and does not suffice. Thrown inside the write, which undoes that the code was used up. */
export class MissingClaimError extends Error {
  readonly missing: MissingClaim;
  constructor(missing: MissingClaim) {
    super('The registration needs a password.');
    this.missing = missing;
  }
}

/** The credential of a new password is computed outside of the write, which finds out whose it is. */
class CredentialNeeded extends Error {
  readonly username: string;
  constructor(username: string) {
    super('The credential is not computed yet.');
    this.username = username;
  }
}

/**
 * Reads a claim.
 * @throws {ProviderError} `InvalidParameterException`, `NotAuthorizedException`: attributes or a verifier that no user can have
 */
export async function readClaim(
  context: PoolRuntime,
  { pool, client }: PoolAndClient,
  sent: SentClaim,
): Promise<ReadClaim> {
  const { Password, PasswordVerifier, UserAttributes, isIdentityKnown } = sent;
  const attributes = withoutEmpty(attributesFrom(pool, UserAttributes));
  checkAttributes(pool, client, attributes);
  const plain = Password === undefined ? undefined : newPlainPassword(context, pool, Password);
  const password = PasswordVerifier ? claimedVerifierPassword(context, pool, PasswordVerifier) : plain;
  const refusal = await password?.check().then(
    () => undefined,
    (cause: unknown) => cause,
  );
  return { password, refusal, isIdentityKnown, attributes };
}

/** Does the work with a claim, and once more with the credential of its password where that turns out to be a new one. */
export async function withCredentials<Result>(
  claim: ReadClaim,
  work: (claim: PreparedClaim) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(claim);
  } catch (cause) {
    if (!(cause instanceof CredentialNeeded) || claim.password === undefined) throw cause;
    return work({ ...claim, credential: await claim.password.credential(cause.username, null) });
  }
}

/**
 * Decides what a person who confirms without the session keeps of a registration: all of it with the proof of its password, and otherwise only
 * what was proven.
 * @param user with the contact that the code proved
 * @returns the user to be written
 * @throws {MissingClaimError} the password, or a required attribute, is missing
 * @throws {ProviderError} the proof is wrong, or the new password or the attributes are refused
 */
export async function settleClaim(
  context: PoolRuntime,
  transaction: PoolTransaction,
  owner: PoolAndClient,
  user: UserRecord,
  claim: PreparedClaim,
): Promise<UserRecord> {
  const { pool } = owner;
  const current = (await transaction.users.lockByName(pool.id, user.username))?.credential;
  const { password } = claim;
  if (current !== undefined && password?.equals(current)) return user;
  if (current !== undefined && password?.isMeantAs(current)) throw incorrectPassword();
  const attributes = { ...withUnverifiedContacts(claim.attributes), ...provenContacts(user.attributes) };
  const missing = missingRequired(pool, attributes);
  if ((current !== undefined && password === undefined) || missing.length > 0) {
    throw new MissingClaimError({ ...passwordOf(current, password), Attributes: missing });
  }
  const cleared = { ...user, attributes, mfaMethods: [], preferredMfa: null };
  const credential = password && newCredential(claim, password, cleared);
  await removeOtherProofs(transaction, cleared, context.clock.now());
  if (credential) await transaction.credentials.put(credential);
  return cleared;
}

function passwordOf(
  current: CredentialRecord | undefined,
  password: NewPassword | undefined,
): Omit<MissingClaim, 'Attributes'> {
  if (current === undefined || password !== undefined) return {};
  return { Password: { UserIdForSrp: current.username, SaltHex: current.saltHex } };
}

function newCredential(claim: PreparedClaim, password: NewPassword, user: UserRecord): CredentialRecord {
  if (claim.refusal !== undefined) throw claim.refusal;
  if (!claim.isIdentityKnown && password.isVerifier) throw unknownIdentity();
  password.checkOwner(ownNames(user));
  if (claim.credential?.username !== user.username) throw new CredentialNeeded(user.username);
  return claim.credential;
}

function unknownIdentity(): ProviderError {
  return new ProviderError('InvalidParameterException', 'Name the username that the password verifier was made for.');
}

function provenContacts(attributes: Attributes): Attributes {
  const proven = contactsOf(attributes).filter(({ attribute }) => isVerifiedContact(attributes, attribute));
  return Object.fromEntries(
    proven.flatMap(({ attribute, destination }) => [
      [attribute, destination],
      [`${attribute}_verified`, 'true'],
    ]),
  );
}

function withUnverifiedContacts(attributes: Attributes): Attributes {
  const unproven = contactsOf(attributes).map(({ attribute }) => [`${attribute}_verified`, 'false']);
  return { ...attributes, ...Object.fromEntries(unproven) };
}
