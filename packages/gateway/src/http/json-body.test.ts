import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { toGatewayError } from '../kernel/gateway-errors.ts';
import { decorateRequests } from './decorate-requests.ts';
import { acceptJson, hasBody, readRawBody } from './json-body.ts';

test('a length or a transfer encoding announces a body', () => {
  for (const [headers, follows] of [
    [{}, false],
    [{ 'content-length': '0' }, false],
    [{ 'content-length': '1' }, true],
    [{ 'content-length': '65536' }, true],
    [{ 'transfer-encoding': 'chunked' }, true],
    [{ 'content-type': 'application/json' }, false],
  ] as const) {
    assert.equal(hasBody({ headers }), follows, JSON.stringify(headers));
  }
});

/** A service that returns what it read. */
function echo() {
  const app = Fastify();
  decorateRequests(app);
  acceptJson(app);
  app.setErrorHandler((error, _request, reply) => {
    const { statusCode } = error as { statusCode?: number };
    const { status, code, message } = toGatewayError(error);
    return statusCode === undefined ? reply.code(status).send({ code, message }) : reply.code(statusCode).send({});
  });
  app.route({
    method: ['GET', 'POST'],
    url: '/',
    handler: async (request) => ({ body: request.body ?? null, bytes: readRawBody(request).toString('latin1') }),
  });
  return app;
}

test('JSON is read byte for byte, on GET too; an empty body counts as missing', async () => {
  const app = echo();
  for (const [payload, body] of [
    ['5', 5],
    ['{"a":[1]}', { a: [1] }],
    [' null ', null],
    ['', null],
  ] as const) {
    for (const method of ['GET', 'POST'] as const) {
      const headers = { 'content-type': 'application/json', 'content-length': `${payload.length}` };
      const answer = await app.inject({ method, url: '/', headers, payload });
      assert.deepEqual([answer.statusCode, answer.json()], [200, { body, bytes: payload }], `${method} ${payload}`);
    }
  }
  await app.close();
});

test('any other type is refused, except for a GET without a body, whose type is ignored', async () => {
  const app = echo();
  const fetchStatus = async (method: 'GET' | 'POST', payload?: string) =>
    (
      await app.inject({
        method,
        url: '/',
        headers: { 'content-type': 'text/plain' },
        ...(payload === undefined ? {} : { payload }),
      })
    ).statusCode;
  assert.equal(await fetchStatus('GET'), 200);
  assert.equal(await fetchStatus('GET', 'x'), 415);
  assert.equal(await fetchStatus('POST', 'x'), 415);
  assert.equal(await fetchStatus('POST'), 415);
  await app.close();
});

test('invalid JSON or UTF-8 is a malformed request with an explanation', async () => {
  const app = echo();
  const postForRefusal = async (payload: string | Buffer) => {
    const answer = await app.inject({
      method: 'POST',
      url: '/',
      headers: { 'content-type': 'application/json' },
      payload,
    });
    assert.equal(answer.statusCode, 400);
    return answer.json();
  };
  assert.deepEqual(await postForRefusal(Buffer.from([0x22, 0xff, 0x22])), {
    code: 'malformed_request',
    message: 'The body is not valid UTF-8.',
  });
  assert.equal((await postForRefusal('{')).code, 'malformed_request');
  await app.close();
});
