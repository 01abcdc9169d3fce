import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COGNITO_GROUP } from '@poolgate/srp';
import { readVerifierValue } from './verifier-value.ts';

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
  assert.throws(() => readVerifierValue(value as string, params as string), { code: 'validation_failed' });

test('all three forms are read, as object and as JSON text', () => {
  for (const write of [(value: object) => value as Record<string, string>, JSON.stringify]) {
    assert.equal(readVerifierValue(write(SIGNED), undefined).claim.kind, 'signed');
    assert.equal(readVerifierValue(write(FIVE), undefined).claim.kind, 'assisted');
    assert.equal(readVerifierValue(write(UNSIGNED), write(PARAMS)).claim.kind, 'assisted');
  }
});

test('the five keys carry no time: the service takes its own', () => {
  const { claim } = readVerifierValue(FIVE, undefined);
  assert.ok(claim.kind === 'assisted' && claim.time === undefined);
});

test('where the service signs, ISO and Cognito times are good; a signed claim has the time that was signed', () => {
  const ms = Date.UTC(2025, 4, 7, 0, 9, 40);
  for (const TIMESTAMP of ['2025-05-07T00:09:40Z', '2025-05-07T02:09:40.000+02:00', SIGNED.TIMESTAMP]) {
    const { claim } = readVerifierValue({ ...UNSIGNED, TIMESTAMP }, PARAMS);
    assert.ok(claim.kind === 'assisted' && claim.time?.ms === ms && claim.time.text === TIMESTAMP, TIMESTAMP);
  }
  refuses({ ...SIGNED, TIMESTAMP: '2025-05-07T00:09:40Z' });
});

test('A17: other forms of the time are refused', () => {
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

test('A5: an absent or senseless proof is refused', () => {
  const { PASSWORD_CLAIM_SIGNATURE: _, ...without } = SIGNED;
  refuses(without);
  for (const signature of ['', null, [], {}, true, 1]) refuses({ ...SIGNED, PASSWORD_CLAIM_SIGNATURE: signature });
});

test('A15: a signature beside helper keys is refused, and so is neither', () => {
  for (const helper of ['PASSKEY_HASH', 'MESSAGE_BASE64', 'PRIVATE_KEY', 'DEVICE_GROUP_KEY']) {
    refuses({ ...SIGNED, [helper]: HASH });
  }
  refuses({ PASSWORD_CLAIM_SECRET_BLOCK: 'AAAA', TIMESTAMP: SIGNED.TIMESTAMP });
});

test('members that belong to no form, and every missing one, are refused', () => {
  for (const form of [SIGNED, FIVE, UNSIGNED]) {
    refuses({ ...form, MORE: 'x' });
    for (const name of Object.keys(form)) {
      refuses(Object.fromEntries(Object.entries(form).filter(([member]) => member !== name)));
    }
  }
  for (const name of ['SALT', 'SRP_B', 'USER_ID_FOR_SRP']) refuses(UNSIGNED, { ...PARAMS, [name]: 5 });
  assert.throws(() => readVerifierValue(UNSIGNED, undefined), { code: 'validation_failed' });
});

test('B that fixes the outcome, and a secret block with a second spelling, are refused', () => {
  const { modulus } = COGNITO_GROUP;
  for (const B of [0n, 1n, modulus - 1n, modulus, 2n * modulus]) refuses({ ...FIVE, SRP_B: B.toString(16) });
  refuses({ ...FIVE, SECRET_BLOCK: 'AAB=' });
  refuses({ ...FIVE, SECRET_BLOCK: 'AAA' });
});

test('A105: an answer cannot reach a prototype', () => {
  refuses('{"__proto__":{"PASSWORD_CLAIM_SIGNATURE":"x"}}');
  refuses('[]');
  refuses('null');
  refuses('not JSON');
  refuses(undefined);
});
