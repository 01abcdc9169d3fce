import { ProviderError } from '@poolgate/provider';
import { hexFromInteger, integerFromBytes } from '@poolgate/srp';
import type { PoolRuntime } from '../runtime.ts';
import type { PoolSettings } from '../settings.ts';
import type { CredentialRecord, PoolRecord, UserWithCredential } from '../store/records.ts';
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
const SALT_BYTES = 16;
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
  const maskedId = maskedUserId(context, pool, typedName);
  const userId = found?.user.username ?? maskedId;
  const decoy = { ...decoyCredential(context, pool), saltHex: maskedSaltHex(context, pool, userId) };
  const credential = found?.credential ?? decoy;
  return { typedName, userId, saltHex: credential.saltHex, credential, found };
}

/** Under which key the candidate's guesses are counted. */
export function guessSubject(
  context: PoolRuntime,
  pool: PoolRecord,
  counter: GuessCounter,
  candidate: Candidate,
): string {
  const name = canonicalName(pool.settings, candidate.typedName);
  const digestB64 = Buffer.from(poolMac(context, pool, 'guess-subject', name)).toString('base64url');
  const username = candidate.found?.user.username;
  return username === undefined ? unknownSubject(counter, digestB64) : knownSubject(counter, username);
}

/** The invented user name: a UUID, except where a known user of this pool would have the typed name as user name. */
function maskedUserId(context: PoolRuntime, pool: PoolRecord, typedName: string): string {
  const name = canonicalName(pool.settings, typedName);
  const invented = uuidFrom(poolMac(context, pool, 'masked-user-id', name));
  return isUserNameItself(pool.settings, name) ? name : invented;
}

/** Where users sign in with a contact, user names are UUIDs; elsewhere a user's name is what is typed, aliases apart. */
function isUserNameItself(settings: PoolSettings, name: string): boolean {
  if (settings.usernameAttributes.length > 0) return UUID.test(name);
  return settings.aliasAttributes.length === 0 || !ALIAS.test(name);
}

/** The invented salt: like a real one 16 bytes that look random, as integer in hexadecimal. */
function maskedSaltHex(context: PoolRuntime, pool: PoolRecord, userId: string): string {
  return hexFromInteger(integerFromBytes(poolMac(context, pool, 'masked-salt', userId).subarray(0, SALT_BYTES)));
}

const decoys = new WeakMap<PoolRuntime, Map<string, CredentialRecord>>();

/** The password that nobody knows: drawn once for each instance and pool, and never kept. */
function decoyCredential(context: PoolRuntime, pool: PoolRecord): CredentialRecord {
  const ofPools = decoys.get(context) ?? new Map<string, CredentialRecord>();
  decoys.set(context, ofPools);
  const known = ofPools.get(pool.id);
  if (known) return known;
  const password = Buffer.from(context.random(DECOY_PASSWORD_BYTES)).toString('base64url');
  const made = makeCredential(context, pool, 'nobody', password, null);
  ofPools.set(pool.id, made);
  return made;
}

/** Sixteen bytes written like a random UUID (RFC 9562 §5.4). */
function uuidFrom(mac: Uint8Array): string {
  const bytes = Buffer.from(mac.subarray(0, 16));
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
