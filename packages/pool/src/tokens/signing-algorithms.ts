import { createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { PublicKey, SigningAlgorithm } from '@poolgate/provider';
import type { SigningKeyRecord } from '../store/records.ts';

const generate = promisify(generateKeyPair);

const GENERATORS: Readonly<Record<SigningAlgorithm, () => Promise<{ readonly privateKey: KeyObject }>>> = {
  RS256: () => generate('rsa', { modulusLength: 2048 }),
  ES256: () => generate('ec', { namedCurve: 'P-256' }),
};

/** Makes a private key for an algorithm. One of RSA takes a moment, on another thread. */
export async function generatePrivateKey(algorithm: SigningAlgorithm): Promise<KeyObject> {
  return (await GENERATORS[algorithm]()).privateKey;
}

/** What a key signs with. A token never chooses that: it is decided by the key that the token names. */
export function findKeyAlgorithm({ asymmetricKeyType }: KeyObject): SigningAlgorithm {
  return asymmetricKeyType === 'ec' ? 'ES256' : 'RS256';
}

/** The public part of a key, as its record holds it. */
export type PublicNumbers = Pick<SigningKeyRecord, 'algorithm' | 'n' | 'e' | 'x' | 'y'>;

/** The public part of a private key. */
export function toPublicNumbers(privateKey: KeyObject): PublicNumbers {
  const { n = '', e = '', x = '', y = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return { algorithm: findKeyAlgorithm(privateKey), n, e, x, y };
}

/** The public key of a record, as it is published (RFC 7517). */
export function toJwk({ algorithm: alg, kid, n, e, x, y }: PublicNumbers & Pick<SigningKeyRecord, 'kid'>): PublicKey {
  return alg === 'RS256'
    ? { alg, e, kid, kty: 'RSA', n, use: 'sig' }
    : { alg, crv: 'P-256', kid, kty: 'EC', use: 'sig', x, y };
}
