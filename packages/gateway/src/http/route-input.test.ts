import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROUTES } from '@poolgate/contract';
import { createInputReader } from './route-input.ts';

const none = { params: {}, query: {}, body: undefined };
const refused = (field: string) => (error: { code?: string; errors?: readonly { field: string }[] }) =>
  error.code === 'validation_failed' && error.errors?.[0]?.field === field;

test('a GET with a body accepts its members in the query too, and both must agree', () => {
  const read = createInputReader(ROUTES.passkeyChallenges, ROUTES.passkeyChallenges);
  assert.deepEqual(read({ ...none, query: { username: 'ada' } }).body, { username: 'ada' });
  assert.deepEqual(read({ ...none, body: { username: 'ada' } }).body, { username: 'ada' });
  assert.deepEqual(read({ ...none, query: { username: 'ada' }, body: { username: 'ada' } }).body, { username: 'ada' });
  assert.throws(() => read({ ...none, query: { username: 'ada' }, body: { username: 'eve' } }), refused('username'));
  assert.throws(() => read({ ...none, query: { username: ['ada', 'eve'] } }), refused('username'));
  for (const body of [null, [], 'x', 5]) assert.throws(() => read({ ...none, body }), refused(''));
  assert.deepEqual(read({ ...none, query: { username: 'ada' }, body: {} }).body, { username: 'ada' });
  assert.throws(() => read({ ...none, query: { username: 'ada' }, body: { username: 'eve' } }), {
    code: 'validation_failed',
    errors: [{ field: 'username', code: 'mismatch', message: 'has different values in the query and the body' }],
  });
});

test('a GET without a body has no members in its body, whatever its query has', () => {
  const read = createInputReader(ROUTES.adminUserList, ROUTES.adminUserList);
  assert.deepEqual(read({ ...none, query: { limit: '5' } }), { params: {}, query: { limit: '5' }, body: {} });
  assert.throws(() => read({ ...none, query: { limit: 'x' } }), { message: 'The request is invalid.' });
});

test('its POST variant accepts them only in the body', () => {
  const read = createInputReader(ROUTES.passkeyChallenges, { method: 'POST', path: '/login/passkey/challenge' });
  assert.throws(() => read({ ...none, query: { username: 'ada' } }), refused('username'));
});

test('a parameter that is missing in the path is a member of the body; one in the path is not', () => {
  const key = 'us-east-1_0a';
  const bare = createInputReader(ROUTES.deviceForget, { method: 'DELETE', path: '/device' });
  assert.deepEqual(bare({ ...none, body: { device_key: key } }).params, { device_key: key });
  for (const body of [undefined, {}, { other: key }, null, 'x', [key]])
    assert.throws(() => bare({ ...none, body }), refused('device_key'));
  assert.throws(() => bare({ ...none, query: { device_key: key } }), refused('device_key'));
  const inPath = createInputReader(ROUTES.deviceForget, ROUTES.deviceForget);
  const both = { ...none, params: { device_key: key }, body: { device_key: 'us-east-1_0b' } };
  assert.deepEqual(inPath(both).params, { device_key: key });
});
