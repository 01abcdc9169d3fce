import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { ON_COGNITO, REPLICAS } from '../support/provider/tested-provider.ts';
import { assertProblem, startTestService, type TestService } from '../support/services/test-service.ts';

/** What browsers send for a page. */
const ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const NAVIGATION = { accept: ACCEPT, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
const ATTACK = '"><script>alert(1)</script>';

describe('a browser at an address without a page', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.close());

  it('sees a page with the status of the error, its request ID, and a policy that runs nothing', async () => {
    for (const path of ['/cognito/none', '/none', '/cognito/none/below']) {
      const { status, headers, text } = await service.get(path, NAVIGATION);
      assert.equal(status, 404, path);
      assert.equal(headers['content-type'], 'text/html; charset=utf-8');
      assert.match(text, /<html lang="en">[\s\S]*Page not found/);
      assert.ok(text.includes(`<code>${headers['x-request-id']}</code>`));
      const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(text) ?? [];
      const digest = createHash('sha256').update(style).digest('base64');
      assert.equal(
        headers['content-security-policy'],
        `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      );
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.match(String(headers.vary), /Accept/);
    }
  });

  it('is redirected to the sign-in from the root, or to the account with a session; programs get an error', async () => {
    const cookie = '__Host-poolgate=c2Vzc2lvbg';
    for (const [headers, target] of [
      [NAVIGATION, '/cognito/login'],
      [{ ...NAVIGATION, cookie }, '/cognito/account'],
      [{ accept: ACCEPT }, '/cognito/login'],
    ] as const) {
      for (const path of ['/', '/?next=https://evil.test']) {
        const { status, headers: answered } = await service.get(path, headers);
        assert.deepEqual([status, answered.location], [303, target], path);
        assert.equal(answered['cache-control'], 'no-store');
        assert.match(String(answered.vary), /Cookie/);
      }
      assert.equal((await service.get(target, NAVIGATION)).status, 200);
    }
    // Clients of a pool post there. Backed by Cognito, there is no pool to talk to.
    const [status, code] = ON_COGNITO ? ([404, 'not_found'] as const) : ([405, 'method_not_allowed'] as const);
    assertProblem(await service.get('/'), status, code);
    assertProblem(await service.get('/', { cookie }), status, code);
    assert.equal((await service.get('/', { ...NAVIGATION, host: 'evil.test' })).status, 421);
  });

  it('sees the languages of the pages, also right to left', async () => {
    for (const [wanted, language, start, title] of [
      ['de-DE,de;q=0.9', 'de', '<html lang="de">', 'Seite nicht gefunden'],
      ['fr', 'fr', '<html lang="fr">', 'Page introuvable'],
      ['ar-EG,en;q=0.5', 'ar', '<html lang="ar" dir="rtl">', 'الصفحة غير موجودة'],
      ['xx', 'en', '<html lang="en">', 'Page not found'],
    ] as const) {
      const { text, headers } = await service.get('/cognito/none', { ...NAVIGATION, 'accept-language': wanted });
      assert.ok(text.includes(start) && text.includes(title), wanted);
      assert.equal(headers['content-language'], language);
    }
  });

  it('sees a page, but programs get a problem, whatever else they accept', async () => {
    for (const headers of [
      {},
      { accept: 'application/json' },
      { accept: '*/*' },
      { accept: 'text/*' },
      { accept: 'text/html;q=0, application/json' },
      { accept: ACCEPT, 'sec-fetch-mode': 'cors' },
    ]) {
      assertProblem(await service.get('/cognito/none', headers), 404, 'not_found', JSON.stringify(headers));
    }
    assertProblem(await service.ask('POST', '/none', { headers: NAVIGATION, body: {} }), 404, 'not_found');
    // A route of the API stays a route in the address bar.
    assertProblem(await service.get('/user/profile', NAVIGATION), 401, 'unauthenticated');
  });

  it('gets the same response to HEAD as to GET, without the body', async () => {
    for (const path of ['/', '/none', '/cognito/none', '/cognito/login', '/docs/api', '/errors/not_found']) {
      const [get, head] = [
        await service.get(path, NAVIGATION),
        await service.ask('HEAD', path, { headers: NAVIGATION }),
      ];
      assert.deepEqual([head.status, head.text], [get.status, ''], path);
      for (const name of ['content-type', 'content-security-policy', 'cache-control', 'location', 'etag'])
        assert.equal(head.headers[name], get.headers[name], `${path} ${name}`);
    }
    // Routes of the API are called with the methods that the document lists.
    const ofApi = await service.ask('HEAD', '/healthz');
    assert.deepEqual([ofApi.status, ofApi.headers.allow], [405, 'GET']);
  });

  it('sees nothing of the address, the languages or the host', async () => {
    const path = `/cognito/${encodeURIComponent(ATTACK)}?${ATTACK}#${ATTACK}`;
    const { status, text } = await service.get(path.replaceAll(/[<>" ]/g, encodeURIComponent), {
      ...NAVIGATION,
      'accept-language': ATTACK,
      referer: `https://example.com/${encodeURIComponent(ATTACK)}`,
    });
    assert.equal(status, 404);
    assert.doesNotMatch(text, /alert/);
  });

  it('sees limits with the time to wait, and refusals below the prefix', async () => {
    const limited = await startTestService({ limitReads: 1 });
    const asked = Array.from({ length: REPLICAS + 1 }, () => limited.get('/cognito/none', NAVIGATION));
    const refusal = (await Promise.all(asked)).find(({ status }) => status === 429);
    assert.ok(refusal, 'more than each replica allows');
    assert.ok(Number(refusal.headers['retry-after']) >= 1);
    assert.match(refusal.text, /Too many requests/);
    await limited.close();
    const refused = await service.get('/cognito/user/profile', NAVIGATION);
    assert.equal(refused.status, 401);
    assert.match(refused.text, /This page can’t be opened this way/);
  });

  it('sees a page about a limit at every address, with or without a page; programs get a problem', async (t) => {
    const limited = await startTestService({ limitReads: 1 });
    t.after(() => limited.close());
    await limited.get('/docs/api');
    for (const path of [
      '/',
      '/none',
      '/docs/api',
      '/errors/not_found',
      '/confirmUser',
      '/cognito/login',
      '/cognito/not-me',
    ]) {
      const { status, headers, text } = await limited.get(path, { ...NAVIGATION, 'accept-language': 'es' });
      assert.deepEqual([status, headers['content-language']], [429, 'es'], path);
      assert.match(text, /Demasiadas peticiones/, path);
      assertProblem(await limited.get(path), 429, 'too_many_requests', path);
    }
    // Where a route answers with JSON, its errors are JSON, too.
    assertProblem(await limited.get('/login/parameters', NAVIGATION), 429, 'too_many_requests');
  });

  it('sees an error for an unreadable address, and the address of the service if another was opened, without a link', async () => {
    const unread = await service.get('/cognito/%zz', NAVIGATION);
    assert.equal(unread.status, 400);
    assert.match(unread.text, /This page can’t be opened this way[\s\S]*href="\/"/);
    assertProblem(await service.get('/cognito/%zz'), 400, 'malformed_request');
    const host = 'evil.test';
    for (const path of ['/cognito/login', '/docs/api', '/none']) {
      const { status, text } = await service.get(path, { ...NAVIGATION, host });
      assert.equal(status, 421);
      assert.match(text, /<h1>Wrong address<\/h1>/);
      assert.ok(
        text.includes(`<bdi>evil.test</bdi>, but the BASE_URL of this service is <bdi>${service.baseUrl}</bdi>`),
      );
      assert.doesNotMatch(text, /href/);
      const problem = await service.get(path, { host });
      assertProblem(problem, 421, 'misdirected_request');
      assert.deepEqual([problem.body.reason, problem.body.base_url], ['wrong_address', service.baseUrl]);
      assert.doesNotMatch(problem.text, /evil/);
    }
    const unreadable = await service.get('/cognito/login', { ...NAVIGATION, host: '<b>evil.test' });
    assert.equal(unreadable.status, 421);
    assert.match(unreadable.text, /<h1>This page can’t be opened this way/);
    assert.doesNotMatch(unreadable.text, /href|evil|localhost|127\.0\.0\.1/);
  });
});
