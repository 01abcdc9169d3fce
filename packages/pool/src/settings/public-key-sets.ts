import { createPublicKey } from 'node:crypto';
import type { JSONWebKeySet, JWK } from 'jose';

const MAX_KEYS = 10;
const LEAST_RSA_BITS = 2_048;

/** Members of private and symmetric keys (RFC 7518 §6). */
const SECRET_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** Whether a value is a JWK set (RFC 7517 §5) of one to ten public keys that can verify signatures. */
export function isPublicKeySet(value: unknown): value is JSONWebKeySet {
  if (typeof value !== 'object' || value === null || !('keys' in value) || !Array.isArray(value.keys)) return false;
  const keys: readonly unknown[] = value.keys;
  return keys.length > 0 && keys.length <= MAX_KEYS && keys.every(isPublicKey);
}

function isPublicKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (SECRET_MEMBERS.some((name) => Object.hasOwn(value, name))) return false;
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key: value as JWK, format: 'jwk' });
    return (asymmetricKeyDetails?.modulusLength ?? LEAST_RSA_BITS) >= LEAST_RSA_BITS;
  } catch {
    return false;
  }
}
