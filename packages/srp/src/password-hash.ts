import { concat, fromHex, utf8 } from './bytes.ts';
import { integerFromBytes, integerFromHex, padInteger } from './integer.ts';
import type { SrpEngine } from './srp-engine.ts';
import { SrpError } from './srp-error.ts';

const HASH_HEX = /^[0-9a-fA-F]{64}$/;
const MAX_SALT_DIGITS = 130;

/** Who proves a password: the two names that Cognito hashes with it. */
export interface SrpIdentity {
  /** The part of the user pool's id after `_`; for a device its group key. */
  readonly poolName: string;
  /** `USER_ID_FOR_SRP`: the canonical user name, never an alias; for a device its key. */
  readonly userIdForSrp: string;
}

/**
 * SHA-256(poolName | userIdForSrp | ":" | password), the value that `PASSKEY_HASH` carries in hexadecimal.
 * Whoever has it can log in: treat it as the password itself.
 */
export function hashPassword(engine: SrpEngine, identity: SrpIdentity, password: string): Uint8Array {
  return engine.sha256(utf8(`${identity.poolName}${identity.userIdForSrp}:${password}`));
}

/**
 * Reads a password hash from its 64 hexadecimal digits (`PASSKEY_HASH`).
 * @throws {SrpError} `malformed_hex`
 */
export function parsePasswordHash(hex: string): Uint8Array {
  if (typeof hex !== 'string' || !HASH_HEX.test(hex)) throw new SrpError('malformed_hex', 'PASSKEY_HASH');
  return fromHex(hex);
}

/**
 * x = H(pad(salt) | passwordHash): the private exponent behind the verifier.
 * @param saltHex the salt as integer, in any number of digits up to 65 bytes
 * @throws {SrpError} `malformed_hex`
 */
export function computeSecretExponent(engine: SrpEngine, saltHex: string, passwordHash: Uint8Array): bigint {
  const salt = integerFromHex(saltHex, 'SALT', MAX_SALT_DIGITS);
  return integerFromBytes(engine.sha256(concat(padInteger(salt), passwordHash)));
}
