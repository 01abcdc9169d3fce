import { createHash, createPrivateKey, type KeyObject } from 'node:crypto';
import type { SigningKeyRecord } from '../store/records.ts';

type Purpose = SigningKeyRecord['purpose'];

/** An RSA private key of 2048 bits or more: PEM (PKCS #8 or PKCS #1, not encrypted), or a JWK with its private members (RFC 7518 §6.3.2). */
export type SuppliedKey = string | Readonly<JsonWebKey>;

/** The key for each kind of token. They must differ. */
export type SuppliedKeys = Readonly<Record<Purpose, SuppliedKey>>;

const MIN_BITS = 2048;

/**
 * Parses the keys that a pool is given instead of new ones.
 * @throws {RangeError} with the name of an invalid or duplicate key
 */
export function parseSuppliedKeys({ access, id }: SuppliedKeys): Readonly<Record<Purpose, KeyObject>> {
  const keys = { access: readKey('access', access), id: readKey('id', id) };
  if (keys.access.equals(keys.id)) throw new RangeError('signingKeys.id must differ from signingKeys.access');
  return keys;
}

function readKey(purpose: Purpose, supplied: SuppliedKey): KeyObject {
  const key = parseKey(supplied);
  const bits = Number(key?.asymmetricKeyDetails?.modulusLength);
  if (key?.asymmetricKeyType === 'rsa' && bits >= MIN_BITS) return key;
  throw new RangeError(
    `signingKeys.${purpose} must be an RSA private key of at least ${MIN_BITS} bits, as PEM or as JWK`,
  );
}

/** The parser's errors quote their input, so they are not passed on. */
function parseKey(supplied: SuppliedKey): KeyObject | undefined {
  try {
    return typeof supplied === 'string'
      ? createPrivateKey(supplied)
      : createPrivateKey({ key: supplied as JsonWebKey, format: 'jwk' });
  } catch {
    return undefined;
  }
}

/** Computes the thumbprint of an RSA key (RFC 7638), so that a key has the same id at every start. */
export function toJwkThumbprint({ n, e }: Pick<SigningKeyRecord, 'n' | 'e'>): string {
  return createHash('sha256')
    .update(JSON.stringify({ e, kty: 'RSA', n }))
    .digest('base64url');
}
