import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { GatewayError } from '../errors.ts';
import { asGatewayError, sendProblem } from './problem.ts';

/** The header that an error is sent with. */
async function retryAfterOf(retryAfterSeconds?: number) {
  const app = Fastify();
  const options = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  app.get('/', (request, reply) => sendProblem(request, reply, new GatewayError('unavailable', undefined, options)));
  const { headers } = await app.inject('/');
  await app.close();
  return headers['retry-after'];
}

test('Retry-After is a whole number of seconds, never fewer than are left, and one at least', async () => {
  for (const [seconds, sent] of [
    [0, '1'],
    [0.001, '1'],
    [1, '1'],
    [1.001, '2'],
    [8.5, '9'],
    [899.2, '900'],
    [900, '900'],
  ] as const) {
    assert.equal(await retryAfterOf(seconds), sent);
  }
  assert.equal(await retryAfterOf(), undefined);
});

test('refusals of the framework have the code of their status, and all else is a defect that says nothing', () => {
  const refusal = (statusCode: number, code = 'FST_ERR_X') =>
    asGatewayError(Object.assign(new Error('Correct-Horse1!'), { code, statusCode }));
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
  assert.equal(asGatewayError('Correct-Horse1!').code, 'internal_error');
});
