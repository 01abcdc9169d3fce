import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderError } from '@poolgate/provider';
import fc from 'fast-check';
import { somePool, storeless } from '../testing/pool-facts.ts';
import { cursorOf, pageToken, rowsOf } from './page-tokens.ts';

const context = storeless();
const pool = somePool(context);

function isRefused(work: () => unknown): void {
  assert.throws(work, (error) => error instanceof ProviderError && error.code === 'InvalidParameterException');
}

test('a token leads to its page, of its own list alone', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (cursor) => {
      const token = pageToken(context, pool, 'devices\nada', cursor);
      assert.match(token, /^\S+$/);
      assert.equal(cursorOf(context, pool, 'devices\nada', token), cursor);
      isRefused(() => cursorOf(context, pool, 'devices\nbob', token));
      isRefused(() => cursorOf(context, somePool(context), 'devices\nada', token));
    }),
    { numRuns: 100 },
  );
});

test('a token is good for an hour', () => {
  const at = (nowMs: number) => ({ ...context, clock: { now: () => nowMs } });
  const token = pageToken(at(7_000), pool, 'users', 'ada');
  assert.equal(cursorOf(at(3_606_999), pool, 'users', token), 'ada');
  isRefused(() => cursorOf(at(3_607_000), pool, 'users', token));
});

test('an edited or invented token leads nowhere', () => {
  const token = pageToken(context, pool, 'devices\nada', '1700000000000:key');
  for (const text of [
    '',
    'x',
    token.slice(0, -1),
    token.slice(1),
    `${token}AAAA`,
    token.toUpperCase(),
    'é'.repeat(30),
  ]) {
    isRefused(() => cursorOf(context, pool, 'devices\nada', text));
  }
});

test('a page has at most 60 rows, and as many where no number is given', () => {
  assert.deepEqual(
    [undefined, 0, 1, 60].map((limit) => rowsOf(limit)),
    [60, 60, 1, 60],
  );
  for (const limit of [-1, 61, 1.5, Number.NaN]) isRefused(() => rowsOf(limit));
});
