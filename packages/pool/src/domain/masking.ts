import { ProviderError } from '@poolgate/provider';
import { hexFromInteger, integerFromBytes } from '@poolgate/srp';
import type { PoolRuntime } from '../runtime.ts';
import type { PoolSettings } from '../settings.ts';
import type { CredentialRecord, PoolRecord, UserWithCredential } from '../store/records.ts';
import { isEmailAddress, isPhoneNumber } from './attribute-schema.ts';
import { uuid } from './identifiers.ts';
import { type GuessCounter, knownSubject, unknownSubject } from './lockout.ts';
import { canonicalName } from './names.ts';
import { makeCredential } from './passwords.ts';
import { type PoolAndClient, poolMac } from './pools.ts';
import { findUser } from './users.ts';

/**
 * Whoever a typed name may mean. An unknown name gets a stand-in that looks and costs like a user, so that
 * the same steps run for both; only `found` tells them apart, and it never reaches an answer.
 */
export interface Candidate {
  readonly typedName: string;
  /** The user name, or an invented one that is the same each time this name is tried. */
  readonly userId: string;
  /** The salt of the password, or an invented one that is the same each time; hex as integer. */
  readonly saltHex: string;
  /** The password to compare with. Where the user has none it is one that nobody knows: a match proves nothing. */
  readonly credential: CredentialRecord;
  readonly found: UserWithCredential | undefined;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const ALIAS = /@|^\+\d/;
const UUID_BYTES = 16;
const DECOY_PASSWORD_BYTES = 32;

/**
 * Looks up who is logging in.
 * @throws {ProviderError} `UserNotFoundException`, only where the client does not hide whether users exist
 */
export async function findCandidate(
  context: PoolRuntime,
  { pool, client }: PoolAndClient,
  typedName: string,
): Promise<Candidate> {
  const found = await findUser(context, pool, typedName);
  if (!found && !client.settings.preventUserExistenceErrors) {
    throw new ProviderError('UserNotFoundException', 'User does not exist.', { reason: 'invalid_credentials' });
  }
  return candidateOf(context, pool, typedName, found);
}

/** The candidate for a name whose user was looked up already. The stand-in is made in any case, so that time tells nothing. */
export function candidateOf(
  context: PoolRuntime,
  pool: PoolRecord,
  typedName: string,
  found: UserWithCredential | undefined,
): Candidate {
  const mask = maskOf(context, pool, found?.user.username ?? canonicalName(pool.settings, typedName));
  const userId = found?.user.username ?? mask.userId;
  const credential = found?.credential ?? { ...decoyCredential(context, pool), saltHex: mask.saltHex };
  return { typedName, userId, saltHex: credential.saltHex, credential, found };
}

/**
 * The candidate of a step that went before, without looking at names again.
 * @param known its user now, undefined where there is none; `credential` undefined where the password is not the one of then
 */
export function candidateAgain(
  context: PoolRuntime,
  pool: PoolRecord,
  before: Pick<Candidate, 'typedName' | 'userId' | 'saltHex'>,
  known: UserWithCredential | undefined,
): Candidate {
  const { typedName, userId, saltHex } = before;
  const credential = known?.credential ?? { ...decoyCredential(context, pool), saltHex };
  return { typedName, userId, saltHex, credential, found: known };
}

/** The salt that a user's candidate has: the password's, or the invented one. */
export function saltHexOf(context: PoolRuntime, pool: PoolRecord, { user, credential }: UserWithCredential): string {
  return credential?.saltHex ?? maskOf(context, pool, user.username).saltHex;
}

/** Under which key the candidate's guesses are counted. */
export function guessSubject(
  context: PoolRuntime,
  pool: PoolRecord,
  counter: GuessCounter,
  candidate: Candidate,
): string {
  const { found, typedName } = candidate;
  if (found !== undefined) return knownSubject(counter, found.user.username);
  const mac = poolMac(context, pool, 'guess-subject', canonicalName(pool.settings, typedName));
  return unknownSubject(counter, Buffer.from(mac).toString('base64url'));
}

/**
 * What is invented for a name: a UUID as user name, except where a known user of this pool would have the typed name itself,
 * and a salt, which looks like 16 random bytes as a real one does.
 */
function maskOf(context: PoolRuntime, pool: PoolRecord, name: string): Pick<Candidate, 'userId' | 'saltHex'> {
  const mac = poolMac(context, pool, 'mask', name);
  const userId = isUserNameItself(pool.settings, name) ? name : uuidFrom(mac.subarray(0, UUID_BYTES));
  return { userId, saltHex: hexFromInteger(integerFromBytes(mac.subarray(UUID_BYTES))) };
}

/** Where users sign in with a contact, user names are UUIDs; elsewhere a user's name is what is typed, aliases apart. */
function isUserNameItself(settings: PoolSettings, name: string): boolean {
  if (settings.usernameAttributes.length > 0) return UUID.test(name);
  return settings.aliasAttributes.length === 0 || !ALIAS.test(name);
}

/** What the masked form of a contact needs: a first letter for each part, or a number's last digits. Nothing is ever sent there. */
const DECOY_CONTACTS = {
  email: (typed: string, mac: Uint8Array) =>
    isEmailAddress(typed) ? typed : `${letter(mac, 0)}@${letter(mac, 1)}.invalid`,
  phone_number: (typed: string, mac: Uint8Array) =>
    isPhoneNumber(typed) ? typed : `+1${Array.from(mac.subarray(0, 10), (byte) => byte % 10).join('')}`,
} as const;

/** Where a code for somebody who has no such contact would go: what was typed where it can be that, else the same invention each time. */
export function decoyDestination(
  context: PoolRuntime,
  pool: PoolRecord,
  typedName: string,
  attribute: keyof typeof DECOY_CONTACTS,
): string {
  const mac = poolMac(context, pool, 'mask-contact', `${attribute}\n${canonicalName(pool.settings, typedName)}`);
  return DECOY_CONTACTS[attribute](typedName, mac);
}

function letter(mac: Uint8Array, at: number): string {
  return String.fromCharCode(97 + ((mac[at] ?? 0) % 26));
}

/** Whether a name that nobody has would have something; the same each time for a name, and so for three of four names. */
export function decoyHas(context: PoolRuntime, pool: PoolRecord, typedName: string, what: string): boolean {
  const [byte = 0] = poolMac(context, pool, 'mask-has', `${what}\n${canonicalName(pool.settings, typedName)}`);
  return byte < 192;
}

const decoys = new WeakMap<PoolRuntime['recent'], Map<string, CredentialRecord>>();

/** The password that nobody knows: drawn once for each instance and pool, and never kept. */
function decoyCredential(context: PoolRuntime, pool: PoolRecord): CredentialRecord {
  const ofPools = decoys.get(context.recent) ?? new Map<string, CredentialRecord>();
  decoys.set(context.recent, ofPools);
  const known = ofPools.get(pool.id);
  if (known) return known;
  const password = Buffer.from(context.random(DECOY_PASSWORD_BYTES)).toString('base64url');
  const made = makeCredential(context, pool, 'nobody', password, null);
  ofPools.set(pool.id, made);
  return made;
}

/** Sixteen bytes written like a random UUID (RFC 9562 §5.4). */
function uuidFrom(bytes: Uint8Array): string {
  return uuid(() => Uint8Array.from(bytes));
}
