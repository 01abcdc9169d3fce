import { createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { PublicKey, SigningAlgorithm } from '@poolgate/provider';
import type { SigningKeyRecord } from '../store/records.ts';

const generate = promisify(generateKeyPair);

const GENERATORS: Readonly<Record<SigningAlgorithm, () => Promise<{ readonly privateKey: KeyObject }>>> = {
  RS256: () => generate('rsa', { modulusLength: 2048 }),
  ES256: () => generate('ec', { namedCurve: 'P-256' }),
};

/** Generates a private key for an algorithm. An RSA key takes a moment, on another thread. */
export async function generatePrivateKey(algorithm: SigningAlgorithm): Promise<KeyObject> {
  return (await GENERATORS[algorithm]()).privateKey;
}

/** The algorithm of a key. It depends on the key that a token names, never on the token itself. */
export function findKeyAlgorithm({ asymmetricKeyType }: KeyObject): SigningAlgorithm {
  return asymmetricKeyType === 'ec' ? 'ES256' : 'RS256';
}

/** The public part of a key, in the form of its record. */
export type PublicNumbers = Pick<SigningKeyRecord, 'algorithm' | 'n' | 'e' | 'x' | 'y'>;

/** The public part of a private key. */
export function toPublicNumbers(privateKey: KeyObject): PublicNumbers {
  const { n = '', e = '', x = '', y = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return { algorithm: findKeyAlgorithm(privateKey), n, e, x, y };
}

/** The public key of a record in its published form (RFC 7517). */
export function toJwk({ algorithm: alg, kid, n, e, x, y }: PublicNumbers & Pick<SigningKeyRecord, 'kid'>): PublicKey {
  return alg === 'RS256'
    ? { alg, e, kid, kty: 'RSA', n, use: 'sig' }
    : { alg, crv: 'P-256', kid, kty: 'EC', use: 'sig', x, y };
}
