import type { SrpGroup } from './srp-group.ts';

/** Multiplication modulo N without division, on numbers x stored as x·R mod N (Montgomery 1985). */
export interface Montgomery {
  /** The number 1 in Montgomery form. */
  readonly one: bigint;
  toMontgomery(value: bigint): bigint;
  /** Multiplies two numbers below 2^31·N. The product is below 2N. */
  product(left: bigint, right: bigint): bigint;
  fromMontgomery(value: bigint): bigint;
}

// Cached by group. The values follow from the group alone, so callers cannot observe the cache.
const known = new WeakMap<SrpGroup, Montgomery>();

/** Returns the Montgomery form of a group, computed once for each group. */
export function getMontgomery(group: SrpGroup): Montgomery {
  const found = known.get(group);
  if (found) return found;
  const made = createMontgomery(group);
  known.set(group, made);
  return made;
}

/**
 * R is 64 bits longer than N, so the product of two numbers below 2^31·N is below 2N. The final subtraction, whose need depends on the
 * numbers, therefore happens only once, when a result leaves the form.
 */
function createMontgomery(group: SrpGroup): Montgomery {
  const { modulus } = group;
  const half = group.lengthBytes * 4;
  const reduceFirst = createFirstReduction(modulus, half);
  const reduceRest = createReduction(modulus, half + 64);
  const reduce = (value: bigint): bigint => reduceRest(reduceFirst(value));
  const R = 1n << BigInt(2 * half + 64);
  const square = (R * R) % modulus;
  return {
    one: R % modulus,
    toMontgomery: (value) => reduce(value * square),
    product: (left, right) => reduce(left * right),
    fromMontgomery: (value) => reduce(value) % modulus,
  };
}

/** Computes value / 2^bits mod N the textbook way: it adds the multiple of N that makes the lowest bits zero. */
function createReduction(modulus: bigint, bits: number): (value: bigint) => bigint {
  const minusInverse = computeNegativeInverse(modulus, bits);
  const shift = BigInt(bits);
  return (value) => {
    const quotient = BigInt.asUintN(bits, BigInt.asUintN(bits, value) * minusInverse);
    return (value + quotient * modulus) >> shift;
  };
}

/**
 * The same with one product less, for a result that may be half as long again. M = N·(-1/N) is a multiple of N that ends in -1. The lowest
 * bits of the value are therefore the factor. The sum value + low·M is (value - low) + low·(M + 1).
 */
function createFirstReduction(modulus: bigint, bits: number): (value: bigint) => bigint {
  const shift = BigInt(bits);
  const top = (modulus * computeNegativeInverse(modulus, bits) + 1n) >> shift;
  return (value) => (value >> shift) + BigInt.asUintN(bits, value) * top;
}

/** Computes -1/modulus mod 2^bits by Newton's iteration, which doubles the number of correct bits each time. */
function computeNegativeInverse(modulus: bigint, bits: number): bigint {
  let inverse = 1n;
  for (let right = 1; right < bits; right *= 2) {
    inverse = BigInt.asUintN(bits, inverse * (2n - modulus * inverse));
  }
  return BigInt.asUintN(bits, -inverse);
}
