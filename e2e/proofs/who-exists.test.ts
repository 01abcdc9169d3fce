import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whoExists } from './who-exists.ts';

/** A request by each name once: a machine that does other things says nothing by its times. */
const TIMES = 20;

test('A11: whatever is timed about a name is answered with one status, whoever has it, and each name is asked once', async () => {
  const timings = await whoExists(TIMES);
  assert.ok(timings.length > 20, String(timings.length));
  for (const { act, statuses, unknown, control } of timings) {
    const [users, others, nobody] = statuses;
    assert.deepEqual([others, nobody], [users, users], act);
    assert.equal(users.length, 1, act);
    for (const { low, value, high } of [unknown, control]) assert.ok(low <= value && value <= high, act);
  }
});
