import { createHash } from 'node:crypto';
import type { Attributes } from '../domain/attributes.ts';
import type { PoolRuntime } from '../runtime.ts';
import type { UserRecord } from '../store/records.ts';

const PURPOSE = 'not-me-contacts';
const TOKEN_BYTES = 32;
const TOKEN_CHARACTERS = 43;

/** Whose a link is. */
type Owner = Pick<UserRecord, 'poolId' | 'username'>;

/**
 * A new token of a "this was not me" link: 256 random bits and, sealed behind them, the contacts that it gives back.
 * @param lost the contacts that the user had before the change that the mail tells of
 */
export function newNotMeToken({ random, keyRing }: PoolRuntime, owner: Owner, lost: Attributes): string {
  const token = Buffer.from(random(TOKEN_BYTES)).toString('base64url');
  if (Object.keys(lost).length === 0) return token;
  const sealed = keyRing.seal(PURPOSE, Buffer.from(JSON.stringify(lost)), placeOf(owner));
  // A second time, since a key id ends with a sign that ends links in some mails.
  return token + Buffer.from(sealed).toString('base64url');
}

/** The contacts that a token gives back: none where it holds none, or a key sealed them that is gone. */
export function contactsInToken({ keyRing }: PoolRuntime, owner: Owner, token: string): Attributes {
  const sealed = Buffer.from(token.slice(TOKEN_CHARACTERS), 'base64url').toString('utf8');
  const text = sealed === '' ? undefined : keyRing.open(PURPOSE, sealed, placeOf(owner));
  return text === undefined ? {} : (JSON.parse(Buffer.from(text).toString('utf8')) as Attributes);
}

/** What is kept of a token: it has 256 random bits, so nothing is gained by a key. */
export function notMeDigestHex(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function placeOf({ poolId, username }: Owner): string {
  return `${poolId}/${username}`;
}
