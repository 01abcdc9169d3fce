import { integerFromBytes, integerFromHex } from './integer.ts';
import { SrpError, type SrpErrorCode } from './srp-error.ts';
import type { SrpGroup } from './srp-group.ts';

/**
 * Parses a public value, `SRP_A` or `SRP_B`, and rejects values that fix the outcome of the exchange. Either case, an odd number of digits,
 * and leading zeros up to the length of N plus a sign byte are accepted, because some clients send the hashed form. The value is always
 * hashed in its canonical form.
 * @param field the value's name, for the error
 * @throws {SrpError} `malformed_hex`, or `public_value_out_of_range` unless 1 < value < N - 1
 */
export function parsePublicValue(hex: string, field: 'SRP_A' | 'SRP_B', group: SrpGroup): bigint {
  const value = integerFromHex(hex, field, 2 * group.lengthBytes + 2);
  return requireInRange(value, group, 'public_value_out_of_range', field);
}

/**
 * Parses a private value, a or b, in hexadecimal.
 * @throws {SrpError} `malformed_hex`, or `private_value_out_of_range` unless 1 < value < N - 1
 */
export function parsePrivateValue(hex: string, field: 'a' | 'b', group: SrpGroup): bigint {
  const value = integerFromHex(hex, field, 2 * group.lengthBytes);
  return requireInRange(value, group, 'private_value_out_of_range', field);
}

/**
 * Parses a password verifier from its unsigned big-endian bytes. A leading sign byte is allowed.
 * @throws {SrpError} `weak_verifier` unless 1 < value < N - 1
 */
export function parseVerifier(bytes: Uint8Array, group: SrpGroup): bigint {
  if (bytes.length > group.lengthBytes + 1) throw new SrpError('weak_verifier', 'PasswordVerifier');
  return requireInRange(integerFromBytes(bytes), group, 'weak_verifier', 'PasswordVerifier');
}

/** The powers of 0, 1 and N - 1 are predictable, and values from N up duplicate smaller ones. */
function requireInRange(value: bigint, group: SrpGroup, code: SrpErrorCode, field: string): bigint {
  if (value <= 1n || value >= group.modulus - 1n) throw new SrpError(code, field);
  return value;
}
