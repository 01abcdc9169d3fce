import type { Group } from './group.ts';

/** Multiplication modulo N without division, on numbers x kept as x·R mod N (Montgomery 1985). */
export interface Montgomery {
  /** The number 1 in this form. */
  readonly one: bigint;
  enter(value: bigint): bigint;
  product(left: bigint, right: bigint): bigint;
  leave(value: bigint): bigint;
}

const known = new WeakMap<Group, Montgomery>();

/** The Montgomery form of a group, computed once a group. */
export function montgomeryFor(group: Group): Montgomery {
  const found = known.get(group);
  if (found) return found;
  const made = makeMontgomery(group);
  known.set(group, made);
  return made;
}

/**
 * R is 64 bits longer than N. With R > 4N every product of numbers below 2N is below 2N again, so the subtraction
 * that would else depend on the numbers is needed only once, on leaving.
 */
function makeMontgomery(group: Group): Montgomery {
  const { modulus } = group;
  const bits = group.lengthBytes * 8 + 64;
  const shift = BigInt(bits);
  const minusInverse = negativeInverse(modulus, bits);
  const reduce = (value: bigint): bigint => {
    const quotient = BigInt.asUintN(bits, BigInt.asUintN(bits, value) * minusInverse);
    return (value + quotient * modulus) >> shift;
  };
  const square = (1n << (2n * shift)) % modulus;
  return {
    one: (1n << shift) % modulus,
    enter: (value) => reduce(value * square),
    product: (left, right) => reduce(left * right),
    leave: (value) => reduce(value) % modulus,
  };
}

/** -1/modulus mod 2^bits by Newton's iteration, which doubles the number of right bits each time. */
function negativeInverse(modulus: bigint, bits: number): bigint {
  let inverse = 1n;
  for (let right = 1; right < bits; right *= 2) {
    inverse = BigInt.asUintN(bits, inverse * (2n - modulus * inverse));
  }
  return BigInt.asUintN(bits, -inverse);
}
