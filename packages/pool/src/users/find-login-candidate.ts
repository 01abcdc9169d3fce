import type { ProviderError } from '@poolgate/provider';
import { hexFromInteger, integerFromBytes } from '@poolgate/srp';
import { type Contact, createContact } from '../identity/contacts.ts';
import { decodeDecoyContact, encodeDecoyUserId, formatDecoyAddress } from '../identity/decoy-ids.ts';
import type { LoginCandidate } from '../identity/login-candidate.ts';
import { findLocalUser, userNotFoundError } from '../identity/user-records.ts';
import type {
  CallPort,
  ClockPort,
  EnginePort,
  KeyRingPort,
  MacPorts,
  RandomPort,
  StoreReads,
} from '../kernel/ports.ts';
import { hidesUsers } from '../kernel/user-existence.ts';
import { createCredentialSync, formatPasswordVersion } from '../proofs/passwords/password-credentials.ts';
import type { DecoyCredentialsPort, DecoyPorts } from '../proofs/passwords/password-ports.ts';
import { isEmailAddress, isPhoneNumber } from '../settings/attribute-schema.ts';
import { computePoolMac, type PoolAndClient } from '../settings/pools-and-clients.ts';
import { toCanonicalName } from '../settings/sign-in-names.ts';
import type { CredentialRecord, PoolRecord, UserWithCredential } from '../store/records.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const SALT_BYTES = 16;
const DECOY_PASSWORD_BYTES = 32;
// A version that no password has, for users without one.
const NO_VERSION = `${'*'.repeat(16)}.${'0'.repeat(13)}`;

/**
 * Looks up the user who logs in.
 * @param refusal the error for an unknown name
 * @throws {ProviderError} `UserNotFoundException`, only if the client does not hide whether users exist
 */
export async function findLoginCandidate(
  ports: CallPort & DecoyPorts & StoreReads<'users'>,
  { pool, client }: PoolAndClient,
  typedName: string,
  refusal = (): ProviderError => userNotFoundError('invalid_credentials'),
): Promise<LoginCandidate> {
  const found = await findLocalUser(ports, pool, typedName);
  if (!found && !hidesUsers(ports, client)) throw refusal();
  return createLoginCandidate(ports, pool, typedName, found);
}

/**
 * Creates the candidate for a name whose user was already looked up. The decoy is always created, so that timing reveals nothing. All of
 * its invented data depends on its username, so that it is the same for each of its names.
 */
export function createLoginCandidate(
  ports: DecoyPorts,
  pool: PoolRecord,
  typedName: string,
  found: UserWithCredential | undefined,
): LoginCandidate {
  const decoyId = deriveDecoyUserId(ports, pool, toCanonicalName(pool.settings, typedName));
  const userId = found?.user.username ?? decoyId;
  const saltHex = deriveDecoySalt(ports, pool, userId);
  const credential = found?.credential ?? { ...getDecoyCredential(ports, pool), saltHex };
  const version = formatPasswordVersion(found?.credential);
  return { typedName, userId, saltHex: credential.saltHex, passwordVersion: version, credential, found };
}

/**
 * Recreates the candidate of an earlier step, without resolving names again. The decoy is always created, so that timing reveals nothing.
 * @param found the current user, undefined if none; a user whose password changed counts as one without a password
 */
export function resumeLoginCandidate(
  ports: DecoyPorts,
  pool: PoolRecord,
  { typedName, userId, passwordVersion: version }: Pick<LoginCandidate, 'typedName' | 'userId' | 'passwordVersion'>,
  found: UserWithCredential | undefined,
): LoginCandidate {
  const decoy = deriveDecoySalt(ports, pool, userId);
  const saltHex = found?.credential?.saltHex ?? decoy;
  const isSame = found !== undefined && hasPasswordVersion(found, version);
  const known = isSame ? found : found && { user: found.user, credential: undefined };
  const credential = known?.credential ?? { ...getDecoyCredential(ports, pool), saltHex };
  return { typedName, userId, saltHex, passwordVersion: isSame ? version : NO_VERSION, credential, found: known };
}

/** Whether a user's password is still the login's. */
export function hasPasswordVersion({ credential }: UserWithCredential, version: string): boolean {
  return formatPasswordVersion(credential) === version;
}

/**
 * Derives the username of the decoy for an unknown name. Deriving it from its own result gives the same username again. If a real user
 * would have the typed name as username, so does the decoy; otherwise it is a UUID.
 */
function deriveDecoyUserId(ports: MacPorts, pool: PoolRecord, name: string): string {
  const id = encodeDecoyUserId(ports, pool, name);
  return UUID.test(name) || isUserNameItself(ports, pool, name) ? name : id;
}

/** If users sign in with a contact, usernames are UUIDs. Otherwise the typed name is the username, except for aliases. */
function isUserNameItself(ports: MacPorts, pool: PoolRecord, name: string): boolean {
  const { usernameAttributes, aliasAttributes } = pool.settings;
  if (usernameAttributes.length > 0) return false;
  if (aliasAttributes.includes('email') && isEmailAddress(name)) return false;
  if (aliasAttributes.includes('phone_number') && isPhoneNumber(name)) return false;
  // A preferred username looks like a username, so half of the unknown names count as one and half as the other.
  return !aliasAttributes.includes('preferred_username') || computeFirstByte(ports, pool, 'mask-preferred', name) < 128;
}

/** A salt that looks like 16 random bytes, as a real one does. */
function deriveDecoySalt(ports: MacPorts, pool: PoolRecord, userId: string): string {
  return hexFromInteger(integerFromBytes(computePoolMac(ports, pool, 'mask-salt', userId).subarray(0, SALT_BYTES)));
}

/** Returns what is known about the contact that first named a decoy, given only its username. */
function findContactBehindUserId(
  ports: MacPorts,
  pool: PoolRecord,
  userId: string,
): Partial<Record<Contact['attribute'], string>> {
  const behind = decodeDecoyContact(ports, pool, UUID.test(userId) ? userId : NO_UUID);
  if (behind?.attribute === 'phone_number') return { phone_number: behind.number };
  if (behind?.attribute === 'email') {
    const [local = '', domain = ''] = behind.letters;
    return { email: formatDecoyAddress(local, domain, behind.mark) };
  }
  if (isEmailAddress(userId)) return { email: userId };
  return isPhoneNumber(userId) ? { phone_number: userId } : {};
}

/**
 * Derives the destination of a code for a user without such a contact. Nothing is ever sent there. It shows as much as the typed contact
 * would, even if the decoy is later addressed by its username.
 */
export function deriveDecoyDestination(
  ports: MacPorts,
  pool: PoolRecord,
  userId: string,
  attribute: Contact['attribute'],
): string {
  const mac = computePoolMac(ports, pool, 'mask-contact', `${attribute}\n${userId}`);
  return findContactBehindUserId(ports, pool, userId)[attribute] ?? DECOY_CONTACTS[attribute](mac);
}

/**
 * Derives the contact of a user who has none: of the given attributes, the one with which the decoy was first named, else the first one.
 * @param attributes in order of preference
 */
export function deriveDecoyContact(
  ports: MacPorts,
  pool: PoolRecord,
  userId: string,
  attributes: readonly [Contact['attribute'], ...Contact['attribute'][]],
): Contact {
  const behind = findContactBehindUserId(ports, pool, userId);
  const attribute = attributes.find((name) => behind[name] !== undefined) ?? attributes[0];
  return createContact(attribute, deriveDecoyDestination(ports, pool, userId, attribute));
}

const NO_UUID = '00000000-0000-0000-0000-000000000000';

/** What the masked form of a contact needs: the first letter of each part, or a number's last digits. */
const DECOY_CONTACTS = {
  email: (mac: Uint8Array) =>
    formatDecoyAddress(toLetter(mac, 0), toLetter(mac, 1), Buffer.from(mac.subarray(2, 9)).toString('hex')),
  phone_number: (mac: Uint8Array) => `+1${Array.from(mac.subarray(0, 10), (byte) => byte % 10).join('')}`,
} as const;

function toLetter(mac: Uint8Array, at: number): string {
  return String.fromCharCode(97 + ((mac[at] ?? 0) % 26));
}

function computeFirstByte(ports: MacPorts, pool: PoolRecord, purpose: string, text: string): number {
  const [byte = 0] = computePoolMac(ports, pool, purpose, text);
  return byte;
}

/** A password that no one knows, to compare with if a user has none. It is generated once for each instance and pool, and never stored. */
export function getDecoyCredential(
  ports: ClockPort & RandomPort & KeyRingPort & EnginePort & DecoyCredentialsPort,
  pool: PoolRecord,
): CredentialRecord {
  const { decoyCredentials } = ports;
  const known = decoyCredentials.get(pool.id);
  if (known) return known;
  const password = Buffer.from(ports.random(DECOY_PASSWORD_BYTES)).toString('base64url');
  const made = createCredentialSync(ports, pool, 'nobody', password);
  decoyCredentials.set(pool.id, made);
  return made;
}
