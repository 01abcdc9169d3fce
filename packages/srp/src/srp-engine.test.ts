import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { bigIntEngine } from './bigint-engine.ts';
import { toHex } from './bytes.ts';
import { getMontgomery } from './montgomery.ts';
import { openSslEngine } from './openssl.ts';
import { RFC5054_GROUPS } from './rfc5054-groups.ts';
import type { SrpEngine } from './srp-engine.ts';
import { computeMultiplier } from './srp-equations.ts';
import { COGNITO_GROUP } from './srp-group.ts';
import { testEngines } from './testing/engines.ts';

const groups = [COGNITO_GROUP, ...Object.values(RFC5054_GROUPS)];

/** Computes the power by its definition, bit by bit, with plain remainders. */
function plainPower(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (const bit of exponent.toString(2)) {
    result = (result * result * (bit === '1' ? base : 1n)) % modulus;
  }
  return result;
}

test('OpenSSL itself computes here, so no test below covers BigInt twice', () => {
  assert.deepEqual(openSslEngine.selfTest(), { native: true });
});

for (const engine of testEngines) {
  test(`${engine.name}: computes powers in every group, including edge cases`, () => {
    for (const group of groups) {
      const N = group.modulus;
      for (const base of [0n, 1n, 2n, group.generator, N - 2n, N - 1n, N, N + 1n, 2n * N, N * N + 3n]) {
        for (const exponent of [0n, 1n, 2n, 3n, 16n, (1n << 64n) - 1n, 1n << 64n]) {
          const expected = plainPower(base, exponent, N);
          assert.equal(engine.powMod(base, exponent, group), expected);
          assert.equal(engine.powModPublic(base, exponent, group), expected);
        }
      }
      for (const power of [engine.powMod, engine.powModPublic]) {
        for (const exponent of [0n, 1n, 2n])
          assert.equal(power(3n, N - 1n + exponent, group), 3n ** exponent, 'Fermat');
      }
    }
  });

  test(`${engine.name}: rejects negative operands`, () => {
    for (const power of [engine.powMod, engine.powModPublic]) {
      assert.throws(() => power(-1n, 1n, COGNITO_GROUP), RangeError);
      assert.throws(() => power(2n, -1n, COGNITO_GROUP), RangeError);
    }
  });
}

test('values that follow from a group are computed once for each group', () => {
  let digests = 0;
  const sha256: SrpEngine['sha256'] = (...parts) => {
    digests++;
    return bigIntEngine.sha256(...parts);
  };
  const group = { ...COGNITO_GROUP };
  const multipliers = [0, 1].map(() => computeMultiplier({ ...bigIntEngine, sha256 }, group));
  assert.deepEqual([multipliers[0], digests], [multipliers[1], 1]);
  assert.equal(getMontgomery(group), getMontgomery(group));
});

test('both engines agree on powers and hashes', () => {
  const operand = fc.bigInt({ min: 0n, max: (1n << 3073n) - 1n });
  const exponent = fc.bigInt({ min: 0n, max: (1n << 520n) - 1n });
  fc.assert(
    fc.property(operand, exponent, fc.uint8Array(), fc.uint8Array(), (base, power, key, message) => {
      const expected = bigIntEngine.powMod(base, power, COGNITO_GROUP);
      assert.equal(openSslEngine.powMod(base, power, COGNITO_GROUP), expected);
      assert.equal(openSslEngine.powModPublic(base, power, COGNITO_GROUP), expected);
      assert.equal(toHex(openSslEngine.sha256(key, message)), toHex(bigIntEngine.sha256(key, message)));
      const mac = createHmac('sha256', key).update(message).digest('hex');
      for (const engine of testEngines) assert.equal(toHex(engine.hmacSha256(key, message)), mac);
    }),
    { numRuns: 30 },
  );
});
