import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderError } from '@poolgate/provider';
import fc from 'fast-check';
import { portsWithoutStore, testPool } from '../testing/test-ports.ts';
import { cursorFromToken, pageSize, pageToken } from './page-tokens.ts';

const ports = portsWithoutStore();
const pool = testPool(ports);

function isRefused(work: () => unknown): void {
  assert.throws(work, (error) => error instanceof ProviderError && error.code === 'InvalidParameterException');
}

test('a token leads to its page, of its own list alone', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (cursor) => {
      const token = pageToken(ports, pool, 'devices\nada', cursor);
      assert.match(token, /^\S+$/);
      assert.equal(cursorFromToken(ports, pool, 'devices\nada', token), cursor);
      isRefused(() => cursorFromToken(ports, pool, 'devices\nbob', token));
      isRefused(() => cursorFromToken(ports, testPool(ports), 'devices\nada', token));
    }),
    { numRuns: 100 },
  );
});

test('a token is good for an hour', () => {
  const at = (nowMs: number) => ({ ...ports, clock: { now: () => nowMs } });
  const token = pageToken(at(7_000), pool, 'users', 'ada');
  assert.equal(cursorFromToken(at(3_606_999), pool, 'users', token), 'ada');
  isRefused(() => cursorFromToken(at(3_607_000), pool, 'users', token));
});

test('an edited or invented token leads nowhere', () => {
  const token = pageToken(ports, pool, 'devices\nada', '1700000000000:key');
  for (const text of [
    '',
    'x',
    token.slice(0, -1),
    token.slice(1),
    `${token}AAAA`,
    token.toUpperCase(),
    'é'.repeat(30),
  ]) {
    isRefused(() => cursorFromToken(ports, pool, 'devices\nada', text));
  }
});

test('a page has at most 60 rows, and as many where no number is given', () => {
  assert.deepEqual(
    [undefined, 0, 1, 60].map((limit) => pageSize(limit)),
    [60, 60, 1, 60],
  );
  for (const limit of [-1, 61, 1.5, Number.NaN]) isRefused(() => pageSize(limit));
});
