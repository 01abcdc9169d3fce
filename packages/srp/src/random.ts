import { hexFromInteger, integerFromBytes } from './integer.ts';

/** Gives `length` bytes that nobody can predict. Tests pass a source of their own. */
export type RandomBytes = (length: number) => Uint8Array;

/** The runtime's own source (Web Cryptography `getRandomValues`). */
export const secureRandom: RandomBytes = (length) => crypto.getRandomValues(new Uint8Array(length));

const EPHEMERAL_BITS = 256;

/**
 * A fresh private value a or b: 256 bits drawn, the top one then set. Engines work on whole machine words and would
 * run shorter on a value with leading zero words; twice the strength of a 3072-bit group (128 bits) remains.
 */
export function drawEphemeral(random: RandomBytes): bigint {
  const drawn = integerFromBytes(drawBytes(random, EPHEMERAL_BITS / 8));
  return drawn | (1n << BigInt(EPHEMERAL_BITS - 1));
}

/** A fresh private value a or b of 256 bits as text, for a computation that is done elsewhere. Secret, and for one login only. */
export function drawPrivateValue(random: RandomBytes): string {
  return hexFromInteger(drawEphemeral(random));
}

/** Bytes of exactly the length asked for: a source that gives fewer would weaken every secret in silence. */
export function drawBytes(random: RandomBytes, length: number): Uint8Array {
  const bytes = random(length);
  if (bytes.length !== length) throw new RangeError(`random must give ${length} bytes`);
  return bytes;
}
