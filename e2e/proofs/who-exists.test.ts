import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITED, whoExists } from './who-exists.ts';

/** One request per name, because durations on a busy machine mean nothing. */
const TIMES = 20;

test('every timed request about a name gets one response, whether the name exists or not, without a limit, and each name is used once', async () => {
  const timings = await whoExists(TIMES);
  assert.ok(timings.length > 20, String(timings.length));
  for (const { act, answers, unknown, control } of timings) {
    const [users, others, nobody] = answers;
    assert.deepEqual([others, nobody], [users, users], act);
    assert.equal(users.length, 1, act);
    assert.doesNotMatch(users.join(), LIMITED, act);
    for (const { low, value, high } of [unknown, control]) assert.ok(low <= value && value <= high, act);
  }
});
