import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killRounds } from './kills.ts';

test('10 kills with -9 during logins and sign-ups lose nothing acknowledged, and the file opens cleanly', async () => {
  const { loginsAnswered, signUpsAnswered, lost, unclean } = await killRounds(10);
  assert.deepEqual({ lost, unclean }, { lost: [], unclean: [] });
  assert.ok(loginsAnswered > 0 && signUpsAnswered > 0, 'something was answered before the kills');
});
