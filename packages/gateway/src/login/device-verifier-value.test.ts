import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COGNITO_GROUP } from '@poolgate/srp';
import { readDeviceVerifierValue } from './device-verifier-value.ts';

const COMMON = { DEVICE_KEY: 'us-east-1_0a', PASSWORD_CLAIM_SECRET_BLOCK: 'AAAA' };
const SIGNED = {
  ...COMMON,
  TIMESTAMP: 'Tue May 7 00:09:40 UTC 2025',
  PASSWORD_CLAIM_SIGNATURE: 'cqQ0Ip04+wh/noggHw+YAcr+WIARM2AE26qpEcvGFLw=',
};
const HELPED = {
  ...COMMON,
  TIMESTAMP: '2025-05-07T00:09:40.000Z',
  PASSKEY_HASH: 'ab'.repeat(32),
  MESSAGE_BASE64: 'AAAA',
  PRIVATE_KEY: 'abc',
  DEVICE_GROUP_KEY: '-v7w9UcY6',
};
const PARAMS = { SALT: 'f3', SRP_B: 'abc', SECRET_BLOCK: 'AAAA', USERNAME: 'u' };

const refuses = (value: unknown, params: unknown = PARAMS): void =>
  assert.throws(() => readDeviceVerifierValue(value as string, params as string), { code: 'validation_failed' });
const without = (value: Readonly<Record<string, string>>, name: string) =>
  Object.fromEntries(Object.entries(value).filter(([member]) => member !== name));

test('both forms are read, as object and as JSON text', () => {
  for (const write of [(value: object) => value as Record<string, string>, JSON.stringify]) {
    const signed = readDeviceVerifierValue(write(SIGNED), undefined);
    assert.deepEqual(signed, {
      deviceKey: 'us-east-1_0a',
      secretBlockB64: 'AAAA',
      claim: { kind: 'signed', timestamp: SIGNED.TIMESTAMP, signatureB64: SIGNED.PASSWORD_CLAIM_SIGNATURE },
    });
    const { claim } = readDeviceVerifierValue(write(HELPED), write(PARAMS));
    assert.ok(claim.kind === 'assisted' && claim.deviceGroupKey === '-v7w9UcY6' && claim.saltHex === 'f3');
    assert.equal(claim.time?.ms, Date.UTC(2025, 4, 7, 0, 9, 40));
  }
});

test('A15: a signature beside any helper key is refused, and so is neither', () => {
  for (const helper of ['PASSKEY_HASH', 'MESSAGE_BASE64', 'PRIVATE_KEY', 'DEVICE_GROUP_KEY'] as const) {
    refuses({ ...SIGNED, [helper]: HELPED[helper] });
  }
  refuses({ ...SIGNED, ...HELPED });
  refuses({ ...COMMON, TIMESTAMP: SIGNED.TIMESTAMP });
});

test('every member is needed, but the private value, which the service may have; others are refused', () => {
  for (const name of Object.keys(SIGNED)) refuses(without(SIGNED, name));
  for (const name of Object.keys(HELPED)) {
    if (name === 'PRIVATE_KEY') assert.doesNotThrow(() => readDeviceVerifierValue(without(HELPED, name), PARAMS));
    else refuses(without(HELPED, name));
  }
  for (const form of [SIGNED, HELPED]) refuses({ ...form, MORE: 'x' });
  for (const name of ['SALT', 'SRP_B']) refuses(HELPED, without(PARAMS, name));
  refuses(HELPED, null);
  assert.throws(() => readDeviceVerifierValue(HELPED, undefined), { code: 'validation_failed' });
});

test('A17: ISO times are good where the service signs, Cognito’s in both forms, others in none', () => {
  refuses({ ...SIGNED, TIMESTAMP: HELPED.TIMESTAMP });
  assert.doesNotThrow(() => readDeviceVerifierValue({ ...HELPED, TIMESTAMP: SIGNED.TIMESTAMP }, PARAMS));
  for (const TIMESTAMP of ['', '0', 'now', '2025-05-07', 'Tue May 07 00:09:40 UTC 2025']) {
    refuses({ ...SIGNED, TIMESTAMP });
    refuses({ ...HELPED, TIMESTAMP });
  }
});

test('B that fixes the outcome, an ambiguous text and a second spelling of a secret block are refused', () => {
  const { modulus } = COGNITO_GROUP;
  for (const B of [0n, 1n, modulus - 1n, modulus]) refuses(HELPED, { ...PARAMS, SRP_B: B.toString(16) });
  refuses(JSON.stringify(SIGNED).replace('{', '{"DEVICE_KEY":"us-east-1_0b",'));
  refuses({ ...SIGNED, PASSWORD_CLAIM_SECRET_BLOCK: 'AAB=' });
});
