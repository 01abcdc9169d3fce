import type { GatewayRecords, IdempotencyRecord } from '../records/index.ts';
import { createGuardRecords } from './gateway-deps.ts';

/** Idempotency records in a map. */
export function createIdempotencyRecords(): GatewayRecords & { readonly claims: Map<string, IdempotencyRecord> } {
  const claims = new Map<string, IdempotencyRecord>();
  return {
    ...createGuardRecords(),
    claims,
    idempotencyKeys: {
      async claim(claim, nowMs) {
        const first = claims.get(claim.digestHex);
        if (first !== undefined && first.expiresAtMs > nowMs) return first;
        claims.set(claim.digestHex, claim);
        return undefined;
      },
      async storeAnswer(digestHex, answerEncrypted, expiresAtMs) {
        const claim = claims.get(digestHex);
        if (claim !== undefined) claims.set(digestHex, { ...claim, answerEncrypted, expiresAtMs });
      },
      async release(digestHex) {
        claims.delete(digestHex);
      },
    },
  };
}
