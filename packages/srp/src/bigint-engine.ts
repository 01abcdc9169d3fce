import { type Engine, reduceBase } from './engine.ts';
import { type Montgomery, montgomeryFor } from './montgomery.ts';
import { hmacSha256, sha256 } from './sha256.ts';

/**
 * The engine for every runtime: Montgomery arithmetic on whole BigInts. The sequence of operations depends on the
 * length of the exponent only, but BigInt itself promises no constant time; on a server prefer `@poolgate/srp/openssl`.
 */
export const bigIntEngine: Engine = {
  name: 'bigint',
  powMod(base, exponent, group) {
    const reduced = reduceBase(base, exponent, group);
    return power(montgomeryFor(group), reduced, exponent);
  },
  sha256,
  hmacSha256,
};

/** Fixed window of four bits, which is one hexadecimal digit: always four squarings and one product a digit. */
function power(montgomery: Montgomery, base: bigint, exponent: bigint): bigint {
  const table = powersUpTo15(montgomery, base);
  let result = montgomery.one;
  for (const digit of exponent.toString(16)) {
    for (let squaring = 0; squaring < 4; squaring++) result = montgomery.product(result, result);
    result = montgomery.product(result, table[Number.parseInt(digit, 16)] as bigint);
  }
  return montgomery.leave(result);
}

function powersUpTo15(montgomery: Montgomery, base: bigint): readonly bigint[] {
  const first = montgomery.enter(base);
  const table = [montgomery.one, first];
  while (table.length < 16) table.push(montgomery.product(table.at(-1) as bigint, first));
  return table;
}
