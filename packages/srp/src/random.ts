import { hexFromInteger, integerFromBytes } from './integer.ts';

/** Returns `length` unpredictable bytes. Tests pass their own source. */
export type RandomBytes = (length: number) => Uint8Array;

/** The runtime's cryptographic source (Web Cryptography `getRandomValues`). */
export const secureRandom: RandomBytes = (length) => crypto.getRandomValues(new Uint8Array(length));

const EPHEMERAL_BITS = 256;

/**
 * Generates a private value a or b: 256 random bits, with the top one set. Engines work on whole machine words and would run shorter on a
 * value with leading zero words. The value still has twice the strength of a 3072-bit group (128 bits).
 */
export function drawEphemeral(random: RandomBytes): bigint {
  const drawn = integerFromBytes(drawBytes(random, EPHEMERAL_BITS / 8));
  return drawn | (1n << BigInt(EPHEMERAL_BITS - 1));
}

/** Generates a private value a or b of 256 bits in hexadecimal, for a computation in another place. It is secret and for a single login. */
export function drawPrivateValue(random: RandomBytes): string {
  return hexFromInteger(drawEphemeral(random));
}

/** Requires exactly the requested length, because a source that returns less would silently weaken every secret. */
export function drawBytes(random: RandomBytes, length: number): Uint8Array {
  const bytes = random(length);
  if (bytes.length !== length) throw new RangeError(`random must give ${length} bytes`);
  return bytes;
}
