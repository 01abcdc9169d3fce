import { createPublicKey, type KeyObject, verify } from 'node:crypto';

/** The algorithms of passkeys by COSE number, in order of preference: ES256 and RS256. */
export const PASSKEY_ALGORITHMS = [-7, -257] as const;

/** A COSE key (RFC 9052 §7) as decoded from CBOR. */
export type CoseKey = ReadonlyMap<unknown, unknown>;

/** RFC 9052 §7.1 and RFC 9053 §7.1: labels and their required values. */
const KEY_TYPE_LABEL = 1;
const ALG = 3;
const P256_BYTES = 32;

/** NIST SP 800-131A: at least 2048 bits. More than 4096 only cost time. */
const MIN_MODULUS_BITS = 2048;
const MAX_MODULUS_BITS = 4096;

interface KeyRule {
  /** Every label of the key, with its value if there is only one. */
  readonly members: ReadonlyMap<number, number | undefined>;
  /** Checks the labels without a fixed value. */
  readonly hasValidParameters: (key: CoseKey) => boolean;
}

const KEY_RULES: Readonly<Record<number, KeyRule>> = {
  [-7]: {
    members: new Map<number, number | undefined>([
      [KEY_TYPE_LABEL, 2],
      [ALG, -7],
      [-1, 1],
      [-2, undefined],
      [-3, undefined],
    ]),
    hasValidParameters: (key) => isPointOfP256(key.get(-2), key.get(-3)),
  },
  [-257]: {
    members: new Map<number, number | undefined>([
      [KEY_TYPE_LABEL, 3],
      [ALG, -257],
      [-1, undefined],
      [-2, undefined],
    ]),
    hasValidParameters: (key) => isValidModulus(key.get(-1)) && isValidExponent(key.get(-2)),
  },
};

/**
 * Whether a passkey may have this key: a known algorithm with exactly its members, and an existing point or a modulus that cannot be
 * factored. Anything else in a key did not come from an authenticator.
 * @see RFC 9053 §7.1.1, RFC 8812 §2, RFC 8230 §4
 */
export function isValidPasskeyKey(key: CoseKey): boolean {
  const algorithm = key.get(ALG);
  const rule = typeof algorithm === 'number' ? KEY_RULES[algorithm] : undefined;
  if (rule === undefined || key.size !== rule.members.size) return false;
  const fits = [...rule.members].every(([label, value]) => value === undefined || key.get(label) === value);
  return fits && rule.hasValidParameters(key);
}

/** Returns the algorithm that a key claims. */
export function readKeyAlgorithm(key: CoseKey): unknown {
  return key.get(ALG);
}

/**
 * Whether a key signed these bytes, by the key's algorithm with SHA-256.
 * @param key a valid one, as registered
 * @returns false also for an algorithm that passkeys here do not have
 */
export function isSignedBy(key: CoseKey, bytes: Uint8Array, signature: Uint8Array): boolean {
  const algorithm = readKeyAlgorithm(key);
  const imported = typeof algorithm === 'number' ? IMPORTED_KEYS[algorithm]?.(key) : undefined;
  // For P-256, an `ECDSA-Sig-Value` in DER; for RSA, PKCS #1 v1.5.
  return imported !== undefined && verify('sha256', bytes, imported, signature);
}

const IMPORTED_KEYS: Readonly<Record<number, (key: CoseKey) => KeyObject>> = {
  [-7]: (key) => importPointOfP256(key.get(-2), key.get(-3)),
  [-257]: (key) =>
    createPublicKey({ format: 'jwk', key: { kty: 'RSA', n: encodeBytes(key.get(-1)), e: encodeBytes(key.get(-2)) } }),
};

/** @throws {Error} it is not a point of the curve */
function importPointOfP256(x: unknown, y: unknown): KeyObject {
  return createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: encodeBytes(x), y: encodeBytes(y) } });
}

function encodeBytes(value: unknown): string {
  return isBytes(value) ? Buffer.from(value).toString('base64url') : '';
}

function isPointOfP256(x: unknown, y: unknown): boolean {
  if (!isBytes(x) || !isBytes(y) || x.length !== P256_BYTES || y.length !== P256_BYTES) return false;
  try {
    importPointOfP256(x, y);
    return true;
  } catch {
    return false;
  }
}

function isValidModulus(n: unknown): boolean {
  if (!isBytes(n) || !isOddAndShort(n)) return false;
  const bits = n.length * 8 - (Math.clz32(Number(n[0])) - 24);
  return bits >= MIN_MODULUS_BITS && bits <= MAX_MODULUS_BITS;
}

/** FIPS 186-5 §5.1: odd and greater than 2^16. More than four bytes only cost time. */
function isValidExponent(e: unknown): boolean {
  return isBytes(e) && isOddAndShort(e) && (e.length === 3 || e.length === 4);
}

/** Written without leading zeros, as RFC 8230 §4 requires. */
function isOddAndShort(bytes: Uint8Array): boolean {
  return bytes[0] !== 0 && (Number(bytes.at(-1)) & 1) === 1;
}

function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array;
}
