import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COGNITO_GROUP } from '@poolgate/srp';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { readPasswordVerifierValue } from './password-verifier-value.ts';

const HASH = 'ab'.repeat(32);
const SIGNED = {
  PASSWORD_CLAIM_SECRET_BLOCK: 'AAAA',
  TIMESTAMP: 'Tue May 7 00:09:40 UTC 2025',
  PASSWORD_CLAIM_SIGNATURE: 'cqQ0Ip04+wh/noggHw+YAcr+WIARM2AE26qpEcvGFLw=',
};
const FIVE = { SALT: 'F3', SECRET_BLOCK: 'AAAA', SRP_B: 'abc', USER_ID_FOR_SRP: 'u', PASSKEY_HASH: HASH };
const UNSIGNED = { PASSWORD_CLAIM_SECRET_BLOCK: 'AAAA', TIMESTAMP: '2025-05-07T00:09:40Z', PASSKEY_HASH: HASH };
const PARAMS = { SALT: 'f3', SRP_B: 'abc', USER_ID_FOR_SRP: 'u', SECRET_BLOCK: 'AAAA' };

const refuses = (value: unknown, params: unknown = PARAMS): void =>
  assert.throws(() => readPasswordVerifierValue(value as string, params as string), { code: 'validation_failed' });

/** Its errors as fields and codes. None if it is valid. */
function listFaults(value: unknown, params: unknown = PARAMS): readonly string[] {
  try {
    readPasswordVerifierValue(value as string, params as string);
    return [];
  } catch (error) {
    assert.ok(error instanceof GatewayError, String(error));
    return (error.errors ?? []).map(({ field, code }) => `${field} ${code}`);
  }
}

test('all three forms are read, as object and as JSON text', () => {
  for (const write of [(value: object) => value as Record<string, string>, JSON.stringify]) {
    assert.equal(readPasswordVerifierValue(write(SIGNED), undefined).claim.kind, 'signed');
    assert.equal(readPasswordVerifierValue(write(FIVE), undefined).claim.kind, 'assisted');
    assert.equal(readPasswordVerifierValue(write(UNSIGNED), write(PARAMS)).claim.kind, 'assisted');
  }
});

test('the five keys contain no time, so the service uses its own', () => {
  const { claim } = readPasswordVerifierValue(FIVE, undefined);
  assert.ok(claim.kind === 'assisted' && claim.time === undefined);
});

test('if the service signs, ISO and Cognito times are accepted; a signed claim keeps the time that was signed', () => {
  const ms = Date.UTC(2025, 4, 7, 0, 9, 40);
  for (const TIMESTAMP of ['2025-05-07T00:09:40Z', '2025-05-07T02:09:40.000+02:00', SIGNED.TIMESTAMP]) {
    const { claim } = readPasswordVerifierValue({ ...UNSIGNED, TIMESTAMP }, PARAMS);
    assert.ok(claim.kind === 'assisted' && claim.time?.ms === ms && claim.time.text === TIMESTAMP, TIMESTAMP);
  }
  refuses({ ...SIGNED, TIMESTAMP: '2025-05-07T00:09:40Z' });
});

test('other forms of the time are refused', () => {
  const wrong = [
    'Tue May 07 00:09:40 UTC 2025',
    'Tue May  7 00:09:40 UTC 2025',
    'mar. mai 7 00:09:40 UTC 2025',
    '0',
    '',
  ];
  for (const TIMESTAMP of wrong) {
    refuses({ ...SIGNED, TIMESTAMP });
    refuses({ ...UNSIGNED, TIMESTAMP });
  }
});

test('a missing or malformed proof is refused', () => {
  const { PASSWORD_CLAIM_SIGNATURE: _, ...without } = SIGNED;
  refuses(without);
  for (const signature of ['', null, [], {}, true, 1]) refuses({ ...SIGNED, PASSWORD_CLAIM_SIGNATURE: signature });
});

test('both a signature and helper keys are refused, and so is neither', () => {
  for (const helper of ['PASSKEY_HASH', 'MESSAGE_BASE64', 'PRIVATE_KEY', 'DEVICE_GROUP_KEY']) {
    refuses({ ...SIGNED, [helper]: HASH });
  }
  refuses({ PASSWORD_CLAIM_SECRET_BLOCK: 'AAAA', TIMESTAMP: SIGNED.TIMESTAMP });
});

test('members of no form, and every missing one, are refused', () => {
  for (const form of [SIGNED, FIVE, UNSIGNED]) {
    refuses({ ...form, MORE: 'x' });
    for (const name of Object.keys(form)) {
      refuses(Object.fromEntries(Object.entries(form).filter(([member]) => member !== name)));
    }
  }
  for (const name of ['SALT', 'SRP_B', 'USER_ID_FOR_SRP']) refuses(UNSIGNED, { ...PARAMS, [name]: 5 });
  assert.throws(() => readPasswordVerifierValue(UNSIGNED, undefined), { code: 'validation_failed' });
});

test('a B that forces the result, and a second spelling of a secret block, are refused', () => {
  const { modulus } = COGNITO_GROUP;
  for (const B of [0n, 1n, modulus - 1n, modulus, 2n * modulus]) refuses({ ...FIVE, SRP_B: B.toString(16) });
  refuses({ ...FIVE, SECRET_BLOCK: 'AAB=' });
  refuses({ ...FIVE, SECRET_BLOCK: 'AAA' });
});

test('an answer cannot reach a prototype', () => {
  refuses('{"__proto__":{"PASSWORD_CLAIM_SIGNATURE":"x"}}');
  refuses('[]');
  refuses('null');
  refuses('not JSON');
  refuses(undefined);
});

test('members have a minimum and a maximum length', () => {
  const key = (length: number) => `us-east-1_${'0'.repeat(length - 10)}`;
  for (const [form, member, allowed, refused] of [
    [
      FIVE,
      'USER_ID_FOR_SRP',
      ['u', 'u'.repeat(128)],
      [
        ['', 'too_short'],
        ['u'.repeat(129), 'too_long'],
      ],
    ],
    [
      FIVE,
      'SALT',
      ['0', 'f'.repeat(130)],
      [
        ['', 'too_short'],
        ['f'.repeat(131), 'too_long'],
        ['g', 'format'],
      ],
    ],
    [
      FIVE,
      'SRP_B',
      [`${'0'.repeat(767)}abc`],
      [
        ['', 'too_short'],
        ['f'.repeat(771), 'too_long'],
        ['g', 'format'],
      ],
    ],
    [
      FIVE,
      'PASSKEY_HASH',
      [],
      [
        ['a'.repeat(63), 'too_short'],
        ['a'.repeat(65), 'too_long'],
      ],
    ],
    [
      FIVE,
      'DEVICE_KEY',
      [key(55)],
      [
        ['', 'too_short'],
        ['x', 'format'],
        [key(56), 'too_long'],
      ],
    ],
    [
      UNSIGNED,
      'PRIVATE_KEY',
      ['a', 'f'.repeat(770)],
      [
        ['', 'too_short'],
        ['f'.repeat(771), 'too_long'],
        ['g', 'format'],
      ],
    ],
    [
      UNSIGNED,
      'MESSAGE_BASE64',
      ['A', 'A'.repeat(8192)],
      [
        ['', 'too_short'],
        ['A'.repeat(8193), 'too_long'],
      ],
    ],
    [
      UNSIGNED,
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
      'PASSWORD_CLAIM_SIGNATURE',
      ['A', 'A'.repeat(64)],
      [
        ['', 'too_short'],
        ['A'.repeat(65), 'too_long'],
      ],
    ],
    [
      SIGNED,
      'PASSWORD_CLAIM_SECRET_BLOCK',
      ['A'.repeat(8192)],
      [
        ['', 'too_short'],
        ['A'.repeat(8193), 'too_long'],
      ],
    ],
  ] as const) {
    for (const text of allowed) assert.deepEqual(listFaults({ ...form, [member]: text }), [], `${member} ${text}`);
    for (const [text, code] of refused) {
      assert.deepEqual(listFaults({ ...form, [member]: text }), [`challenge_value.${member} ${code}`], text);
    }
  }
  assert.deepEqual(listFaults(UNSIGNED, { ...PARAMS, USER_ID_FOR_SRP: '' }), [
    'challenge_params.USER_ID_FOR_SRP too_short',
  ]);
});

test('the result is what was sent, member by member', () => {
  const signed = { PASSWORD_CLAIM_SECRET_BLOCK: 'AAAA', DEVICE_KEY: 'us-east-1_0a' };
  assert.deepEqual(readPasswordVerifierValue({ ...SIGNED, ...signed }, undefined), {
    secretBlockB64: 'AAAA',
    deviceKey: 'us-east-1_0a',
    claim: { kind: 'signed', timestamp: SIGNED.TIMESTAMP, signatureB64: SIGNED.PASSWORD_CLAIM_SIGNATURE },
  });
  const parts = { kind: 'assisted', srpBHex: 'abc', userIdForSrp: 'u', passwordHash: new Uint8Array(32).fill(0xab) };
  assert.deepEqual(readPasswordVerifierValue(FIVE, undefined), {
    secretBlockB64: 'AAAA',
    deviceKey: undefined,
    claim: { ...parts, saltHex: 'F3', privateKeyHex: undefined, time: undefined, messageB64: undefined },
  });
  const more = { PRIVATE_KEY: 'abc', MESSAGE_BASE64: 'AAAA' };
  const time = { text: UNSIGNED.TIMESTAMP, ms: Date.UTC(2025, 4, 7, 0, 9, 40) };
  assert.deepEqual(readPasswordVerifierValue({ ...UNSIGNED, ...more }, PARAMS).claim, {
    ...{ ...parts, saltHex: 'f3', privateKeyHex: 'abc', time, messageB64: 'AAAA' },
  });
});
