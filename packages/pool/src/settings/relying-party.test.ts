import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findRelyingPartyIdProblem, isAllowedOrigin, relyingPartyProblem } from './relying-party.ts';

const APP = `android:apk-key-hash:${'A'.repeat(43)}`;

function findProblem(relyingPartyId: string, ...origins: readonly string[]) {
  return relyingPartyProblem({ relyingPartyId, origins });
}

describe('a relying party and its origins', () => {
  it('match if each origin is HTTPS at its name or below it, or HTTP on localhost', () => {
    const good: readonly (readonly [string, ...string[]])[] = [
      ['example.com', 'https://example.com', 'https://login.example.com:8443', APP],
      ['login.example.com', 'https://login.example.com'],
      ['localhost', 'http://localhost:3000', 'https://localhost', 'http://app.localhost:8080'],
      ['xn--bcher-kva.example', 'https://xn--bcher-kva.example'],
    ];
    for (const [id, ...origins] of good) assert.equal(findProblem(id, ...origins), undefined, id);
  });

  it('refuse a relying party that is an address, a single label, or not a domain name as browsers write it', () => {
    const bad = [
      '127.0.0.1',
      '::1',
      '[::1]',
      'com',
      'intranet',
      'Example.com',
      'example.com.',
      '',
      'a..b',
      'a.1',
      '*.b.c',
    ];
    for (const id of [...bad, `${'a.'.repeat(64)}com`, 'https://example.com', 'example.com:443']) {
      assert.equal(findProblem(id, 'https://example.com')?.about, 'relyingPartyId', id);
    }
    assert.match(findProblem('127.0.0.1', 'https://a.b')?.problem ?? '', /^is an IP address/);
  });

  it('report which value is wrong, and why', () => {
    const IP = 'is an IP address, and passkeys belong to names';
    const NO_DOMAIN = 'is not a domain name in lower case';
    const NO_DOT = 'is a name without a dot, for which browsers make no passkeys, localhost apart';
    const longest = `${'a'.repeat(63)}.${'b'.repeat(59)}.com`;
    for (const [id, problem] of [
      ['example.com', undefined],
      ['localhost', undefined],
      [longest, undefined],
      [`a${longest}`, NO_DOMAIN],
      [`${'a'.repeat(63)}.${'b'.repeat(60)}.com`, NO_DOMAIN],
      [`${'a'.repeat(64)}.com`, NO_DOMAIN],
      ['-a.com', NO_DOMAIN],
      ['a-.com', NO_DOMAIN],
      ['127.0.0.1', IP],
      ['[::1]', IP],
      ['intranet', NO_DOT],
    ] as const) {
      assert.equal(findRelyingPartyIdProblem(id), problem, id);
    }
    const ELSEWHERE = 'is neither at the relying party example.com nor below it';
    const NOT_WRITTEN = 'is not an origin as browsers write it';
    for (const [origin, problem] of [
      ['https://example.org', ELSEWHERE],
      ['https://evilexample.com', ELSEWHERE],
      ['https://example.com/', NOT_WRITTEN],
      ['wss://example.com', NOT_WRITTEN],
      ['no origin', NOT_WRITTEN],
      ['http://example.com', 'is not https, and not on localhost'],
      ['http://app.example.com', 'is not https, and not on localhost'],
    ] as const) {
      assert.deepEqual(findProblem('example.com', 'https://example.com', origin), {
        about: 'origins',
        value: origin,
        problem,
      });
    }
    assert.deepEqual(findProblem('example.com'), { about: 'origins', value: undefined, problem: 'names no origin' });
    assert.deepEqual(findProblem('Example.com', 'https://example.com'), {
      about: 'relyingPartyId',
      value: 'Example.com',
      problem: NO_DOMAIN,
    });
  });

  it('refuse an origin elsewhere, without HTTPS, or not as browsers write it', () => {
    const bad = [
      'http://example.com',
      'https://com',
      'https://example.org',
      'https://evilexample.com',
      'https://example.com.evil.test',
      'https://EXAMPLE.com',
      'https://example.com/',
      'https://example.com:443',
      'https://example.com.',
      'https://user@example.com',
      'wss://example.com',
      'null',
      '',
      'android:apk-key-hash:short',
      'http://localhost:3000',
    ];
    for (const origin of bad) {
      assert.equal(findProblem('example.com', 'https://example.com', origin)?.about, 'origins', origin);
    }
    assert.equal(findProblem('example.com')?.problem, 'names no origin');
    assert.match(
      findProblem('login.example.com', 'https://example.com')?.problem ?? '',
      /^is neither at the relying party login.example.com nor below it$/,
    );
  });
});

it("use the relying party's origins if none are named, as in Cognito, and no application's", () => {
  const anywhere = { relyingPartyId: 'example.test', origins: [] };
  for (const origin of ['https://example.test', 'https://login.example.test:8443']) {
    assert.equal(isAllowedOrigin(anywhere, origin), true, origin);
  }
  const strange = [
    'http://example.test',
    'https://example.test.evil.test',
    'https://badexample.test',
    'https://example.test/path',
    `android:apk-key-hash:${'a'.repeat(43)}`,
    'null',
    '',
  ];
  for (const origin of strange) assert.equal(isAllowedOrigin(anywhere, origin), false, origin);
  const local = { relyingPartyId: 'localhost', origins: [] };
  assert.equal(isAllowedOrigin(local, 'http://localhost:5173'), true);
  const named = { relyingPartyId: 'example.test', origins: ['https://app.example.test'] };
  assert.equal(isAllowedOrigin(named, 'https://app.example.test'), true);
  const foreign = [
    'https://example.test',
    'https://APP.example.test',
    'https://app.example.test/',
    'https://app.example.test.',
    'https://app.example.test:8443',
    'https://deeper.app.example.test',
    'http://app.example.test',
    ...strange,
  ];
  for (const origin of foreign) assert.equal(isAllowedOrigin(named, origin), false, origin);
});
