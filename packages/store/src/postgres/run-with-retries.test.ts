import assert from 'node:assert/strict';
import { it } from 'node:test';
import { runWithRetries } from './run-with-retries.ts';

function setUp(random: number) {
  const waits: number[] = [];
  let attempts = 0;
  const parts = {
    isRetryable: (error: unknown) => error instanceof RangeError,
    random: () => random,
    wait: async (delayMs: number) => {
      await new Promise(setImmediate);
      waits.push(delayMs);
    },
  };
  const failing = (failures: number, error: Error) =>
    runWithRetries(async () => {
      attempts += 1;
      if (attempts <= failures) throw error;
      return attempts;
    }, parts);
  return { failing, waits, attempts: () => attempts };
}

it('retries a collision up to three times, with growing random delays', async () => {
  const { failing, waits } = setUp(0.5);
  assert.equal(await failing(3, new RangeError('collision')), 4);
  assert.deepEqual(waits, [10, 20, 40]);
});

it('returns the error after the third repetition', async () => {
  const collision = new RangeError('collision');
  const { failing, attempts } = setUp(0);
  await assert.rejects(failing(4, collision), collision);
  assert.equal(attempts(), 4);
});

it('never repeats other failures', async () => {
  const { failing, attempts } = setUp(0);
  await assert.rejects(failing(1, new TypeError('fault')), TypeError);
  assert.equal(attempts(), 1);
});
