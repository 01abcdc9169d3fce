import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITED, whoExists } from './who-exists.ts';

/** One request per name: the durations on a busy machine say nothing. */
const TIMES = 20;

test('whatever is timed about a name is answered by one word, whoever has it and by no limit, and each name is asked once', async () => {
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
