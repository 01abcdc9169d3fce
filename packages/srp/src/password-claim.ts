import { concat, constantTimeEqual, fromBase64, toBase64, utf8 } from './bytes.ts';
import type { SrpIdentity } from './password-hash.ts';
import type { SrpEngine } from './srp-engine.ts';
import { SrpError } from './srp-error.ts';

/** The values that a password claim signs. */
export interface PasswordClaim {
  readonly identity: SrpIdentity;
  /** `SECRET_BLOCK` as received. Its decoded bytes are signed. */
  readonly secretBlockB64: string;
  /** `TIMESTAMP` in Cognito's format, signed as text. */
  readonly timestamp: string;
}

/**
 * Builds the signed message: poolName | userIdForSrp | bytes of the secret block | timestamp.
 * @throws {SrpError} `malformed_base64`
 */
export function claimMessage({ identity, secretBlockB64, timestamp }: PasswordClaim): Uint8Array {
  const secretBlock = fromBase64(secretBlockB64, 'SECRET_BLOCK');
  return concat(utf8(identity.poolName), utf8(identity.userIdForSrp), secretBlock, utf8(timestamp));
}

/**
 * Computes `PASSWORD_CLAIM_SIGNATURE`: base64 of HMAC-SHA-256 over the message.
 * @param key K, from `finishClient`
 * @throws {SrpError} `malformed_base64`
 */
export function signClaim(engine: SrpEngine, key: Uint8Array, claim: PasswordClaim): string {
  return toBase64(engine.hmacSha256(key, claimMessage(claim)));
}

/**
 * Verifies a `PASSWORD_CLAIM_SIGNATURE` against K in constant time. A signature that is not base64 does not match.
 * @param key K, from `answerClient`
 * @throws {SrpError} `malformed_base64`: the secret block cannot be decoded
 */
export function verifyClaim(engine: SrpEngine, key: Uint8Array, claim: PasswordClaim, signatureB64: string): boolean {
  const expected = engine.hmacSha256(key, claimMessage(claim));
  return constantTimeEqual(expected, decodeSignature(signatureB64));
}

function decodeSignature(signatureB64: string): Uint8Array {
  try {
    return fromBase64(signatureB64);
  } catch (error) {
    if (error instanceof SrpError) return new Uint8Array();
    throw error;
  }
}
