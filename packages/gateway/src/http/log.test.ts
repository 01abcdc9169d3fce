import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderError } from '@poolgate/provider';
import { fromProviderError, GatewayError } from '../errors.ts';
import { testDeps } from '../testing/gateway-deps.ts';
import { describeFailure, failureLevel, loggerOptions } from './log.ts';

test('a failure is described by names and places, never by messages', () => {
  const cause = new SyntaxError('Cannot convert Correct-Horse1! to a BigInt');
  const described = describeFailure(new GatewayError('internal_error', 'Correct-Horse1!', { cause }));
  const line = JSON.stringify(described);
  assert.doesNotMatch(line, /Horse/);
  assert.match(line, /SyntaxError/);
  assert.match(line, /log\.test\.ts/);
});

test('a message of several lines does not slip in as a place', () => {
  const line = JSON.stringify(describeFailure(new Error('first\n    Correct-Horse1!')));
  assert.doesNotMatch(line, /Horse/);
});

test('what is thrown without being an error is named by its type only', () => {
  assert.deepEqual(describeFailure('Correct-Horse1!'), { name: 'string' });
});

test('trouble of a provider elsewhere is a warning, and every other failure an error', () => {
  const away = new ProviderError('InternalErrorException', 'x', { reason: 'provider_unavailable' });
  assert.equal(failureLevel(fromProviderError(away)), 'warn');
  assert.equal(failureLevel(away), 'warn');
  assert.equal(failureLevel(fromProviderError(new ProviderError('InternalErrorException', 'x'))), 'error');
  assert.equal(failureLevel(new TypeError('x')), 'error');
  assert.equal(failureLevel('x'), 'error');
});

test('a circle of causes ends', () => {
  const error = new Error('x');
  error.cause = error;
  assert.ok(JSON.stringify(describeFailure(error)).length < 20_000);
});

test('a line loses secret members, its own and those of its objects, and errors their messages', () => {
  const { log } = loggerOptions(testDeps({})).formatters;
  const line = log({
    status: 401,
    password: 'Correct-Horse1!',
    body: { username: 'ada', SECRET_BLOCK: 'AAAA', credential: { id: 'AAAA' }, count: 1 },
    err: new Error('Correct-Horse1!'),
  });
  assert.deepEqual(Object.keys(line), ['status', 'body', 'err']);
  assert.deepEqual(line.body, { username: 'ada', count: 1 });
  assert.doesNotMatch(JSON.stringify(line), /Horse|AAAA/);
});
