import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { QUOTAS } from '../options/quotas.ts';
import { createTestTime } from '../testing/test-time.ts';
import { createWindowLimiter } from './window-limiter.ts';

test('no second has more calls of a category than its rate, in any order', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), gaps, (rate, gapsMs) => {
      const time = createTestTime();
      const limiter = createWindowLimiter(time.clock, { UserRead: rate });
      const admitted: number[] = [];
      for (const gapMs of gapsMs) {
        time.advance(gapMs);
        if (limiter.acquire('UserRead').waitMs === 0) admitted.push(time.clock.now());
      }
      for (const from of admitted) {
        const within = admitted.filter((atMs) => atMs >= from && atMs < from + 1_000);
        assert.ok(within.length <= rate, `${within.length} calls in a second at a rate of ${rate}`);
      }
    }),
  );
});

test('three times the quota for ten minutes uses the quota in full and never exceeds it', () => {
  const time = createTestTime();
  const limiter = createWindowLimiter(time.clock);
  let admitted = 0;
  for (let call = 0; call < QUOTAS.UserAuthentication * 3 * 600; call += 1) {
    if (limiter.acquire('UserAuthentication').waitMs === 0) admitted += 1;
    if (call % 9 === 8) time.advance(25);
  }
  assert.equal(admitted, QUOTAS.UserAuthentication * 600);
});

test("each second allows Cognito's default quotas, for each category", () => {
  const limiter = createWindowLimiter(createTestTime().clock);
  const expected = {
    UserAuthentication: 120,
    UserAuthenticationAnswers: 360,
    UserCreation: 50,
    UserAccountRecovery: 30,
    UserRead: 120,
    UserUpdate: 25,
    UserToken: 120,
    UserList: 30,
    UserResourceRead: 50,
    UserResourceUpdate: 25,
    UserPoolRead: 15,
    UserPoolUpdate: 15,
    UserPoolResourceRead: 20,
    UserPoolResourceUpdate: 15,
    UserPoolClientRead: 15,
    UserPoolClientUpdate: 15,
  };
  const categories = Object.keys(QUOTAS) as (keyof typeof QUOTAS)[];
  const admitted = categories.map((category) => {
    const waits = Array.from({ length: 500 }, () => limiter.acquire(category).waitMs);
    return [category, waits.filter((waitMs) => waitMs === 0).length];
  });
  assert.deepEqual(Object.fromEntries(admitted), expected);
});

test('a fractional rate is rounded down to at least one', () => {
  for (const [rate, most] of [
    [0.5, 1],
    [1, 1],
    [2.9, 2],
  ] as const) {
    const limiter = createWindowLimiter(createTestTime().clock, { UserList: rate });
    const waits = Array.from({ length: most + 1 }, () => limiter.acquire('UserList').waitMs);
    assert.deepEqual(waits, [...new Array<number>(most).fill(0), 1_000], String(rate));
  }
});

test('a refused caller gets the time to retry', () => {
  const time = createTestTime();
  const limiter = createWindowLimiter(time.clock, { UserList: 2 });
  assert.equal(limiter.acquire('UserList').waitMs, 0);
  time.advance(300);
  assert.equal(limiter.acquire('UserList').waitMs, 0);
  const { waitMs } = limiter.acquire('UserList');
  assert.equal(waitMs, 700);
  time.advance(waitMs - 1);
  assert.equal(limiter.acquire('UserList').waitMs, 1);
  time.advance(1);
  assert.equal(limiter.acquire('UserList').waitMs, 0);
  assert.equal(limiter.acquire('UserList').waitMs, 300);
});

test('categories do not share their quotas', () => {
  const time = createTestTime();
  const limiter = createWindowLimiter(time.clock, { UserList: 1 });
  limiter.acquire('UserList');
  assert.ok(limiter.acquire('UserList').waitMs > 0);
  assert.equal(limiter.acquire('UserRead').waitMs, 0);
});

test('setting the clock back does not close a category', () => {
  const time = createTestTime();
  const limiter = createWindowLimiter(time.clock, { UserList: 1 });
  limiter.acquire('UserList');
  time.advance(-3_600_000);
  assert.equal(limiter.acquire('UserList').waitMs, 0);
});
