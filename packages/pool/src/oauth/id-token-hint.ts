import type { IdTokenHint } from '@poolgate/provider';
import type { PoolRecord } from '../store/records.ts';
import { readSignedClaims } from '../tokens/read-signed-claims.ts';
import type { PublishedKeyPorts } from '../tokens/token-ports.ts';

/**
 * Returns the user of an ID token hint; undefined for any text that is not an ID token of the pool. Applications keep ID tokens for a long
 * time, so it may have expired.
 */
export async function readIdTokenHint(
  ports: PublishedKeyPorts,
  pool: PoolRecord,
  hint: string,
): Promise<IdTokenHint | undefined> {
  const { aud, sub } = (await readSignedClaims(ports, pool, 'id', hint)) ?? {};
  return typeof aud === 'string' && sub !== undefined ? { ClientId: aud, Sub: sub } : undefined;
}
