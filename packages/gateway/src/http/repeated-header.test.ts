import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRepeatedHeader } from './repeated-header.ts';

test('a duplicate header is found in any spelling, and no value is mistaken for one', () => {
  for (const [rawHeaders, repeated] of [
    [[], undefined],
    [['Host', 'a', 'Authorization', 'b', 'Content-Type', 'c'], undefined],
    [['Host', 'a', 'host', 'a'], 'host'],
    [['Host', 'a', 'Accept', '*/*', 'HOST', 'b'], 'host'],
    [['authorization', 'a', 'AUTHORIZATION', 'a'], 'authorization'],
    [['Content-Type', 'a', 'X-Note', 'b', 'Content-type', 'a'], 'content-type'],
    [['X-Note', 'host', 'X-Note', 'host', 'Host', 'host'], undefined],
    [['Cookie', 'a', 'Cookie', 'b', 'Vary', 'a', 'Vary', 'b', 'From', 'a', 'From', 'b'], undefined],
  ] as const) {
    assert.equal(findRepeatedHeader(rawHeaders), repeated, rawHeaders.join(' '));
  }
});
