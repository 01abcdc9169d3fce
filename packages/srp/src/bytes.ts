import { fastestCodec } from './fastest-codec.ts';
import { SrpError } from './srp-error.ts';

const HEX = /^[0-9a-fA-F]*$/;

const encoder = new TextEncoder();

/** Encodes a text as UTF-8. A lone surrogate becomes U+FFFD, as everywhere on the web platform. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Joins the parts in a new array. */
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

/** Encodes bytes as lowercase hexadecimal, two digits for each byte. */
export function toHex(bytes: Uint8Array): string {
  return fastestCodec.toHex(bytes);
}

/**
 * Decodes hexadecimal text in either case. An odd number of digits is read as if a leading zero were present.
 * @param field the value's name, for the error
 * @throws {SrpError} `malformed_hex`
 */
export function fromHex(hex: string, field = 'hex'): Uint8Array {
  if (typeof hex !== 'string' || !HEX.test(hex)) throw new SrpError('malformed_hex', field);
  return fastestCodec.fromHex(hex.length % 2 === 0 ? hex : `0${hex}`);
}

/** Encodes bytes as standard base64 with padding (RFC 4648 §4). */
export function toBase64(bytes: Uint8Array): string {
  return fastestCodec.toBase64(bytes);
}

/**
 * Decodes standard base64 text (RFC 4648 §4). Padding is required, and white space and nonzero unused bits are rejected, so each byte
 * sequence has exactly one accepted form.
 * @param field the value's name, for the error
 * @throws {SrpError} `malformed_base64`
 */
export function fromBase64(base64: string, field = 'base64'): Uint8Array {
  const bytes = typeof base64 === 'string' ? decodeBase64(base64) : undefined;
  // Decoders tolerate white space and unused bits. Encoding again is cheaper than matching a pattern over the whole text.
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

/** Whether two byte sequences are equal. The time depends only on their lengths. */
export function constantTimeEqual(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  left.forEach((byte, i) => {
    difference |= byte ^ (right[i] as number);
  });
  return difference === 0;
}
