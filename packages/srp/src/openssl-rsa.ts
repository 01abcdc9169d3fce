import { Buffer } from 'node:buffer';
import { constants, publicEncrypt } from 'node:crypto';
import { bytesFromInteger, padInteger } from './integer.ts';
import { COGNITO_GROUP } from './srp-group.ts';

const MODULUS = encodeJwkInteger(COGNITO_GROUP.modulus);

/**
 * Computes `base ** exponent mod N` in Cognito's group by RSA without padding, because RSA encryption raises to the public exponent (RFC
 * 8017 §5.1.1). For public keys of up to 3072 bits, OpenSSL only requires an exponent below the modulus. It need not hide the exponent, so
 * this is faster than Diffie-Hellman.
 * @param base from 0 to N - 1
 * @param exponent from 1 to N - 1
 */
export function computeRsaPower(base: bigint, exponent: bigint): Uint8Array {
  const key = { kty: 'RSA', n: MODULUS, e: encodeJwkInteger(exponent) };
  const message = bytesFromInteger(base, COGNITO_GROUP.lengthBytes);
  return publicEncrypt({ key, format: 'jwk', padding: constants.RSA_NO_PADDING }, message);
}

function encodeJwkInteger(value: bigint): string {
  return Buffer.from(padInteger(value)).toString('base64url');
}
