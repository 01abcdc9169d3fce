import { fastestCodec } from './fastest-codec.ts';
import { SrpError } from './srp-error.ts';

const HEX_DIGIT = /^[0-9a-fA-F]$/;

/** The non-negative integer whose unsigned big-endian form is `bytes`; no bytes at all are zero. */
export function integerFromBytes(bytes: Uint8Array): bigint {
  return BigInt(`0x0${fastestCodec.toHex(bytes)}`);
}

/**
 * The unsigned big-endian form of `value`, filled with zeros in front up to `length` bytes.
 * @throws {RangeError} `value` is negative or does not fit
 */
export function bytesFromInteger(value: bigint, length: number): Uint8Array {
  const hex = hexFromInteger(value);
  if (hex.length > 2 * length) throw new RangeError(`value exceeds ${length} bytes`);
  return fastestCodec.fromHex(hex.padStart(2 * length, '0'));
}

/**
 * The canonical text of an integer: lower case, no zero in front; this is how Cognito writes `SRP_A`, `SRP_B` and `SALT`.
 * @throws {RangeError} `value` is negative
 */
export function hexFromInteger(value: bigint): string {
  if (value < 0n) throw new RangeError('value must not be negative');
  return value.toString(16);
}

/**
 * Reads an integer from hexadecimal digits in either case, odd or even in number, zeros in front allowed.
 * @param field the value's name, for the error
 * @param maxDigits the greatest number of digits, so that no long text reaches the arithmetic
 * @throws {SrpError} `malformed_hex`
 */
export function integerFromHex(hex: string, field: string, maxDigits: number): bigint {
  if (typeof hex !== 'string' || hex.length > maxDigits || !HEX_DIGIT.test(hex.at(-1) ?? '')) {
    throw new SrpError('malformed_hex', field);
  }
  try {
    // It refuses all but hexadecimal digits and white space at the end, in less time than a pattern over the whole text.
    return BigInt(`0x${hex}`);
  } catch {
    throw new SrpError('malformed_hex', field);
  }
}

/**
 * The form in which Cognito hashes an integer: minimal big-endian, with one zero byte in front where the top bit
 * would else be set (two's complement of a non-negative number). It is not filled up to the length of N as in RFC 5054.
 * `pad(127)` is `7f`, `pad(128)` is `0080`, `pad(0)` is `00`.
 * @throws {RangeError} `value` is negative
 */
export function padInteger(value: bigint): Uint8Array {
  const hex = hexFromInteger(value);
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  return fastestCodec.fromHex((even[0] as string) >= '8' ? `00${even}` : even);
}
