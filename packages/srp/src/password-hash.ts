import { concat, fromHex, utf8 } from './bytes.ts';
import { integerFromBytes, integerFromHex, padInteger } from './integer.ts';
import type { SrpEngine } from './srp-engine.ts';
import { SrpError } from './srp-error.ts';

const HASH_HEX = /^[0-9a-fA-F]{64}$/;
const MAX_SALT_DIGITS = 130;

/** The two names that Cognito hashes together with a password. */
export interface SrpIdentity {
  /** The part of the user pool's id after `_`, or the group key of a device. */
  readonly poolName: string;
  /** `USER_ID_FOR_SRP`: the canonical username, never an alias, or the key of a device. */
  readonly userIdForSrp: string;
}

/**
 * Computes SHA-256(poolName | userIdForSrp | ":" | password), which `PASSKEY_HASH` carries in hexadecimal. The hash is enough to log in, so
 * treat it like the password itself.
 */
export function hashPassword(engine: SrpEngine, identity: SrpIdentity, password: string): Uint8Array {
  return engine.sha256(utf8(`${identity.poolName}${identity.userIdForSrp}:${password}`));
}

/**
 * Parses a password hash from its 64 hexadecimal digits (`PASSKEY_HASH`).
 * @throws {SrpError} `malformed_hex`
 */
export function parsePasswordHash(hex: string): Uint8Array {
  if (typeof hex !== 'string' || !HASH_HEX.test(hex)) throw new SrpError('malformed_hex', 'PASSKEY_HASH');
  return fromHex(hex);
}

/**
 * Computes x = H(pad(salt) | passwordHash), the private exponent behind the verifier.
 * @param saltHex the salt as a hexadecimal integer of up to 65 bytes, with any number of digits
 * @throws {SrpError} `malformed_hex`
 */
export function computeSecretExponent(engine: SrpEngine, saltHex: string, passwordHash: Uint8Array): bigint {
  const salt = integerFromHex(saltHex, 'SALT', MAX_SALT_DIGITS);
  return integerFromBytes(engine.sha256(concat(padInteger(salt), passwordHash)));
}
