import { concat } from './bytes.ts';

const BLOCK_BYTES = 64;

const INITIAL_STATE = Uint32Array.of(
  0x6a09e667,
  0xbb67ae85,
  0x3c6ef372,
  0xa54ff53a,
  0x510e527f,
  0x9b05688c,
  0x1f83d9ab,
  0x5be0cd19,
);

/** Computed on the first digest, so that a page loads without this work. */
let constants: Uint32Array | undefined;

/**
 * Computes SHA-256 (FIPS 180-4) of the joined parts. It is implemented here because the web platform's digest is asynchronous and every
 * engine is synchronous.
 */
export function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  const blocks = new DataView(padMessage(concat(...parts)));
  const state = INITIAL_STATE.slice();
  const schedule = new Uint32Array(64);
  constants ??= computeRoundConstants();
  for (let offset = 0; offset < blocks.byteLength; offset += BLOCK_BYTES) {
    expandSchedule(schedule, blocks, offset);
    compress(state, schedule, constants);
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (const [i, word] of state.entries()) digest.setUint32(4 * i, word);
  return new Uint8Array(digest.buffer);
}

/** FIPS 180-4 §5.1.1: a one bit, zeros, and the length in bits as a 64-bit integer. */
function padMessage(message: Uint8Array): ArrayBuffer {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / BLOCK_BYTES) * BLOCK_BYTES);
  padded.set(message);
  padded[message.length] = 0x80;
  new DataView(padded.buffer).setBigUint64(padded.length - 8, BigInt(message.length) * 8n);
  return padded.buffer;
}

/** FIPS 180-4 §6.2.2 step 1. */
function expandSchedule(schedule: Uint32Array, blocks: DataView, offset: number): void {
  for (let t = 0; t < 16; t++) schedule[t] = blocks.getUint32(offset + 4 * t);
  for (let t = 16; t < 64; t++) {
    const w15 = schedule[t - 15] as number;
    const w2 = schedule[t - 2] as number;
    const sigma0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3);
    const sigma1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10);
    schedule[t] = (schedule[t - 16] as number) + sigma0 + (schedule[t - 7] as number) + sigma1;
  }
}

/** FIPS 180-4 §6.2.2 steps 2 to 4. */
function compress(state: Uint32Array, schedule: Uint32Array, roundConstant: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = state as unknown as HashState;
  for (let t = 0; t < 64; t++) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (h + sum1 + choice + (roundConstant[t] as number) + (schedule[t] as number)) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + sum0 + majority) | 0;
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] as number) + word;
}

type HashState = [number, number, number, number, number, number, number, number];

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

/** FIPS 180-4 §4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
function computeRoundConstants(): Uint32Array {
  const primes: bigint[] = [];
  for (let n = 2n; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0n)) primes.push(n);
  return Uint32Array.from(primes, (prime) => Number(BigInt.asUintN(32, computeCubeRoot(prime << 96n))));
}

/** The integer cube root, by Newton's method from above. */
function computeCubeRoot(value: bigint): bigint {
  let root = 1n << 35n;
  for (;;) {
    const next = (2n * root + value / (root * root)) / 3n;
    if (next >= root) return root;
    root = next;
  }
}
