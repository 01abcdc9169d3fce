import type { JWTPayload } from 'jose';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { JOSEError } from 'jose/errors';
import { compactVerify } from 'jose/jws/compact/verify';
import type { PoolRecord } from '../store/records.ts';
import { ACCESS_TOKEN_TYPE } from './jwt.ts';
import { findKeyAlgorithm } from './signing-algorithms.ts';
import { findPublicKey } from './signing-keys.ts';
import type { PublishedKeyPorts } from './token-ports.ts';

/**
 * Returns the claims of a token that a pool signed with a key that is still published; undefined for any other text. The caller must check
 * its expiry, user and revocation.
 */
export async function readSignedClaims(
  ports: PublishedKeyPorts,
  pool: PoolRecord,
  use: 'access' | 'id',
  token: string,
): Promise<JWTPayload | undefined> {
  const kid = readKeyId(token, use);
  const key = kid === undefined ? undefined : await findPublicKey(ports, pool, use, kid);
  if (key === undefined) return undefined;
  const claims = await verifyClaims(token, key);
  return claims?.token_use === use && claims.iss === pool.settings.issuer ? claims : undefined;
}

/** The pool writes these two members into a header, and a type for some access tokens. Anything else would only help an attacker. */
function readKeyId(token: string, use: 'access' | 'id'): string | undefined {
  try {
    const { alg: _alg, kid, typ, ...more } = decodeProtectedHeader(token);
    const isTyped = typ === undefined || (use === 'access' && typ === ACCESS_TOKEN_TYPE);
    return isTyped && Object.keys(more).length === 0 ? kid : undefined;
  } catch (error) {
    // The library reports an unreadable header this way.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

async function verifyClaims(token: string, key: Parameters<typeof findKeyAlgorithm>[0]) {
  try {
    const { payload } = await compactVerify(token, key, { algorithms: [findKeyAlgorithm(key)] });
    return JSON.parse(Buffer.from(payload).toString('utf8')) as JWTPayload;
  } catch (error) {
    if (error instanceof JOSEError) return undefined;
    throw error;
  }
}
