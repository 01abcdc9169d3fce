import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import { openTestPoolOn, type TestPool } from '../testing/test-pool.ts';
import {
  type Allowance,
  createBucketAllowance,
  createSlidingAllowance,
  createWindowAllowance,
} from './rate-allowances.ts';

const WINDOW_MS = 60_000;
const START_MS = 1_000 * WINDOW_MS;

describe('rate limits', () => {
  let opened: TestEnvironment;
  let pool: TestPool;
  let subjects = 0;
  before(async () => {
    opened = await openTestEnvironment('sqlite::memory:');
    pool = await openTestPoolOn(opened);
  });
  after(() => pool.close());

  /** A new user's limit: the result of each attempt, and the wait for the next one. */
  function tries(allowance: Allowance) {
    subjects += 1;
    const subject = `subject-${subjects}`;
    const request = (nowMs: number) => ({ poolId: pool.userPoolId, subject, nowMs: START_MS + nowMs });
    const inWrite = (ask: Allowance['consume']) => (nowMs: number) =>
      opened.options.store.write((transaction) => ask(transaction, request(nowMs)));
    return { take: inWrite(allowance.consume), wait: inWrite(allowance.waitMs) };
  }

  it('allow a number in any window: a place is free again a window after its use', async () => {
    const { take, wait } = tries(createSlidingAllowance(2, WINDOW_MS));
    assert.deepEqual([await wait(0), await take(0), await wait(0), await take(10_000)], [0, 0, 0, 0]);
    assert.deepEqual([await wait(10_000), await take(10_000)], [WINDOW_MS - 10_000, WINDOW_MS - 10_000]);
    assert.deepEqual([await wait(WINDOW_MS - 1), await take(WINDOW_MS - 1)], [1, 1]);
    assert.deepEqual([await wait(WINDOW_MS), await take(WINDOW_MS)], [0, 0]);
    assert.equal(await wait(WINDOW_MS), 10_000);
    assert.equal(await take(WINDOW_MS + 10_000), 0);
  });

  it('allow a number at once, and one more after each interval', async () => {
    const { take, wait } = tries(createBucketAllowance({ most: 3, everyMs: 1_000 }));
    assert.equal(await wait(0), 0);
    assert.deepEqual([await take(0), await take(0), await wait(0), await take(0)], [0, 0, 0, 0]);
    assert.deepEqual([await wait(0), await take(0)], [1_000, 1_000]);
    assert.deepEqual([await wait(999), await take(999)], [1, 1]);
    assert.deepEqual([await wait(1_000), await take(1_000)], [0, 0]);
    assert.deepEqual([await wait(1_000), await wait(1_400)], [1_000, 600]);
    assert.deepEqual([await take(60_000), await take(60_000), await take(60_000)], [0, 0, 0]);
    assert.equal(await take(60_000), 1_000, 'what was not taken is not kept for ever');
  });

  it('allow a number in each window of the clock', async () => {
    const { take, wait } = tries(createWindowAllowance(2, WINDOW_MS));
    assert.deepEqual([await wait(1_000), await take(1_000), await wait(1_000), await take(2_000)], [0, 0, 0, 0]);
    assert.deepEqual([await wait(3_000), await take(3_000)], [WINDOW_MS - 3_000, WINDOW_MS - 3_000]);
    assert.deepEqual([await wait(WINDOW_MS - 1), await take(WINDOW_MS - 1)], [1, 1]);
    assert.deepEqual([await wait(WINDOW_MS), await take(WINDOW_MS)], [0, 0]);
  });

  it('are unused for a new subject at any moment', async () => {
    for (const make of [
      createSlidingAllowance(1, WINDOW_MS),
      createBucketAllowance({ most: 1, everyMs: WINDOW_MS }),
      createWindowAllowance(1, WINDOW_MS),
    ]) {
      const { take, wait } = tries(make);
      for (const nowMs of [-START_MS, 0]) assert.equal(await wait(nowMs), 0);
      assert.deepEqual([await take(0), await wait(WINDOW_MS - 1), await wait(WINDOW_MS)], [0, 1, 0]);
    }
  });

  it('are separate for each subject', async () => {
    for (const make of [
      createSlidingAllowance(1, WINDOW_MS),
      createBucketAllowance({ most: 1, everyMs: WINDOW_MS }),
      createWindowAllowance(1, WINDOW_MS),
    ]) {
      const [one, other] = [tries(make), tries(make)];
      assert.deepEqual([await one.take(0), await other.take(0)], [0, 0]);
      assert.ok((await one.take(0)) > 0);
      assert.ok((await other.wait(0)) > 0);
    }
  });
});
