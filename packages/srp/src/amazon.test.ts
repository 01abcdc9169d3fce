import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromHex, toBase64, toHex } from './bytes.ts';
import { deviceIdentity, parseDeviceConfig } from './device.ts';
import { integerFromBytes, integerFromHex } from './integer.ts';
import { openSslEngine } from './openssl.ts';
import { computeSecretExponent, hashPassword } from './password-hash.ts';
import { computeClientSecret, computeMultiplier, computeScramblingParameter } from './srp-equations.ts';
import { COGNITO_GROUP } from './srp-group.ts';
import {
  compareWithAmazon,
  computeWithOurs,
  createAmazonHelper,
  createRandomCases,
  listDisagreements,
  type SrpCase,
} from './testing/against-amazon.ts';
import { testEngines } from './testing/engines.ts';
import leadingZero from './vectors/leading-zero.json' with { type: 'json' };
import { computeVerifier } from './verifier.ts';

const engine = openSslEngine;

test('50 random logins agree with amazon-cognito-identity-js in A, u and K on both sides', () => {
  assert.deepEqual(compareWithAmazon(engine, 'the test run', 50), []);
});

test('the comparison detects a wrong value', () => {
  const wrong = {
    ...engine,
    powMod: (...operands: Parameters<typeof engine.powMod>) => engine.powMod(...operands) ^ 1n,
  };
  assert.deepEqual(listDisagreements(wrong, createRandomCases('wrong', 2)[1] as SrpCase), [
    'srpAHex',
    'uHex',
    'keyHex',
    'server key',
  ]);
});

/** The number of bits of each value without leading zero bytes. */
const FULL_BITS = { A: 3072, B: 3072, S: 3072, v: 3072, u: 256, salt: 128 };

function toSrpValues(srpCase: SrpCase): Record<keyof typeof FULL_BITS, bigint> {
  const { ours, srpBHex, verifier } = computeWithOurs(engine, srpCase);
  const [A, B, a] = [ours.srpAHex, srpBHex, srpCase.aHex].map((hex) => integerFromHex(hex, 'value', 768)) as [
    bigint,
    bigint,
    bigint,
  ];
  const u = computeScramblingParameter(engine, A, B);
  const x = computeSecretExponent(engine, srpCase.saltHex, hashPassword(engine, srpCase.identity, srpCase.password));
  const S = computeClientSecret(engine, COGNITO_GROUP, { a, B, k: computeMultiplier(engine, COGNITO_GROUP), u, x });
  return { A, B, S, v: integerFromBytes(verifier), u, salt: BigInt(`0x${srpCase.saltHex}`) };
}

for (const found of leadingZero.cases) {
  const name = found.zeroByteIn as keyof typeof FULL_BITS;
  test(`a login whose ${name} begins with a zero byte agrees with Amazon in every engine`, () => {
    assert.ok(toSrpValues(found)[name] < 1n << BigInt(FULL_BITS[name] - 8));
    for (const each of testEngines) assert.deepEqual(listDisagreements(each, found), []);
  });
}

test('the cases include every value with leading zeros', () => {
  assert.deepEqual(leadingZero.cases.map((found) => found.zeroByteIn).sort(), Object.keys(FULL_BITS).sort());
});

test('a device verifier from Amazon’s client matches the one computed here from its secret', () => {
  const helper = createAmazonHelper();
  const device = { deviceGroupKey: '-v7w9UcY6', deviceKey: 'local_00000000-0000-4000-8000-000000000001' };
  helper.generateHashDevice(device.deviceGroupKey, device.deviceKey, (error) => assert.equal(error, null));
  const salt = fromHex(helper.getSaltDevices().padStart(32, '0'));
  const config = {
    Salt: toBase64(salt),
    PasswordVerifier: toBase64(fromHex(helper.getVerifierDevices())),
  };
  const { saltHex, verifier } = parseDeviceConfig(config);
  const hash = hashPassword(engine, deviceIdentity(device), helper.getRandomPassword());
  assert.equal(toHex(computeVerifier({ engine, saltHex, passwordHash: hash })), toHex(verifier));
});
