import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { GatewayError } from '../errors.ts';
import { sendProblem } from './problem.ts';

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
