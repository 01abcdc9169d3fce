import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLoopback, isServedHost, parseHost } from './host.ts';

test('a Host header is read without its port', () => {
  assert.equal(parseHost('Auth.Example.test:8443'), 'auth.example.test');
  assert.equal(parseHost('[::1]:3000'), '[::1]');
  for (const header of [undefined, '', 'a b', 'a/b', 'user@host', 'a?b', '[::1', 'localhost:99999']) {
    assert.equal(parseHost(header), undefined, String(header));
  }
});

test('only its own host and loopback names are accepted', () => {
  const base = 'https://auth.example.test';
  for (const host of ['auth.example.test', 'localhost', '127.0.0.1', '127.1.2.3', '[::1]']) {
    assert.ok(isServedHost(base, host), host);
  }
  for (const host of ['evil.test', 'auth.example.test.evil.test', 'localhost.evil.test', '10.0.0.1', undefined]) {
    assert.ok(!isServedHost(base, host), String(host));
  }
});

test('other spellings of loopback are recognized, others are not', () => {
  assert.ok(isLoopback(parseHost('2130706433')));
  assert.ok(isLoopback(parseHost('0x7f.1')));
  assert.ok(!isLoopback(parseHost('0.0.0.0')));
});

test('repeated checks, with another host in between, give the same results', () => {
  for (const [header, host] of [
    ['a.test', 'a.test'],
    ['a.test', 'a.test'],
    ['b.test:80', 'b.test'],
    ['bad host', undefined],
    ['bad host', undefined],
    [undefined, undefined],
    ['a.test', 'a.test'],
  ] as const) {
    assert.equal(parseHost(header), host);
  }
  assert.ok(isServedHost('https://a.test', 'a.test'));
  assert.ok(!isServedHost('https://b.test', 'a.test'));
  assert.ok(isServedHost('https://b.test', 'b.test'));
});
