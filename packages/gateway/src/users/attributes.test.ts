import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettableAttributes } from './attributes.ts';

test('both forms of attributes give the same list', () => {
  const expected = [
    { Name: 'name', Value: 'Ada' },
    { Name: 'custom:team', Value: 'x' },
  ];
  assert.deepEqual(readSettableAttributes({ name: 'Ada', 'custom:team': 'x' }, 'attributes'), expected);
  assert.deepEqual(readSettableAttributes(expected, 'attributes'), expected);
});

test('identity and verification are never read from a request', () => {
  const forbidden = [
    'sub',
    'email',
    'email_verified',
    'phone_number_verified',
    'status',
    'identities',
    'cognito:groups',
    'cognito:user_status',
    'dev:custom:x',
    'custom:',
    'constructor',
    'toString',
    'Name',
  ];
  for (const name of forbidden) {
    assert.throws(() => readSettableAttributes({ [name]: 'x' }, 'attributes'), { code: 'validation_failed' }, name);
    assert.throws(
      () => readSettableAttributes([{ Name: name, Value: 'x' }], 'attributes'),
      { code: 'validation_failed' },
      name,
    );
  }
});

test('an attribute must not be repeated', () => {
  const twice = [
    { Name: 'name', Value: 'Ada' },
    { Name: 'name', Value: 'Eve' },
  ];
  assert.throws(() => readSettableAttributes(twice, 'attributes'), { code: 'validation_failed' });
});
