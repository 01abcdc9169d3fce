import { Buffer } from 'node:buffer';
import { constants, publicEncrypt } from 'node:crypto';
import { bytesFromInteger, padInteger } from './integer.ts';
import { COGNITO_GROUP } from './srp-group.ts';

const MODULUS = encodeJwkInteger(COGNITO_GROUP.modulus);

/**
 * `base ** exponent mod N` in Cognito's group by RSA without padding, because to encrypt is to raise to the public exponent
 * (RFC 8017 §5.1.1). OpenSSL asks nothing of a public key of up to 3072 bits but that its exponent is less than its modulus.
 * Since it need not hide the exponent, it takes less time than Diffie-Hellman.
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
