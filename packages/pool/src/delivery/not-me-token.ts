import { createHash } from 'node:crypto';
import type { Attributes } from '../identity/attributes.ts';
import type { KeyRingPort, RandomPort } from '../kernel/ports.ts';
import type { UserRecord } from '../store/records.ts';

const PURPOSE = 'not-me-contacts';
const TOKEN_BYTES = 32;
const TOKEN_CHARACTERS = 43;

/** The user of a link. */
type LinkUser = Pick<UserRecord, 'poolId' | 'username'>;

/**
 * Creates the token of a "this wasn't me" link: 256 random bits, followed by the encrypted contacts that it restores.
 * @param lost the user's contacts before the change that the email reports
 */
export function createNotMeToken(
  { random, keyRing }: RandomPort & KeyRingPort,
  owner: LinkUser,
  previousContacts: Attributes,
): string {
  const token = Buffer.from(random(TOKEN_BYTES)).toString('base64url');
  if (Object.keys(previousContacts).length === 0) return token;
  const encrypted = keyRing.encrypt(PURPOSE, Buffer.from(JSON.stringify(previousContacts)), linkAssociatedData(owner));
  // Encoded again, because a key id ends with a character that ends links in some emails.
  return token + Buffer.from(encrypted).toString('base64url');
}

/** Decrypts the contacts that a token restores; none if it has none, or if their key no longer exists. */
export function decryptNotMeContacts({ keyRing }: KeyRingPort, owner: LinkUser, token: string): Attributes {
  const encrypted = Buffer.from(token.slice(TOKEN_CHARACTERS), 'base64url').toString('utf8');
  const text = encrypted === '' ? undefined : keyRing.decrypt(PURPOSE, encrypted, linkAssociatedData(owner));
  return text === undefined ? {} : (JSON.parse(Buffer.from(text).toString('utf8')) as Attributes);
}

/** The stored digest of a token. The token has 256 random bits, so a keyed digest would add nothing. */
export function digestNotMeToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function linkAssociatedData({ poolId, username }: LinkUser): string {
  return `${poolId}/${username}`;
}
