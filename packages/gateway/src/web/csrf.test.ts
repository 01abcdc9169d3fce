import assert from 'node:assert/strict';
import { it } from 'node:test';
import { requireCsrfToken, requireSameOrigin } from './csrf.ts';

const BASE = 'https://login.example.com';
const OWN = { host: 'login.example.com', origin: BASE };

it('a change comes from a page of the service, under its name or that of its own machine', () => {
  for (const headers of [
    OWN,
    { origin: BASE },
    { ...OWN, 'sec-fetch-site': 'same-origin' },
    { host: OWN.host, 'sec-fetch-site': 'same-origin' },
    { host: 'localhost:3000', origin: 'http://localhost:3000' },
    { host: '[::1]', origin: 'https://[::1]' },
  ]) {
    assert.doesNotThrow(() => requireSameOrigin(BASE, headers), JSON.stringify(headers));
  }
  for (const headers of [
    {},
    { host: OWN.host },
    { host: 'evil.example', origin: 'http://evil.example' },
    { host: 'evil.example', origin: 'https://evil.example' },
    { host: 'localhost:3000', origin: 'https://evil.example' },
    { ...OWN, 'sec-fetch-site': 'cross-site' },
    { host: OWN.host, 'sec-fetch-site': 'none' },
  ]) {
    assert.throws(() => requireSameOrigin(BASE, headers), { code: 'csrf_failed' }, JSON.stringify(headers));
  }
});

it('a page of the service at another address gets both addresses', () => {
  for (const headers of [
    { host: 'login.example.com:3000', origin: 'http://login.example.com:3000' },
    { host: 'login.example.com', origin: 'http://login.example.com' },
    { host: 'localhost:3000', origin: 'https://login.example.com:8443', 'sec-fetch-site': 'same-origin' },
  ]) {
    const address = { opened: headers.origin, baseUrl: BASE };
    const refused = { code: 'csrf_failed', reason: 'wrong_address', address };
    assert.throws(() => requireSameOrigin(BASE, headers), refused, headers.origin);
  }
  const elsewhere = { host: 'login.example.com', origin: 'https://evil.example' };
  assert.throws(() => requireSameOrigin(BASE, elsewhere), { code: 'csrf_failed', reason: undefined });
});

it('a page whose cookies do not arrive is told so, and one without a token is not', () => {
  const findReason = (headers: Parameters<typeof requireCsrfToken>[1]): unknown => {
    try {
      requireCsrfToken(undefined, headers);
    } catch (error) {
      return (error as { reason?: string }).reason ?? 'none';
    }
    return 'accepted';
  };
  const sent = { 'x-csrf-token': 'secret' };
  assert.equal(findReason(sent), 'cookies_missing');
  assert.equal(findReason({ ...sent, cookie: 'x__Host-poolgate=1; __Host-poolgate-app=1' }), 'cookies_missing');
  assert.equal(findReason({}), 'none');
  for (const cookie of ['__Host-poolgate=1', 'a=1; __Host-poolgate-login=old', 'a=1;__Host-poolgate=1'])
    assert.equal(findReason({ ...sent, cookie }), 'none', cookie);
});

it('a change has the expected token, and a missing one is refused', () => {
  assert.doesNotThrow(() => requireCsrfToken('secret', { 'x-csrf-token': 'secret' }));
  const rows: readonly (readonly [expected: string | undefined, sent: string | undefined])[] = [
    ['secret', undefined],
    ['secret', ''],
    ['secret', 'Secret'],
    ['secret', 'secre'],
    [undefined, undefined],
    [undefined, ''],
    [undefined, 'secret'],
  ];
  for (const [expected, sent] of rows) {
    const refused = () => requireCsrfToken(expected, { 'x-csrf-token': sent });
    assert.throws(refused, { code: 'csrf_failed' }, `${expected} ${sent}`);
  }
});
