import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { createProblemBody, createProblemHeaders, sendProblem, toHttpGatewayError } from './problem.ts';

/** The header of an error response. */
async function fetchRetryAfter(retryAfterSeconds?: number) {
  const app = Fastify();
  const options = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  app.get('/', (request, reply) => sendProblem(request, reply, new GatewayError('unavailable', undefined, options)));
  const { headers } = await app.inject('/');
  await app.close();
  return headers['retry-after'];
}

test('Retry-After is a whole number of seconds, rounded up, and at least one', async () => {
  for (const [seconds, sent] of [
    [0, '1'],
    [0.001, '1'],
    [1, '1'],
    [1.001, '2'],
    [8.5, '9'],
    [899.2, '900'],
    [900, '900'],
  ] as const) {
    assert.equal(await fetchRetryAfter(seconds), sent);
  }
  assert.equal(await fetchRetryAfter(), undefined);
});

test('a problem has the members of RFC 9457, and more if there is more to say', () => {
  const plain = {
    type: 'about:blank',
    title: '',
    status: 404,
    detail: 'x',
    instance: 'urn:uuid:r1',
    code: 'not_found',
  };
  const { type, title, ...rest } = createProblemBody(new GatewayError('not_found', 'x'), 'r1');
  const { type: _type, title: _title, ...expected } = plain;
  assert.deepEqual(rest, expected);
  assert.match(type, /not_found$/);
  assert.ok(title.length > 0);
  const errors = [{ field: 'a', code: 'b', message: 'c' }];
  const more = createProblemBody(new GatewayError('unauthenticated', 'x', { errors, reason: 'expired' }), 'r1');
  assert.deepEqual([more.reason, more.errors, more.status], ['expired', errors, 401]);
});

test('an unauthenticated caller learns how to authenticate, unless the error is more specific', () => {
  const createHeaders = (...given: ConstructorParameters<typeof GatewayError>) =>
    createProblemHeaders(new GatewayError(...given));
  assert.deepEqual(createHeaders('unauthenticated'), { 'www-authenticate': 'Bearer' });
  const headers = { 'www-authenticate': 'Basic', 'x-note': 'a' };
  assert.deepEqual(createHeaders('unauthenticated', 'x', { headers }), headers);
  assert.deepEqual(createHeaders('forbidden'), {});
  assert.deepEqual(createHeaders('forbidden', 'x', { headers, retryAfterSeconds: 2 }), {
    ...headers,
    'retry-after': '2',
  });
});

test('errors of the framework have the code of their status, and all others are internal errors without details', () => {
  const refusal = (statusCode: number, code = 'FST_ERR_X') =>
    toHttpGatewayError(Object.assign(new Error('Correct-Horse1!'), { code, statusCode }));
  for (const [status, code] of [
    [400, 'malformed_request'],
    [404, 'not_found'],
    [408, 'request_timeout'],
    [413, 'payload_too_large'],
    [414, 'uri_too_long'],
    [415, 'unsupported_media_type'],
    [431, 'headers_too_large'],
    [418, 'internal_error'],
    [500, 'internal_error'],
  ] as const) {
    const error = refusal(status);
    assert.equal(error.code, code);
    assert.equal(error.status, code === 'internal_error' ? 500 : status);
    assert.doesNotMatch(error.message, /Horse/);
  }
  assert.equal(refusal(400, 'EBADF').code, 'internal_error');
  for (const thrown of ['Correct-Horse1!', null, undefined, { code: 'FST_ERR_X', statusCode: 400 }]) {
    assert.equal(toHttpGatewayError(thrown).code, 'internal_error');
  }
});
