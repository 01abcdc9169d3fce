import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCanonicalRequests, groupHeadersByName } from './sigv4-canonical.ts';

const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** The paths and queries of the forms in which a target may have been signed. */
function createForms(target: string): readonly string[] {
  const request = { method: 'GET', target, rawHeaders: [], body: Buffer.alloc(0) };
  return createCanonicalRequests(request, new Map([['host', ['a']]]), ['host']).map((text) => {
    const [method, path, query, ...rest] = text.split('\n');
    assert.deepEqual([method, ...rest], ['GET', 'host:a', '', 'host', EMPTY]);
    return `${path}?${query}`;
  });
}

test('a target has the forms in which signers write it, and no others', () => {
  for (const [target, ...forms] of [
    ['/', '/?'],
    ['/a/b', '/a/b?'],
    ['/?', '/?'],
    ["/!'()*", '/%21%27%28%29%2A?', "/!'()*?"],
    ['/a%20b', '/a%2520b?', '/a%20b?'],
    ['/a%2520b', '/a%252520b?'],
    ['/?b=1&a=2&a=1', '/?a=1&a=2&b=1', '/?b=1&a=2&a=1'],
    ['/?b=1&a=1&a=2', '/?a=1&a=2&b=1', '/?b=1&a=1&a=2'],
    ['/?a-=1&a=2', '/?a=2&a-=1', '/?a-=1&a=2'],
    ['/?a=b?c&d', '/?a=b%3Fc&d=', '/?a=b?c&d'],
    ['/?=v', '/?=v'],
    ['/?a=b=c', '/?a=b%3Dc', '/?a=b=c'],
    ['/?a=1+2', '/?a=1%202', '/?a=1+2'],
    ['/?a=%'],
    ['/?%=a'],
    ['/?a=1&%&b=2'],
    ['*'],
    ['?a'],
    ['http://localhost/'],
  ] as const) {
    assert.deepEqual(createForms(target), forms, target);
  }
});

test('headers have lower-case names, with the values of duplicates in order', () => {
  assert.deepEqual(groupHeadersByName([]), new Map());
  assert.deepEqual(
    groupHeadersByName(['Host', 'a', 'X-Note', '2', 'x-note', '1', 'X-NOTE', '2', 'Date', 'x-note']),
    new Map([
      ['host', ['a']],
      ['x-note', ['2', '1', '2']],
      ['date', ['x-note']],
    ]),
  );
});

test('values are signed without surrounding spaces, and with single spaces inside', () => {
  const headers = groupHeadersByName(['A', ' \t x  \t y ', 'A', 'z']);
  const request = { method: 'PUT', target: '/', rawHeaders: [], body: Buffer.alloc(0) };
  assert.deepEqual(createCanonicalRequests(request, headers, ['a', 'b']), [`PUT\n/\n\na:x y,z\nb:\n\na;b\n${EMPTY}`]);
});
