import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { PageFacts, Pages } from '../kernel/pages.ts';
import { createTestDeps } from '../testing/gateway-deps.ts';
import { createServer } from './server.ts';

const html = (language: string) => (known: PageFacts) =>
  `<html lang="${language}"><p>${known.hasSession}, ${known.parameters?.provider.client_id}`;
const bytes = (text: string) => new TextEncoder().encode(text);

const TYPES = new Map([
  ['page-1.js', 'text/javascript; charset=utf-8'],
  ['logo-1.svg', 'image/svg+xml'],
]);

const PAGES: Pages = {
  names: ['login', 'account'],
  shells: async () => ['en', 'de'].map((language) => ({ language, html: html(language) })),
  file: async (name) => {
    const type = TYPES.get(name);
    if (type === undefined) return undefined;
    return { type, bytes: bytes('plain'), encoded: { br: bytes('by br'), gzip: bytes('by gzip') } };
  },
};

describe('the pages of the service', () => {
  let app: Awaited<ReturnType<typeof createServer>>;
  before(async () => {
    app = await createServer({ ...createTestDeps({}), pages: PAGES });
  });
  after(() => app.close());
  const get = (url: string, headers: Readonly<Record<string, string>> = {}) => app.inject({ url, headers });

  it('use the language of the browser, contain known facts, and are not cached for other users', async () => {
    const english = await get('/cognito/login');
    assert.deepEqual([english.statusCode, english.body], [200, '<html lang="en"><p>false, 1example23456789']);
    assert.deepEqual([english.headers['content-language'], english.headers['cache-control']], ['en', 'no-cache']);
    assert.match(String(english.headers.vary), /Accept-Language, Cookie/);
    const german = await get('/cognito/account', { 'accept-language': 'de-CH,en;q=0.5', cookie: '__Host-poolgate=x' });
    assert.deepEqual(
      [german.headers['content-language'], german.body],
      ['de', '<html lang="de"><p>true, 1example23456789'],
    );
    assert.match(String(english.headers['content-security-policy']), /default-src/);
    const head = await app.inject({ method: 'HEAD', url: '/cognito/login' });
    assert.deepEqual([head.statusCode, head.body], [200, '']);
  });

  it('use the chosen language, whatever the browser requests', async () => {
    for (const [query, language] of [
      ['?lang=de', 'de'],
      ['?lang=xx', 'en'],
      ['?lang=de&lang=de', 'en'],
      ['', 'en'],
    ] as const) {
      const { headers } = await get(`/cognito/login${query}`, { 'accept-language': 'en' });
      assert.equal(headers['content-language'], language, query);
    }
  });

  it('are sent in the smallest encoding that the browser accepts, each with its own tag', async () => {
    const plain = await get('/cognito/login');
    const tags = new Set([plain.headers.etag]);
    for (const [coding, read] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const sent = await get('/cognito/login', {
        'accept-encoding': coding,
        'if-none-match': String(plain.headers.etag),
      });
      assert.deepEqual([sent.statusCode, sent.headers['content-encoding']], [200, coding]);
      assert.equal(read(sent.rawPayload).toString(), plain.payload);
      tags.add(sent.headers.etag);
      const again = await get('/cognito/login', {
        'accept-encoding': coding,
        'if-none-match': String(sent.headers.etag),
      });
      assert.deepEqual([again.statusCode, again.headers['content-encoding'], again.payload], [304, undefined, '']);
    }
    assert.equal(tags.size, 3);
    assert.match(String(plain.headers.etag), /^"[\w-]{43}"$/);
  });

  it('are not sent again to a browser that has them', async () => {
    const { etag } = (await get('/cognito/login')).headers;
    const same = await get('/cognito/login', { 'if-none-match': String(etag) });
    assert.deepEqual([same.statusCode, same.body], [304, '']);
    assert.match(String(same.headers['content-security-policy']), /default-src/);
    assert.equal(
      (await get('/cognito/login', { 'if-none-match': String(etag), 'accept-language': 'de' })).statusCode,
      200,
    );
    assert.equal(
      (await get('/cognito/login', { 'if-none-match': String(etag), cookie: '__Host-poolgate=x' })).statusCode,
      200,
    );
  });

  it('load files that are cached for a year, in the smallest encoding that the browser accepts', async () => {
    const file = async (accepted?: string) => {
      const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
      const answer = await get('/cognito/assets/page-1.js', headers);
      return [answer.headers['content-encoding'], answer.body];
    };
    const kept = await get('/cognito/assets/page-1.js');
    assert.equal(kept.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.deepEqual(
      [kept.headers.vary, kept.headers['content-type']],
      ['Accept-Encoding', 'text/javascript; charset=utf-8'],
    );
    assert.deepEqual(await file(), [undefined, 'plain']);
    assert.deepEqual(await file('gzip, deflate, BR;q=0.2'), ['br', 'by br']);
    assert.deepEqual(await file('gzip;q=1.0, br;q=0'), ['gzip', 'by gzip']);
    assert.deepEqual(await file('br; q=0.000, gzip;q=0.0'), [undefined, 'plain']);
    assert.deepEqual(await file('br;q=0.1'), ['br', 'by br']);
    assert.deepEqual(await file('identity, brx'), [undefined, 'plain']);
    assert.equal((await get('/cognito/assets/other.js')).statusCode, 404);
  });

  it('load an SVG as UTF-8 whatever it declares, with a policy that loads nothing', async () => {
    const { headers } = await get('/cognito/assets/logo-1.svg');
    assert.equal(headers['content-type'], 'image/svg+xml; charset=utf-8');
    assert.match(String(headers['content-security-policy']), /^default-src 'none'.*sandbox$/);
  });

  it('count toward a limit, including files', async () => {
    const rateLimits = { readsPerMinute: 2, loginStepsPerMinute: 0, userStepsPerMinute: 0, clientStepsPerMinute: 0 };
    for (const url of ['/cognito/login', '/cognito/assets/page-1.js']) {
      const limited = await createServer({ ...createTestDeps({}, { rateLimits }), pages: PAGES });
      const statuses: number[] = [];
      for (let asked = 0; asked < 4; asked += 1) statuses.push((await limited.inject({ url })).statusCode);
      await limited.close();
      assert.deepEqual([statuses[0], statuses.at(-1)], [200, 429], url);
    }
  });

  it('are shown without parameters if there are none now, so that their script requests them', async () => {
    const { provider, ...deps } = createTestDeps({});
    const away = { ...deps, provider: { ...provider, describe: async () => undefined }, pages: PAGES };
    const service = await createServer(away);
    assert.equal((await service.inject({ url: '/cognito/login' })).body, '<html lang="en"><p>false, undefined');
    await service.close();
  });
});
