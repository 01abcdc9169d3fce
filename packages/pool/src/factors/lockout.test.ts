import assert from 'node:assert/strict';
import { it } from 'node:test';
import { CODE_GUESSES } from './code-limits.ts';
import { MONTH_MS, monthlyLockMs, PASSWORD_GUESSES } from './lockout.ts';

const COUNTERS = [PASSWORD_GUESSES, ...Object.values(CODE_GUESSES)];

it('password failures lock from the fifth on, twice as long each time, for a quarter of an hour at most', () => {
  const seconds = Array.from({ length: 18 }, (_, failures) => PASSWORD_GUESSES.lockMs(failures) / 1000);
  assert.deepEqual(seconds, [0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
});

it('the lock never outlasts the memory of the failures, so that nobody is locked for ever', () => {
  for (const { lockMs, resetAfterMs } of COUNTERS) assert.ok(lockMs(Number.MAX_SAFE_INTEGER) <= resetAfterMs);
  assert.ok(monthlyLockMs(Number.MAX_SAFE_INTEGER) <= MONTH_MS);
});

it('from the hundredth failure of a month on the waits grow from a quarter of an hour to a day', () => {
  const hours = Array.from({ length: 10 }, (_, more) => monthlyLockMs(99 + more) / 3_600_000);
  assert.deepEqual(hours, [0, 0.25, 0.5, 1, 2, 4, 8, 16, 24, 24]);
});

it('no two kinds of guesses share a counter', () => {
  assert.equal(new Set(COUNTERS.map(({ name }) => name)).size, COUNTERS.length);
});
