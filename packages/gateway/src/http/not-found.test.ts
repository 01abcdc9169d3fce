import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { trackRoutes } from './not-found.ts';

test('at a known address only the method is wrong, and the allowed ones are listed; otherwise the address is wrong', () => {
  const app = Fastify();
  const missed = trackRoutes(app);
  const handler = async () => '';
  app.route({ method: ['PUT', 'GET'], url: '/users/:name', handler, exposeHeadRoute: false });
  app.route({ method: 'DELETE', url: '/users/:name', handler });
  app.route({ method: 'POST', url: '/users/me', handler });
  app.route({ method: 'POST', url: '/open.json', handler });
  app.options('*', handler);
  for (const [url, code, path, allow] of [
    ['/users/ada@example.com?a=1/b', 'method_not_allowed', '/users/:name', 'DELETE, GET, PUT'],
    ['/users/me', 'method_not_allowed', '/users/:name', 'DELETE, GET, POST, PUT'],
    ['/open.json?x?y', 'method_not_allowed', '/open.json', 'POST'],
    ['/open-json', 'not_found', '/open-json', undefined],
    ['/users', 'not_found', '/users', undefined],
    ['/users/', 'not_found', '/users/', undefined],
    ['/users/ada/groups?token=secret', 'not_found', '/users/ada/groups', undefined],
    ['*', 'not_found', '/', undefined],
    ['/*', 'not_found', '/*', undefined],
  ] as const) {
    const { error, path: shown } = missed(url);
    assert.deepEqual([error.code, shown, error.headers.allow], [code, path, allow], url);
  }
});
