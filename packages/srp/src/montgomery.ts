import type { SrpGroup } from './srp-group.ts';

/** Multiplication modulo N without division, on numbers x kept as x·R mod N (Montgomery 1985). */
export interface Montgomery {
  /** The number 1 in this form. */
  readonly one: bigint;
  toMontgomery(value: bigint): bigint;
  /** The product, below 2N, of two numbers below 2^31·N. */
  product(left: bigint, right: bigint): bigint;
  fromMontgomery(value: bigint): bigint;
}

// Keyed by a group, which is a constant: what is kept follows from the group alone, and no caller can tell.
const known = new WeakMap<SrpGroup, Montgomery>();

/** The Montgomery form of a group, computed once a group. */
export function getMontgomery(group: SrpGroup): Montgomery {
  const found = known.get(group);
  if (found) return found;
  const made = createMontgomery(group);
  known.set(group, made);
  return made;
}

/**
 * R is 64 bits longer than N. The product of two numbers below 2^31·N is then below 2N, so that the subtraction which
 * would else depend on the numbers is needed only once, on leaving.
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

/** value / 2^bits mod N, as in the textbook: add the multiple of N that makes the lowest bits zero. */
function createReduction(modulus: bigint, bits: number): (value: bigint) => bigint {
  const minusInverse = computeNegativeInverse(modulus, bits);
  const shift = BigInt(bits);
  return (value) => {
    const quotient = BigInt.asUintN(bits, BigInt.asUintN(bits, value) * minusInverse);
    return (value + quotient * modulus) >> shift;
  };
}

/**
 * The same with one product less, for a result that may be half as long again: M = N·(-1/N) is a multiple of N that ends
 * in -1, so the lowest bits of the value are themselves the factor, and value + low·M = (value - low) + low·(M + 1).
 */
function createFirstReduction(modulus: bigint, bits: number): (value: bigint) => bigint {
  const shift = BigInt(bits);
  const top = (modulus * computeNegativeInverse(modulus, bits) + 1n) >> shift;
  return (value) => (value >> shift) + BigInt.asUintN(bits, value) * top;
}

/** -1/modulus mod 2^bits by Newton's iteration, which doubles the number of right bits each time. */
function computeNegativeInverse(modulus: bigint, bits: number): bigint {
  let inverse = 1n;
  for (let right = 1; right < bits; right *= 2) {
    inverse = BigInt.asUintN(bits, inverse * (2n - modulus * inverse));
  }
  return BigInt.asUintN(bits, -inverse);
}
