import { fastestCodec } from './fastest-codec.ts';
import { SrpError } from './srp-error.ts';

const HEX = /^[0-9a-fA-F]*$/;

const encoder = new TextEncoder();

/** The UTF-8 bytes of a text. A lone surrogate becomes U+FFFD, as in every web platform. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The parts, one after the other, in a new array. */
export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Lower-case hexadecimal, two digits a byte. */
export function toHex(bytes: Uint8Array): string {
  return fastestCodec.toHex(bytes);
}

/**
 * Bytes of a hexadecimal text in either case; an odd number of digits is read as if a zero stood in front.
 * @param field the value's name, for the error
 * @throws {SrpError} `malformed_hex`
 */
export function fromHex(hex: string, field = 'hex'): Uint8Array {
  if (typeof hex !== 'string' || !HEX.test(hex)) throw new SrpError('malformed_hex', field);
  return fastestCodec.fromHex(hex.length % 2 === 0 ? hex : `0${hex}`);
}

/** Standard base64 with padding (RFC 4648 §4). */
export function toBase64(bytes: Uint8Array): string {
  return fastestCodec.toBase64(bytes);
}

/**
 * Bytes of a standard base64 text (RFC 4648 §4): padding required, no white space, unused bits zero,
 * so that one sequence of bytes has one accepted form.
 * @param field the value's name, for the error
 * @throws {SrpError} `malformed_base64`
 */
export function fromBase64(base64: string, field = 'base64'): Uint8Array {
  const bytes = typeof base64 === 'string' ? decodeBase64(base64) : undefined;
  // Decoders forgive white space and unused bits. To encode again costs less than a pattern over the whole text.
  if (bytes === undefined || fastestCodec.toBase64(bytes) !== base64) throw new SrpError('malformed_base64', field);
  return bytes;
}

function decodeBase64(base64: string): Uint8Array | undefined {
  try {
    return fastestCodec.fromBase64(base64);
  } catch {
    return undefined;
  }
}

/** Whether two byte sequences are equal, in a time that depends on their lengths only. */
export function constantTimeEqual(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  left.forEach((byte, i) => {
    difference |= byte ^ (right[i] as number);
  });
  return difference === 0;
}
