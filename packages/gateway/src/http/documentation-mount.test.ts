import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';
import type { Documentation } from '../kernel/pages.ts';
import { createTestDeps } from '../testing/gateway-deps.ts';
import { createServer } from './server.ts';

const PAGE = Buffer.from('<!doctype html><title>Page</title>');
const FILE = {
  type: 'text/html; charset=utf-8',
  bytes: PAGE,
  encoded: { br: brotliCompressSync(PAGE), gzip: gzipSync(PAGE) },
};

const DOCUMENTATION: Documentation = {
  async find(path) {
    if (path === 'guides/old') return { movedTo: '/docs/how-to/new' };
    return ['', 'how-to/new'].includes(path) ? { file: FILE } : undefined;
  },
};

type App = Awaited<ReturnType<typeof createServer>>;

const show = (app: App, url: string, headers: Readonly<Record<string, string>> = {}) =>
  app.inject({ url, headers: { host: 'localhost', accept: 'text/html', ...headers } });

describe('the documentation of a service in development', () => {
  let app: App;
  before(async () => {
    app = await createServer({ ...createTestDeps({}), documentation: DOCUMENTATION });
  });
  after(() => app.close());

  it('is served at /docs under a policy without inline scripts and styles', async () => {
    for (const url of ['/docs', '/docs/', '/docs/how-to/new']) {
      const { statusCode, body, headers } = await show(app, url);
      assert.deepEqual([statusCode, body], [200, PAGE.toString()], url);
      const policy = String(headers['content-security-policy']).split('; ');
      for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"])
        assert.ok(policy.includes(rule), rule);
      assert.ok(policy.includes("require-trusted-types-for 'script'"));
      assert.equal(headers['x-content-type-options'], 'nosniff');
    }
  });

  it('is compressed for browsers that accept it', async () => {
    const { rawPayload, headers } = await show(app, '/docs', { 'accept-encoding': 'gzip, br' });
    assert.equal(headers['content-encoding'], 'br');
    assert.ok(brotliDecompressSync(rawPayload).equals(PAGE));
  });

  it('redirects old addresses to new ones, and returns 404 for unknown ones', async () => {
    const { statusCode, headers } = await show(app, '/docs/guides/old');
    assert.deepEqual([statusCode, headers.location], [301, '/docs/how-to/new']);
    assert.equal((await show(app, '/docs/none')).statusCode, 404);
  });

  it('leaves /docs/api to the API reference', async () => {
    const { statusCode, body } = await show(app, '/docs/api');
    assert.equal(statusCode, 200);
    assert.match(body, /<details id="login">/);
  });
});

describe('a service without documentation', () => {
  let app: App;
  before(async () => {
    app = await createServer(createTestDeps({}));
  });
  after(() => app.close());

  it('redirects /docs to the API reference, and has nothing below', async () => {
    const { statusCode, headers } = await show(app, '/docs');
    assert.deepEqual([statusCode, headers.location], [302, '/docs/api']);
    assert.equal((await show(app, '/docs/how-to/new')).statusCode, 404);
  });
});
