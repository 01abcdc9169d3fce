import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERRORS, ProviderError } from './provider-error.ts';

test('an error has its code, text, details and fault', () => {
  const cause = new TypeError('x');
  const details = { reason: 'locked', retryAfterSeconds: 7, brokenRules: ['too_short'], cause } as const;
  const error = new ProviderError('NotAuthorizedException', 'Incorrect username or password.', details);
  assert.ok(error instanceof Error);
  assert.equal(error.message, 'Incorrect username or password.');
  assert.deepEqual(
    [error.name, error.code, error.reason, error.retryAfterSeconds, error.brokenRules, error.cause, error.fault],
    ['ProviderError', 'NotAuthorizedException', 'locked', 7, ['too_short'], cause, ERRORS.NotAuthorizedException],
  );
});

test('an error without details has neither details nor a cause', () => {
  const error = new ProviderError('UserNotFoundException', 'User does not exist.');
  assert.deepEqual([error.reason, error.retryAfterSeconds, error.brokenRules], [undefined, undefined, []]);
  assert.equal(Object.hasOwn(error, 'cause'), false);
});
