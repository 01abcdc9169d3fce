import { SrpError } from './error.ts';

const HEX = /^[0-9a-fA-F]*$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const HEX_OF_BYTE = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const encoder = new TextEncoder();

/** The UTF-8 bytes of a text. A lone surrogate becomes U+FFFD, as in every web platform. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The parts, one after the other, in a new array. */
export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Lower-case hexadecimal, two digits a byte. */
export function toHex(bytes: Uint8Array): string {
  let hex = '';
  for (const byte of bytes) hex += HEX_OF_BYTE[byte];
  return hex;
}

/**
 * Bytes of a hexadecimal text in either case; an odd number of digits is read as if a zero stood in front.
 * @param field the value's name, for the error
 * @throws {SrpError} `malformed_hex`
 */
export function fromHex(hex: string, field = 'hex'): Uint8Array {
  if (typeof hex !== 'string' || !HEX.test(hex)) throw new SrpError('malformed_hex', field);
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  const bytes = new Uint8Array(even.length / 2);
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = (nibble(even.charCodeAt(2 * i)) << 4) | nibble(even.charCodeAt(2 * i + 1));
  }
  return bytes;
}

/** In ASCII the low four bits of 0-9 are the digit, those of A-F and a-f are 1-6, and only letters have bit 6. */
function nibble(charCode: number): number {
  return (charCode & 15) + 9 * (charCode >> 6);
}

/** Standard base64 with padding (RFC 4648 §4). */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/**
 * Bytes of a standard base64 text (RFC 4648 §4): padding required, no white space, unused bits zero,
 * so that one sequence of bytes has one accepted form.
 * @param field the value's name, for the error
 * @throws {SrpError} `malformed_base64`
 */
export function fromBase64(base64: string, field = 'base64'): Uint8Array {
  if (typeof base64 !== 'string' || !BASE64.test(base64)) throw new SrpError('malformed_base64', field);
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  if (toBase64(bytes.subarray(bytes.length - (bytes.length % 3))) !== base64.slice(Math.floor(bytes.length / 3) * 4)) {
    throw new SrpError('malformed_base64', field);
  }
  return bytes;
}

/** Whether two byte sequences are equal, in a time that depends on their lengths only. */
export function constantTimeEqual(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let i = 0; i < left.length; i++) difference |= (left[i] as number) ^ (right[i] as number);
  return difference === 0;
}
