import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageScope, Pages } from '../kernel/pages.ts';
import { CLIENT_ID, createTestDeps, POOL } from '../testing/gateway-deps.ts';
import { createServer } from './server.ts';

async function serve(readsPerMinute: number) {
  const scopes: PageScope[] = [];
  const pages: Pages = {
    names: [],
    plainStyle: async (scope) => {
      scopes.push(scope);
      return 'main{color:#123456}';
    },
    shells: async () => [],
    file: async () => undefined,
  };
  const rateLimits = { readsPerMinute, loginStepsPerMinute: 0, userStepsPerMinute: 0, clientStepsPerMinute: 0 };
  const app = await createServer({ ...createTestDeps({}, { rateLimits }), pages });
  const show = async (
    url: string,
    { method = 'GET', host = 'localhost' }: { method?: 'GET' | 'POST'; host?: string } = {},
  ) => {
    const { statusCode, body } = await app.inject({ method, url, headers: { accept: 'text/html', host } });
    assert.match(body, /main\{color:#123456\}/);
    assert.equal(scopes.at(-1)?.userPoolId, POOL.userPoolId);
    return [statusCode, scopes.at(-1)?.clientId];
  };
  return { app, show };
}

test('a page without files has the brand of the app client in its address, if valid', async () => {
  const { app, show } = await serve(0);
  assert.deepEqual(await show('/nowhere?client_id=other'), [404, 'other']);
  assert.deepEqual(await show('/nowhere'), [404, CLIENT_ID]);
  for (const invalid of ['x'.repeat(129), 'a/b', '', '%00'])
    assert.deepEqual(await show(`/nowhere?client_id=${invalid}`), [404, CLIENT_ID], invalid);
  await app.close();
});

test('an uncounted or limited request does not look up an app client', async () => {
  const { app, show } = await serve(1);
  assert.deepEqual(await show('/nowhere?client_id=other', { host: 'elsewhere.example' }), [421, CLIENT_ID]);
  assert.deepEqual(await show('/nowhere?client_id=other'), [404, 'other']);
  assert.deepEqual(await show('/nowhere?client_id=other'), [429, CLIENT_ID]);
  await app.close();
});
