import { createHash } from 'node:crypto';
import type { Attributes } from '../identity/attributes.ts';
import type { KeyRingPort, RandomPort } from '../kernel/ports.ts';
import type { UserRecord } from '../store/records.ts';

const PURPOSE = 'not-me-contacts';
const TOKEN_BYTES = 32;
const TOKEN_CHARACTERS = 43;

/** Whose a link is. */
type LinkUser = Pick<UserRecord, 'poolId' | 'username'>;

/**
 * A new token of a "this was not me" link: 256 random bits and, encrypted behind them, the contacts that it gives back.
 * @param lost the contacts that the user had before the change that the mail reports
 */
export function createNotMeToken(
  { random, keyRing }: RandomPort & KeyRingPort,
  owner: LinkUser,
  previousContacts: Attributes,
): string {
  const token = Buffer.from(random(TOKEN_BYTES)).toString('base64url');
  if (Object.keys(previousContacts).length === 0) return token;
  const encrypted = keyRing.encrypt(PURPOSE, Buffer.from(JSON.stringify(previousContacts)), linkAssociatedData(owner));
  // A second time, since a key id ends with a sign that ends links in some mails.
  return token + Buffer.from(encrypted).toString('base64url');
}

/** The contacts that a token gives back: none where it holds none, or they were encrypted with a key that is gone. */
export function decryptNotMeContacts({ keyRing }: KeyRingPort, owner: LinkUser, token: string): Attributes {
  const encrypted = Buffer.from(token.slice(TOKEN_CHARACTERS), 'base64url').toString('utf8');
  const text = encrypted === '' ? undefined : keyRing.decrypt(PURPOSE, encrypted, linkAssociatedData(owner));
  return text === undefined ? {} : (JSON.parse(Buffer.from(text).toString('utf8')) as Attributes);
}

/** What is stored of a token: it has 256 random bits, so nothing is gained by a key. */
export function digestNotMeToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function linkAssociatedData({ poolId, username }: LinkUser): string {
  return `${poolId}/${username}`;
}
