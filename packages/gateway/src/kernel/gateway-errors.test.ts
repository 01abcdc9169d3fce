import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERRORS as CONTRACT_ERRORS } from '@poolgate/contract';
import { ERRORS, ProviderError, type ProviderErrorCode, type RefusalReason } from '@poolgate/provider';
import {
  convertProviderError,
  GatewayError,
  mapProviderErrors,
  toErrorCode,
  toGatewayError,
} from './gateway-errors.ts';

const PROVIDER_CODES = Object.keys(ERRORS) as ProviderErrorCode[];
const PROVIDER_TEXT = 'Provider text of arn:aws:secret';

/** The operator's trigger writes this for its caller. */
const SHOWS_ITS_TEXT: ReadonlySet<ProviderErrorCode> = new Set(['UserLambdaValidationException']);

test('every error of a provider has a code of the contract, and its own text stays internal', () => {
  for (const code of PROVIDER_CODES) {
    const refusal = convertProviderError(new ProviderError(code, PROVIDER_TEXT));
    assert.ok(CONTRACT_ERRORS[refusal.code], code);
    assert.notEqual(refusal.code, 'internal_error', code);
    const shown = JSON.stringify([refusal.message, refusal.errors ?? null, refusal.headers]);
    assert.equal(shown.includes(PROVIDER_TEXT), SHOWS_ITS_TEXT.has(code), code);
    assert.ok(!shown.includes('Exception'), code);
    assert.ok(refusal.cause instanceof ProviderError);
  }
});

test('no code at a login reveals whether a user exists', () => {
  for (const code of ['NotAuthorizedException', 'UserNotFoundException'] as const) {
    assert.equal(toErrorCode(new ProviderError(code, '')), 'invalid_credentials');
  }
});

test('disabled, unknown and mistyped users get the same error', () => {
  const reasons: readonly RefusalReason[] = ['invalid_credentials', 'user_disabled', 'temporary_password_expired'];
  const shown = reasons.map((reason) => {
    const { code, message } = convertProviderError(new ProviderError('NotAuthorizedException', reason, { reason }));
    return `${code} ${message}`;
  });
  assert.equal(new Set(shown).size, 1);
});

test('a reason is more specific than the code', () => {
  const error = new ProviderError('NotAuthorizedException', '', { reason: 'locked', retryAfterSeconds: 30 });
  const refusal = convertProviderError(error);
  assert.equal(refusal.code, 'too_many_requests');
  assert.equal(refusal.retryAfterSeconds, 30);
});

test('a limit always includes the time to retry', () => {
  assert.equal(convertProviderError(new ProviderError('TooManyRequestsException', '')).retryAfterSeconds, 1);
});

test('a route may map a code differently, but not a reason', async () => {
  const refusals = { NotAuthorizedException: 'invalid_grant' } as const;
  const refuse = (error: Error): Promise<never> => mapProviderErrors(Promise.reject(error), refusals);
  await assert.rejects(refuse(new ProviderError('NotAuthorizedException', '')), { code: 'invalid_grant' });
  await assert.rejects(refuse(new ProviderError('NotAuthorizedException', '', { reason: 'locked' })), {
    code: 'too_many_requests',
  });
  await assert.rejects(refuse(new TypeError('a defect')), TypeError);
});

test('an internal error gives no details, and an unreachable store asks to retry', () => {
  const defect = toGatewayError(new TypeError('password is Correct-Horse1!'));
  assert.equal(defect.status, 500);
  assert.doesNotMatch(defect.message, /Horse/);
  const unavailable = toGatewayError(Object.assign(new Error('gone'), { code: 'store_unavailable' }));
  assert.equal(unavailable.status, 503);
  assert.equal(unavailable.retryAfterSeconds, 1);
  const own = new GatewayError('forbidden');
  assert.equal(toGatewayError(own), own);
});
