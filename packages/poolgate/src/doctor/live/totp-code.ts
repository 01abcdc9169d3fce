import { createHmac } from 'node:crypto';

/** RFC 6238 §4.1: the default of every authenticator. */
export const TOTP_STEP_MS = 30_000;
const DIGITS = 6;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Decodes a base32 secret (RFC 4648 §6), with or without padding. */
function decodeBase32(base32: string): Buffer {
  const bits = [...base32.replace(/=+$/, '').toUpperCase()]
    .map((character) => ALPHABET.indexOf(character).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/**
 * Computes the code of an authenticator at a time (RFC 6238 with SHA-1, RFC 4226 §5.3).
 * @param secretBase32 as returned by `AssociateSoftwareToken`
 * @param atMs milliseconds since the epoch
 */
export function computeTotpCode(secretBase32: string, atMs: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / TOTP_STEP_MS)));
  const mac = createHmac('sha1', decodeBase32(secretBase32)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, '0');
}
