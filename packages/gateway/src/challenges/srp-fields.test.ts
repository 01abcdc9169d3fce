import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COGNITO_GROUP, parsePublicValue } from '@poolgate/srp';
import { mapClientSrpErrors, mapProviderSrpErrors, toPoolName } from './srp-fields.ts';

const N = COGNITO_GROUP.modulus;
const DEADLY = [0n, 1n, N - 1n, N, 2n * N, 8n * N].map((value) => value.toString(16));

test('a client value that forces the result is an invalid field under the name that was sent', () => {
  for (const hex of [...DEADLY, '', '00', '-1', '0x10', '٣']) {
    assert.throws(
      () => mapClientSrpErrors(() => parsePublicValue(hex, 'SRP_A', COGNITO_GROUP), { SRP_A: 'srp_a' }),
      (error: { code?: string; errors?: readonly { field: string }[] }) =>
        error.code === 'validation_failed' && error.errors?.[0]?.field === 'srp_a',
      hex,
    );
  }
});

test('a provider value that forces the result is a failure of the provider', async () => {
  for (const hex of DEADLY) {
    await assert.rejects(
      mapProviderSrpErrors(() => parsePublicValue(hex, 'SRP_B', COGNITO_GROUP)),
      { code: 'provider_error' },
    );
  }
});

test('an internal error is not mistaken for a bad value', async () => {
  const defect = (): never => {
    throw new TypeError('defect');
  };
  assert.throws(() => mapClientSrpErrors(defect), TypeError);
  await assert.rejects(mapProviderSrpErrors(defect), TypeError);
});

test('the pool name is everything after the first underscore', () => {
  assert.equal(toPoolName({ userPoolId: 'us-east-1_AbC' }), 'AbC');
  assert.equal(toPoolName({ userPoolId: 'us-east-1_Ab_C' }), 'Ab_C');
});
