import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseForwardedRequest } from './forwarded-request.ts';

const GOOD = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'app.example.com', 'x-forwarded-uri': '/x?y=1' };

it('a proxy describes a request with a web scheme and one host, or not at all', () => {
  const { origin, uri } = parseForwardedRequest(GOOD) ?? assert.fail();
  assert.deepEqual([origin, uri], ['https://app.example.com', '/x?y=1']);
  const rows: readonly (readonly [headers: object, origin: string | undefined])[] = [
    [{ 'x-forwarded-proto': 'http' }, 'http://app.example.com'],
    [{ 'x-forwarded-proto': 'HTTPS' }, undefined],
    [{ 'x-forwarded-proto': 'ftp' }, undefined],
    [{ 'x-forwarded-proto': undefined }, undefined],
    [{ 'x-forwarded-host': undefined }, undefined],
    [{ 'x-forwarded-host': '' }, undefined],
    [{ 'x-forwarded-host': 'app.example.com:8443' }, 'https://app.example.com:8443'],
    [{ 'x-forwarded-host': '[::1]:8443' }, 'https://[::1]:8443'],
    [{ 'x-forwarded-host': 'app.example.com:99999' }, undefined],
    [{ 'x-forwarded-host': '[::1' }, undefined],
    [{ 'x-forwarded-host': 'app.example.com/path' }, undefined],
    [{ 'x-forwarded-host': 'app.example.com?x' }, undefined],
    [{ 'x-forwarded-host': 'user@app.example.com' }, undefined],
    [{ 'x-forwarded-host': ':pass@app.example.com' }, undefined],
  ];
  for (const [headers, wanted] of rows) {
    const told = parseForwardedRequest({ ...GOOD, ...headers });
    assert.equal(told?.origin, wanted, JSON.stringify(headers));
  }
});

it('the address of a forwarded request is a path of up to 2048 characters, otherwise the root', () => {
  const long = `/${'x'.repeat(2047)}`;
  const rows = { '/': '/', '': '/', path: '/', [long]: long, [`${long}x`]: '/' };
  for (const [uri, wanted] of Object.entries(rows)) {
    assert.equal(parseForwardedRequest({ ...GOOD, 'x-forwarded-uri': uri })?.uri, wanted, uri.slice(0, 20));
  }
});

it('a forwarded request is a navigation by its method, and by its mode or accepted types', () => {
  const html = { accept: 'text/html,*/*' };
  const rows: readonly (readonly [headers: object, isNavigation: boolean])[] = [
    [{}, false],
    [html, true],
    [{ ...html, 'x-forwarded-method': 'HEAD' }, true],
    [{ ...html, 'x-forwarded-method': 'POST' }, false],
    [{ 'sec-fetch-mode': 'navigate' }, true],
    [{ ...html, 'sec-fetch-mode': 'cors' }, false],
  ];
  for (const [headers, wanted] of rows) {
    assert.equal(parseForwardedRequest({ ...GOOD, ...headers })?.isNavigation, wanted, JSON.stringify(headers));
  }
});
