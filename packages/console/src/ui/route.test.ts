import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatRoute, parseRoute } from './route.ts';

test('a place is found again by its address', () => {
  for (const id of ['', 'ada@example.com', 'a/b?c#d%', 'ä ö']) {
    const { screen, id: found, query } = parseRoute(formatRoute('user', id, { type: 'login.failed', none: '' }));
    assert.deepEqual([screen, found, [...query]], ['user', id, [['type', 'login.failed']]]);
  }
});

test('an address that no place has is not an error', () => {
  assert.deepEqual(parseRoute('').screen, '');
  assert.deepEqual(parseRoute('#/user/%E0%A4%A').id, '%E0%A4%A');
});
