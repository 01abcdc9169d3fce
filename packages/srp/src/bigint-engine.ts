import { createHmacSha256 } from './hmac.ts';
import { getMontgomery, type Montgomery } from './montgomery.ts';
import { sha256 } from './sha256.ts';
import { reduceBase, type SrpEngine } from './srp-engine.ts';
import type { SrpGroup } from './srp-group.ts';

/**
 * The engine for every runtime: Montgomery arithmetic on BigInts. The sequence of operations depends only on the length of the exponent,
 * but BigInt itself does not guarantee constant time. On a server, prefer `@poolgate/srp/openssl`.
 */
export const bigIntEngine: SrpEngine = {
  name: 'bigint',
  powMod,
  powModPublic: powMod,
  sha256,
  hmacSha256: createHmacSha256(sha256),
};

function powMod(base: bigint, exponent: bigint, group: SrpGroup): bigint {
  const steps = powModSteps(base, exponent, group);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * Computes the same power in short steps, one for each digit of the exponent. A page that cannot start a worker can yield between two
 * steps.
 * @throws {RangeError} `base` or `exponent` is negative
 */
export function* powModSteps(base: bigint, exponent: bigint, group: SrpGroup): Generator<void, bigint> {
  const reduced = reduceBase(base, exponent, group);
  const montgomery = getMontgomery(group);
  return yield* computePower(
    montgomery,
    exponent,
    reduced === 2n ? multiplyByPowerOfTwo : createTimesPower(montgomery, reduced),
  );
}

/** Multiplies a number in Montgomery form by base^digit, for a digit from 0 to 15. */
type PowerMultiplier = (value: bigint, digit: number) => bigint;

/** A fixed window of four bits, which is one hexadecimal digit: four squarings and one product for each digit. */
function* computePower(montgomery: Montgomery, exponent: bigint, timesPower: PowerMultiplier): Generator<void, bigint> {
  let result = montgomery.one;
  for (const digit of exponent.toString(16)) {
    for (let squaring = 0; squaring < 4; squaring++) result = montgomery.product(result, result);
    result = timesPower(result, Number.parseInt(digit, 16));
    yield;
  }
  return montgomery.fromMontgomery(result);
}

function createTimesPower(montgomery: Montgomery, base: bigint): PowerMultiplier {
  const first = montgomery.toMontgomery(base);
  const powers = [montgomery.one, first];
  while (powers.length < 16) powers.push(montgomery.product(powers.at(-1) as bigint, first));
  return (value, digit) => montgomery.product(value, powers[digit] as bigint);
}

/** Cognito's generator is 2, so its powers are shifts. The next squaring absorbs up to 15 additional bits. */
const multiplyByPowerOfTwo: PowerMultiplier = (value, digit) => value << BigInt(digit);
