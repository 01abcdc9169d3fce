import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COGNITO_GROUP } from '@poolgate/srp';
import { GatewayError } from '../kernel/gateway-errors.ts';
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
/** Its errors as fields and codes. None if it is valid. */
function listFaults(value: unknown, params: unknown = PARAMS): readonly string[] {
  try {
    readDeviceVerifierValue(value as string, params as string);
    return [];
  } catch (error) {
    assert.ok(error instanceof GatewayError, String(error));
    return (error.errors ?? []).map(({ field, code }) => `${field} ${code}`);
  }
}

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

test('both a signature and helper keys are refused, and so is neither', () => {
  for (const helper of ['PASSKEY_HASH', 'MESSAGE_BASE64', 'PRIVATE_KEY', 'DEVICE_GROUP_KEY'] as const) {
    refuses({ ...SIGNED, [helper]: HELPED[helper] });
  }
  refuses({ ...SIGNED, ...HELPED });
  refuses({ ...COMMON, TIMESTAMP: SIGNED.TIMESTAMP });
});

test('every member is required, except the private value, which the service may have; others are refused', () => {
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

test('ISO times are accepted if the service signs, Cognito’s in both forms, others in none', () => {
  refuses({ ...SIGNED, TIMESTAMP: HELPED.TIMESTAMP });
  assert.doesNotThrow(() => readDeviceVerifierValue({ ...HELPED, TIMESTAMP: SIGNED.TIMESTAMP }, PARAMS));
  for (const TIMESTAMP of ['', '0', 'now', '2025-05-07', 'Tue May 07 00:09:40 UTC 2025']) {
    refuses({ ...SIGNED, TIMESTAMP });
    refuses({ ...HELPED, TIMESTAMP });
  }
});

test('a B that forces the result, an ambiguous text and a second spelling of a secret block are refused', () => {
  const { modulus } = COGNITO_GROUP;
  for (const B of [0n, 1n, modulus - 1n, modulus]) refuses(HELPED, { ...PARAMS, SRP_B: B.toString(16) });
  refuses(JSON.stringify(SIGNED).replace('{', '{"DEVICE_KEY":"us-east-1_0b",'));
  refuses({ ...SIGNED, PASSWORD_CLAIM_SECRET_BLOCK: 'AAB=' });
});

test('members have a minimum and a maximum length', () => {
  const key = (length: number) => `us-east-1_${'0'.repeat(length - 10)}`;
  for (const [form, member, allowed, refused] of [
    [
      HELPED,
      'DEVICE_GROUP_KEY',
      ['-', '~'.repeat(128)],
      [
        ['', 'too_short'],
        ['~'.repeat(129), 'too_long'],
        [' ', 'format'],
      ],
    ],
    [
      HELPED,
      'PRIVATE_KEY',
      ['a', 'f'.repeat(770)],
      [
        ['', 'too_short'],
        ['f'.repeat(771), 'too_long'],
        ['g', 'format'],
      ],
    ],
    [
      HELPED,
      'PASSKEY_HASH',
      ['0'.repeat(64)],
      [
        ['0'.repeat(63), 'too_short'],
        ['0'.repeat(65), 'too_long'],
      ],
    ],
    [
      HELPED,
      'MESSAGE_BASE64',
      ['A', 'A'.repeat(8192)],
      [
        ['', 'too_short'],
        ['A'.repeat(8193), 'too_long'],
      ],
    ],
    [
      HELPED,
      'TIMESTAMP',
      [],
      [
        ['', 'too_short'],
        ['0', 'malformed_timestamp'],
        ['0'.repeat(64), 'malformed_timestamp'],
        ['0'.repeat(65), 'too_long'],
      ],
    ],
    [
      SIGNED,
      'TIMESTAMP',
      [],
      [
        ['', 'too_short'],
        ['T', 'malformed_timestamp'],
        ['T'.repeat(64), 'malformed_timestamp'],
        ['T'.repeat(65), 'too_long'],
      ],
    ],
    [
      SIGNED,
      'PASSWORD_CLAIM_SIGNATURE',
      ['A', 'A'.repeat(64)],
      [
        ['', 'too_short'],
        ['A'.repeat(65), 'too_long'],
      ],
    ],
    [
      SIGNED,
      'DEVICE_KEY',
      [key(55)],
      [
        ['', 'too_short'],
        ['x', 'format'],
        [key(56), 'too_long'],
      ],
    ],
  ] as const) {
    for (const text of allowed) assert.deepEqual(listFaults({ ...form, [member]: text }), [], `${member} ${text}`);
    for (const [text, code] of refused) {
      assert.deepEqual(listFaults({ ...form, [member]: text }), [`challenge_value.${member} ${code}`], text);
    }
  }
});

test('the parameters of the challenge have a maximum length', () => {
  for (const [params, faults] of [
    [{ SALT: 'f'.repeat(130) }, []],
    [{ SALT: 'f'.repeat(131) }, ['challenge_params.SALT too_long']],
    [{ SALT: '' }, ['challenge_params.SALT too_short']],
    [{ SRP_B: `${'0'.repeat(767)}abc` }, []],
    [{ SRP_B: 'f'.repeat(771) }, ['challenge_params.SRP_B too_long']],
    [{ SRP_B: '1' }, ['SRP_B public_value_out_of_range']],
  ] as const) {
    assert.deepEqual(listFaults(HELPED, { ...PARAMS, ...params }), faults);
  }
});
