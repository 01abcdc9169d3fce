import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { createTestDeps, createTestProvider } from '../testing/gateway-deps.ts';
import { sendRefusal } from './send-error.ts';
import { createServer } from './server.ts';

const BROWSER = { accept: 'text/html' };
const SCRIPT = { ...BROWSER, 'sec-fetch-mode': 'cors' };
const JSON_TYPE = { 'content-type': 'application/json' };

describe('an error', () => {
  let app: FastifyInstance;
  const lines: string[] = [];
  before(async () => {
    const provider = {
      ...createTestProvider(() => []),
      describe: () => Promise.reject(new TypeError('Correct-Horse1!')),
    };
    app = await createServer(
      createTestDeps(
        { provider, logStream: { write: (line) => lines.push(line) } },
        { logLevel: 'warn', cognitoApi: false },
      ),
    );
  });
  after(() => app.close());

  it('is a page for a person, where a page could have been, and a problem for a program', async () => {
    for (const [method, url, status, isPage] of [
      ['GET', '/nowhere', 404, true],
      ['HEAD', '/nowhere', 404, true],
      ['POST', '/nowhere', 404, false],
      ['GET', '/nowhere?a=/cognito/', 404, true],
      ['GET', '/login/srp', 405, true],
      ['GET', '/user/profile', 401, false],
      ['GET', '/user/profile?a=/cognito/', 401, false],
      ['GET', '/cognito/user/profile', 401, true],
      ['GET', '/cognito/user/profile?a=b', 401, true],
      ['POST', '/cognito/login', 403, false],
      ['GET', '/errors/none', 404, true],
      ['GET', '/dev/mail', 404, true],
      ['GET', '/.poolgate/callback', 422, true],
      ['GET', '/dev/outbox', 404, true],
      ['GET', '/login/parameters', 500, false],
      ['GET', '/%zz', 400, true],
      ['POST', '/%zz', 400, false],
    ] as const) {
      for (const [headers, isShown] of [
        [BROWSER, isPage],
        [SCRIPT, false],
        [{}, false],
      ] as const) {
        const answer = await app.inject({ method, url, headers });
        assert.equal(answer.statusCode, status, `${method} ${url}`);
        const type = isShown ? 'text/html; charset=utf-8' : 'application/problem+json; charset=utf-8';
        assert.equal(answer.headers['content-type'], type, `${method} ${url} ${JSON.stringify(headers)}`);
      }
    }
  });

  it('is a page for a form too, if the route responds with pages, and only for a person', async () => {
    const refuse = Fastify();
    for (const isPage of [true, false]) {
      refuse.post(`/${isPage}`, { config: { isPage } }, (request, reply) =>
        sendRefusal(createTestDeps({}), request, reply, new GatewayError('forbidden')),
      );
    }
    for (const [url, headers, type] of [
      ['/true', BROWSER, /^text\/html/],
      ['/true', SCRIPT, /^application\/problem\+json/],
      ['/false', BROWSER, /^application\/problem\+json/],
    ] as const) {
      const answer = await refuse.inject({ method: 'POST', url, headers });
      assert.equal(answer.statusCode, 403);
      assert.match(String(answer.headers['content-type']), type, url);
    }
    await refuse.close();
  });

  it('is logged if it is a fault of the service, and only then', async () => {
    lines.length = 0;
    for (const url of ['/nowhere', '/user/profile', '/login/srp']) await app.inject(url);
    await app.inject({ method: 'POST', url: '/login', headers: JSON_TYPE, payload: '{' });
    assert.deepEqual(lines, []);
    const failed = await app.inject('/login/parameters');
    assert.deepEqual([failed.statusCode, lines.length], [500, 1]);
    const { level, msg, requestId, failure } = JSON.parse(lines[0] ?? '');
    assert.deepEqual([level, msg, requestId], [50, 'failure', failed.headers['x-request-id']]);
    assert.equal(failure.name, 'TypeError');
    assert.doesNotMatch(failed.payload + lines.join(''), /Horse/);
  });
});
