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
// What no password has, nor whoever has none.
const NO_VERSION = `${'*'.repeat(16)}.${'0'.repeat(13)}`;

/**
 * Looks up who is logging in.
 * @param refusal what an unknown name is refused with
 * @throws {ProviderError} `UserNotFoundException`, only where the client does not hide whether users exist
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
 * The candidate for a name whose user was looked up already. The stand-in is made in any case, so that time tells nothing;
 * and all that is invented of it hangs on its user name, so that it is the same by whichever of its names it is called.
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
 * The candidate of a step that went before, without looking at names again. The decoy is made in any case, so that time tells nothing.
 * @param found its user now, undefined where there is none; with another password than then it is one without a password
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

/** Whether a user's password is still the one that a login is about. */
export function hasPasswordVersion({ credential }: UserWithCredential, version: string): boolean {
  return formatPasswordVersion(credential) === version;
}

/**
 * The user name of whoever is called by a name that nobody has. It calls itself: asked by it, one gets the same again.
 * Where a known user of this pool would have the typed name for a user name it is that, elsewhere a UUID.
 */
function deriveDecoyUserId(ports: MacPorts, pool: PoolRecord, name: string): string {
  const id = encodeDecoyUserId(ports, pool, name);
  return UUID.test(name) || isUserNameItself(ports, pool, name) ? name : id;
}

/** Where users sign in with a contact, user names are UUIDs; elsewhere a user's name is what is typed, aliases apart. */
function isUserNameItself(ports: MacPorts, pool: PoolRecord, name: string): boolean {
  const { usernameAttributes, aliasAttributes } = pool.settings;
  if (usernameAttributes.length > 0) return false;
  if (aliasAttributes.includes('email') && isEmailAddress(name)) return false;
  if (aliasAttributes.includes('phone_number') && isPhoneNumber(name)) return false;
  // A preferred user name cannot be told from a user name: of those that nobody has, half are one and half the other.
  return !aliasAttributes.includes('preferred_username') || computeFirstByte(ports, pool, 'mask-preferred', name) < 128;
}

/** A salt that looks like 16 random bytes, as a real one does. */
function deriveDecoySalt(ports: MacPorts, pool: PoolRecord, userId: string): string {
  return hexFromInteger(integerFromBytes(computePoolMac(ports, pool, 'mask-salt', userId).subarray(0, SALT_BYTES)));
}

/** What is known of the contact by which somebody was called first, of whom only the user name is known. */
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
 * Where a code would go for somebody who has no such contact. Nothing is ever sent there.
 * What shows of it is what would show of the contact that was typed, also when the decoy user is called by its user name.
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
 * The contact by which somebody who has none would be reached: of these the one that it was called by first, else the first one.
 * @param attributes in the order in which they are preferred
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

/** What the masked form of a contact needs: a first letter for each part, or a number's last digits. */
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

/** A password that nobody knows, to compare with where there is none: drawn once for each instance and pool, and never kept. */
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
