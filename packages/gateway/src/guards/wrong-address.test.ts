import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERRORS } from '@poolgate/contract';
import { findOwnPageOrigin, wrongHostError, wrongPageAddressError } from './wrong-address.ts';

const BASE = 'https://login.example';

test("a page of this service is recognized at any address, by its browser's headers or by the host", () => {
  const http = { host: 'login.example:3000', origin: 'http://login.example:3000' };
  for (const headers of [
    http,
    { ...http, host: 'LOGIN.example:3000' },
    { host: 'login.example:80', origin: 'http://login.example' },
    { host: '[::1]:3000', origin: 'http://[::1]:3000' },
    { host: 'localhost:3000', origin: BASE, 'sec-fetch-site': 'same-origin' },
  ]) {
    assert.equal(findOwnPageOrigin(headers), headers.origin, JSON.stringify(headers));
  }
  for (const headers of [
    {},
    { host: http.host },
    { origin: http.origin },
    { ...http, origin: 'http://evil.example' },
    { ...http, origin: 'http://login.example:3001' },
    { ...http, origin: 'null' },
    { ...http, origin: 'http://login.example:3000/' },
    { ...http, 'sec-fetch-site': 'same-site' },
    { ...http, 'sec-fetch-site': 'cross-site' },
    { host: 'login.example:3000 x', origin: http.origin },
    { host: 'evil@login.example:3000', origin: http.origin },
    {
      host: 'login.example:3000',
      origin: `http://${'a'.repeat(60)}.${'b'.repeat(61)}`,
      'sec-fetch-site': 'same-origin',
    },
  ]) {
    assert.equal(findOwnPageOrigin(headers), undefined, JSON.stringify(headers));
  }
});

test('a refusal names both addresses, and what to change', () => {
  const told = 'but BASE_URL is https://login.example. Open https://login.example, or change BASE_URL';
  const page = wrongPageAddressError(BASE, 'http://login.example:3000');
  assert.deepEqual([page.status, page.code, page.reason], [403, 'csrf_failed', 'wrong_address']);
  assert.deepEqual(page.address, { opened: 'http://login.example:3000', baseUrl: BASE });
  assert.match(page.message, new RegExp(`opened at http://login\\.example:3000, ${told}`));
  const host = wrongHostError(BASE, 'other.example:3000');
  assert.deepEqual([host.status, host.code, host.reason], [421, 'misdirected_request', 'wrong_address']);
  assert.equal(host.address?.opened, 'other.example:3000');
  assert.match(host.message, /BASE_URL, which is https:\/\/login\.example\. Open .*, or change BASE_URL/);
  assert.doesNotMatch(host.message, /other\.example/);
});

test('a long or invalid host is not repeated', () => {
  assert.equal(wrongHostError(BASE, 'a'.repeat(128)).address?.opened.length, 128);
  for (const host of [undefined, '', 'a'.repeat(129), '<b>', 'a b', 'a"', 'a\n', 'ä.example', '\u001b[2J']) {
    const { code, reason, address, message } = wrongHostError(BASE, host);
    assert.deepEqual([code, reason, address], ['misdirected_request', undefined, undefined]);
    assert.equal(message, ERRORS.misdirected_request.explanation);
  }
});
