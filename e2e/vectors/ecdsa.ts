import { createECDH, createHash, createHmac } from 'node:crypto';
import { integer, sequence } from './der.ts';

/** A curve, with its hash in COSE (RFC 9053 §2.1). */
export interface Curve {
  readonly openSslName: string;
  readonly hash: string;
  readonly orderBits: number;
  readonly order: bigint;
  readonly cose: { readonly algorithm: number; readonly curve: number };
}

/** Orders of the groups: SEC 2 §2.4.2, §2.5.1, §2.6.1. */
export const CURVES = {
  ES256: {
    openSslName: 'prime256v1',
    hash: 'sha256',
    orderBits: 256,
    order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
    cose: { algorithm: -7, curve: 1 },
  },
  ES384: {
    openSslName: 'secp384r1',
    hash: 'sha384',
    orderBits: 384,
    order: 0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
    cose: { algorithm: -35, curve: 2 },
  },
  ES512: {
    openSslName: 'secp521r1',
    hash: 'sha512',
    orderBits: 521,
    order:
      0x01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
    cose: { algorithm: -36, curve: 3 },
  },
} as const satisfies Record<string, Curve>;

/** The public point of a private key, uncompressed (SEC 1 §2.3.3). */
export function publicPoint({ openSslName }: Curve, privateKey: Uint8Array): Buffer {
  const pair = createECDH(openSslName);
  pair.setPrivateKey(privateKey);
  return pair.getPublicKey();
}

/** ECDSA with the nonce of RFC 6979, which makes it repeatable, in DER. */
export function signDeterministically(curve: Curve, privateKey: Uint8Array, message: Uint8Array): Buffer {
  const { hash, order } = curve;
  const digest = createHash(hash).update(message).digest();
  const key = toBigInt(privateKey);
  for (const nonce of nonces(curve, key, digest)) {
    const point = publicPoint(curve, toOctets(curve, nonce));
    const r = toBigInt(point.subarray(1, (point.length + 1) / 2)) % order;
    const s = (inverse(nonce, order) * (leftmostBits(curve, digest) + r * key)) % order;
    if (r !== 0n && s !== 0n) return sequence(integer(r), integer(s));
  }
  throw new RangeError('no nonce was good');
}

/** RFC 6979 §3.2. */
function* nonces(curve: Curve, key: bigint, digest: Uint8Array): Generator<bigint> {
  const size = digest.length;
  const start = [toOctets(curve, key), toOctets(curve, leftmostBits(curve, digest) % curve.order)];
  let k = Buffer.alloc(size, 0x00);
  let v = Buffer.alloc(size, 0x01);
  const mac = (...parts: readonly Uint8Array[]): Buffer<ArrayBuffer> =>
    Buffer.from(createHmac(curve.hash, k).update(Buffer.concat(parts)).digest());
  for (const separator of [0x00, 0x01]) {
    k = mac(v, Buffer.from([separator]), ...start);
    v = mac(v);
  }
  while (true) {
    const parts: Buffer[] = [];
    while (parts.length * size * 8 < curve.orderBits) {
      v = mac(v);
      parts.push(v);
    }
    const candidate = leftmostBits(curve, Buffer.concat(parts));
    if (candidate > 0n && candidate < curve.order) yield candidate;
    k = mac(v, Buffer.from([0x00]));
    v = mac(v);
  }
}

function toBigInt(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`);
}

function leftmostBits({ orderBits }: Curve, bytes: Uint8Array): bigint {
  const surplus = bytes.length * 8 - orderBits;
  return surplus > 0 ? toBigInt(bytes) >> BigInt(surplus) : toBigInt(bytes);
}

function toOctets({ orderBits }: Curve, value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(Math.ceil(orderBits / 8) * 2, '0'), 'hex');
}

/** The extended Euclidean algorithm. */
export function inverse(value: bigint, modulus: bigint): bigint {
  let [r0, r1, t0, t1] = [modulus, value % modulus, 0n, 1n];
  while (r1 !== 0n) {
    const quotient = r0 / r1;
    [r0, r1] = [r1, r0 - quotient * r1];
    [t0, t1] = [t1, t0 - quotient * t1];
  }
  return ((t0 % modulus) + modulus) % modulus;
}
