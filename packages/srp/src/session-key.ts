import { concat, utf8 } from './bytes.ts';
import { padInteger } from './integer.ts';
import type { SrpEngine } from './srp-engine.ts';

const KEY_BYTES = 16;
const INFO = concat(utf8('Caldera Derived Key'), Uint8Array.of(1));

/**
 * Derives K: 16 bytes of HKDF-SHA-256 (RFC 5869) of pad(S), with pad(u) as the salt and Cognito's info text. One block of output is enough,
 * so expanding takes a single HMAC.
 */
export function deriveSessionKey(engine: SrpEngine, S: bigint, u: bigint): Uint8Array {
  const pseudoRandomKey = engine.hmacSha256(padInteger(u), padInteger(S));
  return engine.hmacSha256(pseudoRandomKey, INFO).slice(0, KEY_BYTES);
}
