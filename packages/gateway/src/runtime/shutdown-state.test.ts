import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createShutdownState, waitForQuietTurns } from './shutdown-state.ts';

/** How often a wait reads this number. */
async function countLooks(happened: (look: number) => number): Promise<number> {
  let looks = 0;
  await waitForQuietTurns(() => {
    looks += 1;
    return happened(looks);
  });
  return looks;
}

test('three turns without change end the wait, and a thousand turns in any case', async () => {
  assert.equal(await countLooks(() => 7), 4);
  assert.equal(await countLooks((look) => Math.min(look, 3)), 6);
  assert.equal(await countLooks((look) => (look < 4 ? 0 : 1)), 7);
  assert.equal(await countLooks((look) => (look < 5 ? 0 : 1)), 4);
  assert.equal(await countLooks((look) => look), 1_001);
});

test('an instance runs until it is stopped', () => {
  const state = createShutdownState();
  assert.equal(state.isStopping, false);
  state.begin();
  assert.equal(state.isStopping, true);
});
