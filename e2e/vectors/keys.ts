import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import type { CborValue } from '../../packages/pool/src/testing/encode-cbor.ts';
import { CURVES, type Curve, inverse, publicPoint, signDeterministically } from './ecdsa.ts';

/** A credential's key pair. */
export interface CredentialKey {
  readonly cose: ReadonlyMap<number, CborValue>;
  /** Uncompressed. Only keys on an ECDSA curve have one. */
  readonly point?: Buffer;
  sign(message: Uint8Array): Buffer;
}

/** Creates a key from the bytes that a vector derives for it. */
export interface KeyKind {
  /** The number of bytes. 0 if the key is always the same. */
  readonly seedBytes: number;
  readonly make: (seed: Uint8Array) => CredentialKey;
}

/** The kinds of keys in the specification's vectors, by COSE algorithm (IANA). */
export const KEY_KINDS = {
  ES256: { seedBytes: 32, make: (seed) => ecdsaKey(CURVES.ES256, seed) },
  ES384: { seedBytes: 48, make: (seed) => ecdsaKey(CURVES.ES384, seed) },
  ES512: { seedBytes: 65, make: (seed) => ecdsaKey(CURVES.ES512, seed) },
  RS256: { seedBytes: 0, make: mersenneKey },
  EdDSA: {
    seedBytes: 32,
    make: (seed) => edwardsKey({ algorithm: -8, curve: 6, pkcs8Hex: '302e020100300506032b657004220420' }, seed),
  },
  Ed448: {
    seedBytes: 57,
    make: (seed) => edwardsKey({ algorithm: -53, curve: 7, pkcs8Hex: '3047020100300506032b6571043b0439' }, seed),
  },
} as const satisfies Record<string, KeyKind>;

/** A key for ECDSA. */
export function ecdsaKey(curve: Curve, seed: Uint8Array): CredentialKey & { readonly point: Buffer } {
  const point = publicPoint(curve, seed);
  const middle = (point.length + 1) / 2;
  return {
    cose: new Map<number, CborValue>([
      [1, 2],
      [3, curve.cose.algorithm],
      [-1, curve.cose.curve],
      [-2, point.subarray(1, middle)],
      [-3, point.subarray(middle)],
    ]),
    point,
    sign: (message) => signDeterministically(curve, seed, message),
  };
}

/** The header of a PKCS #8 key (RFC 8410 §7) is everything but the key itself. */
interface Edwards {
  readonly algorithm: number;
  readonly curve: number;
  readonly pkcs8Hex: string;
}

function edwardsKey({ algorithm, curve, pkcs8Hex }: Edwards, seed: Uint8Array): CredentialKey {
  const privateKey = createPrivateKey({
    key: Buffer.concat([Buffer.from(pkcs8Hex, 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return {
    cose: new Map<number, CborValue>([
      [1, 1],
      [3, algorithm],
      [-1, curve],
      [-2, Buffer.from(x, 'base64url')],
    ]),
    sign: (message) => sign(null, message, privateKey),
  };
}

/** The RSA key of the vectors uses the two smallest Mersenne primes from 2^1024 on. */
function mersenneKey(): CredentialKey {
  const p = (1n << 2203n) - 1n;
  const q = (1n << 1279n) - 1n;
  const e = 65_537n;
  const d = inverse(e, (p - 1n) * (q - 1n));
  const modulus = unsigned(p * q);
  const text = (value: bigint): string => unsigned(value).toString('base64url');
  const rest = { dp: text(d % (p - 1n)), dq: text(d % (q - 1n)), qi: text(inverse(q, p)) };
  const key = { kty: 'RSA', n: text(p * q), e: text(e), d: text(d), p: text(p), q: text(q), ...rest };
  const privateKey = createPrivateKey({ key, format: 'jwk' });
  return {
    cose: new Map<number, CborValue>([
      [1, 3],
      [3, -257],
      [-1, modulus],
      [-2, unsigned(e)],
    ]),
    sign: (message) => sign('sha256', message, privateKey),
  };
}

function unsigned(value: bigint): Buffer {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}
