import { fastestCodec } from './fastest-codec.ts';
import { SrpError } from './srp-error.ts';

const HEX_DIGIT = /^[0-9a-fA-F]$/;

/** Reads unsigned big-endian bytes as a non-negative integer. An empty array is zero. */
export function integerFromBytes(bytes: Uint8Array): bigint {
  return BigInt(`0x0${fastestCodec.toHex(bytes)}`);
}

/**
 * Writes `value` as unsigned big-endian bytes, with leading zeros up to `length` bytes.
 * @throws {RangeError} `value` is negative or does not fit
 */
export function bytesFromInteger(value: bigint, length: number): Uint8Array {
  const hex = hexFromInteger(value);
  if (hex.length > 2 * length) throw new RangeError(`value exceeds ${length} bytes`);
  return fastestCodec.fromHex(hex.padStart(2 * length, '0'));
}

/**
 * Writes an integer in its canonical form: lowercase hexadecimal without leading zeros. Cognito writes `SRP_A`, `SRP_B` and `SALT` this
 * way.
 * @throws {RangeError} `value` is negative
 */
export function hexFromInteger(value: bigint): string {
  if (value < 0n) throw new RangeError('value must not be negative');
  return value.toString(16);
}

/**
 * Reads an integer from hexadecimal digits. Either case, an odd number of digits and leading zeros are accepted.
 * @param field the value's name, for the error
 * @param maxDigits the maximum number of digits, which keeps long texts away from the arithmetic
 * @throws {SrpError} `malformed_hex`
 */
export function integerFromHex(hex: string, field: string, maxDigits: number): bigint {
  if (typeof hex !== 'string' || hex.length > maxDigits || !HEX_DIGIT.test(hex.at(-1) ?? '')) {
    throw new SrpError('malformed_hex', field);
  }
  try {
    // `BigInt` rejects everything except hexadecimal digits and trailing white space, faster than a pattern over the whole text.
    return BigInt(`0x${hex}`);
  } catch {
    throw new SrpError('malformed_hex', field);
  }
}

/**
 * Encodes an integer as Cognito hashes it: minimal big-endian, with a leading zero byte if the top bit would otherwise be set (two's
 * complement of a non-negative number). Unlike in RFC 5054, it is not padded to the length of N. `pad(127)` is `7f`, `pad(128)` is `0080`,
 * `pad(0)` is `00`.
 * @throws {RangeError} `value` is negative
 */
export function padInteger(value: bigint): Uint8Array {
  const hex = hexFromInteger(value);
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  return fastestCodec.fromHex((even[0] as string) >= '8' ? `00${even}` : even);
}
