import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ErrorCode } from '@poolgate/contract';
import Fastify from 'fastify';
import { GatewayError, type GatewayErrorOptions } from '../kernel/gateway-errors.ts';
import { acceptsPage, isPageRequest, sendErrorPage } from './error-page.ts';
import { ERROR_PAGE_TEXTS } from './error-page-texts.ts';

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

test("a navigation that accepts HTML by name is a person's", () => {
  for (const [headers, isPerson] of [
    [HTML, true],
    [{ accept: 'text/html' }, true],
    [{ accept: 'application/json, text/html;q=0.5' }, true],
    [{ ...HTML, 'sec-fetch-mode': 'navigate' }, true],
    [{ ...HTML, 'sec-fetch-mode': 'cors' }, false],
    [{ 'sec-fetch-mode': 'navigate' }, false],
    [{ accept: '*/*' }, false],
    [{ accept: 'text/html;q=0' }, false],
    [{ accept: 'text/htmlx' }, false],
    [{}, false],
  ] as const) {
    assert.equal(acceptsPage({ headers }), isPerson, JSON.stringify(headers));
    assert.equal(isPageRequest({ headers, method: 'GET' }), isPerson);
    assert.equal(isPageRequest({ headers, method: 'HEAD' }), isPerson);
    assert.equal(isPageRequest({ headers, method: 'POST' }), false);
  }
});

async function renderPage(code: ErrorCode, language = 'en', options: GatewayErrorOptions = {}) {
  const app = Fastify({ genReqId: () => 'r<1>' });
  app.get('/', (request, reply) =>
    sendErrorPage(request, reply, new GatewayError(code, 'x', { retryAfterSeconds: 2, ...options })),
  );
  const answer = await app.inject({ url: '/', headers: { 'accept-language': language } });
  await app.close();
  return answer;
}

test('a page shows the kind of error, with the status and the headers that a program would get', async () => {
  for (const [code, status, title] of [
    ['not_found', 404, 'Page not found'],
    ['method_not_allowed', 405, 'This page can’t be opened this way'],
    ['too_many_requests', 429, 'Too many requests'],
    ['malformed_request', 400, 'This page can’t be opened this way'],
    ['headers_too_large', 431, 'This page can’t be opened this way'],
    ['internal_error', 500, 'Something went wrong'],
    ['unavailable', 503, 'Something went wrong'],
    ['timeout', 504, 'Something went wrong'],
  ] as const) {
    const { statusCode, headers, payload } = await renderPage(code);
    assert.equal(statusCode, status, code);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    assert.deepEqual([headers['retry-after'], headers.vary], ['2', 'Accept, Accept-Language']);
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; style-src 'sha256-[^']+'; base-uri/);
    assert.match(
      payload,
      new RegExp(`<title>${title}</title>.*<p class="status">${status}</p>\n<h1>${title}</h1>`, 's'),
    );
    assert.match(payload, /<p class="link"><a href="\/">Go to the start page<\/a><\/p>\n<p class="request">/);
    assert.match(payload, /<code>r&lt;1&gt;<\/code>/);
  }
});

test('a request for another host gets no link to the start of this one', async () => {
  const { statusCode, payload } = await renderPage('misdirected_request');
  assert.equal(statusCode, 421);
  assert.doesNotMatch(payload, /<a /);
  assert.match(payload, /If you contact support/);
});

test('a page shows the opened address and the right one, as text, in every language', async () => {
  const address = { opened: 'a<b>$&', baseUrl: 'https://login.example' };
  for (const language of Object.keys(ERROR_PAGE_TEXTS)) {
    const { payload } = await renderPage('csrf_failed', language, { reason: 'wrong_address', address });
    assert.ok(payload.includes('<bdi>a&lt;b&gt;$&amp;</bdi>'), payload);
    assert.ok(payload.includes('<bdi>https://login.example</bdi>'), payload);
    assert.match(payload, /BASE_URL/);
    assert.doesNotMatch(payload, /\{\w+\}|<b>/);
    const cookies = await renderPage('csrf_failed', language, { reason: 'cookies_missing' });
    assert.match(cookies.payload, /localhost/);
    assert.doesNotMatch(cookies.payload, /\{\w+\}|BASE_URL/);
  }
});

test('a page has the language of the browser and its direction', async () => {
  for (const [asked, language, title] of [
    ['de-CH', 'de', 'Seite nicht gefunden'],
    ['fr', 'fr', 'Page introuvable'],
    ['xx', 'en', 'Page not found'],
  ] as const) {
    const { headers, payload } = await renderPage('not_found', asked);
    assert.equal(headers['content-language'], language);
    assert.ok(payload.startsWith(`<!doctype html>\n<html lang="${language}">\n`), payload);
    assert.ok(payload.includes(`<h1>${title}</h1>`));
  }
  const { payload } = await renderPage('not_found', 'ar');
  assert.ok(payload.startsWith('<!doctype html>\n<html lang="ar" dir="rtl">\n'));
});
