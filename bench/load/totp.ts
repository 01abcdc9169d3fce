import { createHmac } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const STEP_MS = 30_000;

/** The time step of RFC 6238. */
export function toTimeStep(nowMs: number): number {
  return Math.floor(nowMs / STEP_MS);
}

/** Computes the code of an authenticator (RFC 6238 with SHA-1 and six digits). @param secretCode base32 without padding */
export function computeTotpCode(secretCode: string, nowMs: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(toTimeStep(nowMs)));
  const mac = createHmac('sha1', decodeBase32(secretCode)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, '0');
}

function decodeBase32(base32: string): Buffer {
  let bits = '';
  for (const letter of base32) bits += ALPHABET.indexOf(letter).toString(2).padStart(5, '0');
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}
