/** A safe prime N and a generator g of its multiplicative group. */
export interface SrpGroup {
  readonly name: string;
  /** N. */
  readonly modulus: bigint;
  /** g. */
  readonly generator: bigint;
  /** The number of bytes of N. */
  readonly lengthBytes: number;
}

/** Additional bits that absorb the rounding of each of a thousand terms. */
const GUARD_BITS = 64n;

let modulus: bigint | undefined;

/**
 * The group of every Amazon Cognito user pool: the 3072-bit prime of RFC 3526 §4 with generator 2 (`modp15` in OpenSSL). It is the default
 * group everywhere.
 */
export const COGNITO_GROUP: SrpGroup = {
  name: 'cognito-3072',
  /** Computed on first use, so that a page loads without this work. */
  get modulus() {
    modulus ??= computePrime3072();
    return modulus;
  },
  generator: 2n,
  lengthBytes: 384,
};

/** Uses the RFC's formula. It has a tenth of the number's length and shows that no one chose the digits. */
function computePrime3072(): bigint {
  return 2n ** 3072n - 2n ** 3008n - 1n + 2n ** 64n * (computePiTimesPowerOfTwo(2942n) + 1690314n);
}

/** Computes the integer part of 2^bits·π by Machin's formula: π = 16·arctan(1/5) - 4·arctan(1/239). */
function computePiTimesPowerOfTwo(bits: bigint): bigint {
  const one = 2n ** (bits + GUARD_BITS);
  return (16n * computeArctanOfInverse(5n, one) - 4n * computeArctanOfInverse(239n, one)) >> GUARD_BITS;
}

/** Computes arctan(1/x) in units of 1/one, by its series. */
function computeArctanOfInverse(x: bigint, one: bigint): bigint {
  let sum = 0n;
  let odd = 1n;
  for (let power = one / x; power !== 0n; power /= -x * x) {
    sum += power / odd;
    odd += 2n;
  }
  return sum;
}
