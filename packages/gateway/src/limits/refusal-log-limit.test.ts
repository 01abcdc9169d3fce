import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRefusalLogLimit } from './refusal-log-limit.ts';

const MINUTE_MS = 60_000;

/** A limit with a manual clock. */
function allowance(...bounds: readonly Parameters<typeof createRefusalLogLimit>[1][]) {
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const { mayRecord } = createRefusalLogLimit(clock, ...bounds);
  return { clock, mayRecord };
}

const createAddress = (network: number) => `203.0.${network}.1`;

test('by default one refusal per network is recorded a minute, and 60 in total', () => {
  const { clock, mayRecord } = allowance();
  assert.deepEqual([mayRecord('2001:db8::1'), mayRecord('2001:db8::2')], [true, false]);
  assert.equal(
    Array.from({ length: 80 }, (_, network) => mayRecord(createAddress(network))).filter(Boolean).length,
    59,
  );
  clock.nowMs = MINUTE_MS - 1;
  assert.equal(mayRecord('198.51.100.1'), false);
  clock.nowMs = MINUTE_MS;
  assert.equal(mayRecord('198.51.100.1'), true);
  clock.nowMs = 0;
  assert.equal(mayRecord('198.51.100.1'), true, 'a clock that was set back silences nothing');
});

test('a text is recorded once per window, and no network uses up the share of others', () => {
  const { clock, mayRecord } = allowance({ windowMs: 10, most: 4, perNetwork: 2 });
  const [one, other, third] = [createAddress(1), createAddress(2), createAddress(3)];
  assert.deepEqual([mayRecord(one, 'a'), mayRecord(one, 'a'), mayRecord(other, 'a')], [true, false, false]);
  assert.deepEqual([mayRecord(one, 'b'), mayRecord(one, 'c')], [true, false]);
  assert.deepEqual([mayRecord(other, 'c'), mayRecord(other, 'd'), mayRecord(third, 'e')], [true, true, false]);
  clock.nowMs = 10;
  assert.deepEqual([mayRecord(one, 'a'), mayRecord(third, 'e')], [true, true]);
});
