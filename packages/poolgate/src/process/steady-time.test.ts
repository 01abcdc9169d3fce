import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSteadyTime } from './steady-time.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const START_MS = 1_800_000_000_000;

function clocks() {
  const state = { nowMs: START_MS, elapsedMs: 0 };
  const time = createSteadyTime({ now: () => state.nowMs }, () => state.elapsedMs);
  return {
    /** The difference between the removal time and the start after these minutes, in minutes. */
    after(minutes: number): number {
      state.nowMs += minutes * MINUTE_MS;
      state.elapsedMs += minutes * MINUTE_MS;
      return Math.round((time() - START_MS) / MINUTE_MS);
    },
    set(byMs: number): void {
      state.nowMs += byMs;
    },
  };
}

test('a clock that is set forward and back again removes nothing that is still needed', () => {
  const { after, set } = clocks();
  assert.equal(after(10), 10);
  set(DAY_MS);
  assert.deepEqual([after(10), after(10)], [20, 30]);
  set(-DAY_MS);
  assert.equal(after(10), 40);
});

test('a clock that stays ahead is trusted after an hour, as after sleep', () => {
  const { after, set } = clocks();
  set(DAY_MS);
  assert.deepEqual([after(10), after(40), after(19)], [10, 50, 69]);
  assert.equal(after(1), 70 + 24 * 60);
  assert.equal(after(10), 80 + 24 * 60);
});

test('a clock that is set back, or a little forward, is trusted at once', () => {
  const { after, set } = clocks();
  set(-60 * MINUTE_MS);
  assert.equal(after(10), -50);
  set(MINUTE_MS / 2);
  assert.equal(after(10), -39);
});
