import type { IdTokenHint } from '@poolgate/provider';
import type { PoolRecord } from '../store/records.ts';
import { readSignedClaims } from '../tokens/read-signed-claims.ts';
import type { PublishedKeyPorts } from '../tokens/token-ports.ts';

/**
 * Whose ID token a hint is; undefined for any text that the pool did not sign as one. Applications keep the ID token of a sign-in for long,
 * so it may have expired.
 * @see https://openid.net/specs/openid-connect-core-1_0.html#AuthRequest
 */
export async function readIdTokenHint(
  ports: PublishedKeyPorts,
  pool: PoolRecord,
  hint: string,
): Promise<IdTokenHint | undefined> {
  const { aud, sub } = (await readSignedClaims(ports, pool, 'id', hint)) ?? {};
  return typeof aud === 'string' && sub !== undefined ? { ClientId: aud, Sub: sub } : undefined;
}
