import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createClientKeyFetch } from './fetch-client-keys.ts';

const KEYS = '{"keys":[]}';

/** A server of documents, and the number of its requests. */
async function serve(context: TestContext) {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    if (url === '/moved') response.writeHead(302, { location: '/keys' }).end();
    else if (url === '/long') response.end('x'.repeat(70_000));
    else response.writeHead(url === '/keys' ? 200 : 404).end(KEYS);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

test('keys are read only from their address, without redirects', async (context) => {
  const { base, asked } = await serve(context);
  const fetchKeys = createClientKeyFetch({ allowPrivate: true });
  assert.equal(await fetchKeys(`${base}/keys`), KEYS);
  for (const path of ['/moved', '/long', '/none']) assert.equal(await fetchKeys(`${base}${path}`), undefined, path);
  assert.equal(await fetchKeys('http://127.0.0.1:1/keys'), undefined);
  assert.deepEqual(asked, ['/keys', '/moved', '/long', '/none']);
});

test('nothing connects to an address that is not public, or without TLS', async (context) => {
  const { base, asked } = await serve(context);
  const lookup: Parameters<typeof createClientKeyFetch>[0]['lookup'] = (_host, _options, found) =>
    found(null, [{ address: '127.0.0.1', family: 4 }]);
  const fetchKeys = createClientKeyFetch({ allowPrivate: false, lookup });
  const { port } = new URL(base);
  for (const url of [`${base}/keys`, `https://127.0.0.1:${port}/keys`, `https://keys.example:${port}/keys`]) {
    assert.equal(await fetchKeys(url), undefined, url);
  }
  assert.deepEqual(asked, []);
});
