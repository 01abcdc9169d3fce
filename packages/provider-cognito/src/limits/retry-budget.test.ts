import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DEFAULT_LIMITS } from '../options/cognito-options.ts';
import { computeFullJitterMs, createRetryBudget } from './retry-budget.ts';

test('retries add a tenth to the load plus what was saved, at any time', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 2_000 }), (asks) => {
      const budget = createRetryBudget(DEFAULT_LIMITS);
      let calls = 0;
      let retries = 0;
      for (const asksTwice of asks) {
        budget.earn();
        calls += 1;
        for (let retry = 0; retry < (asksTwice ? 2 : 0); retry += 1) if (budget.spend()) retries += 1;
      }
      assert.ok(retries <= DEFAULT_LIMITS.retryReserve + DEFAULT_LIMITS.retryShare * calls + 1e-6);
    }),
  );
});

test('a budget starts full, is used to the last whole attempt, and refills with a share of each call', () => {
  const budget = createRetryBudget({ retryReserve: 2, retryShare: 0.5 });
  const spend = (times: number) => Array.from({ length: times }, () => budget.spend());
  budget.earn();
  assert.deepEqual(spend(3), [true, true, false]);
  budget.earn();
  assert.deepEqual(spend(1), [false]);
  budget.earn();
  assert.deepEqual(spend(2), [true, false]);
  for (let call = 0; call < 9; call += 1) budget.earn();
  assert.deepEqual(spend(3), [true, true, false]);
});

test('the delay is random between zero and a bound that doubles up to a maximum', () => {
  const bounds = [1, 2, 3, 4, 5, 6, 20].map((tried) => computeFullJitterMs(tried, 0.999_999, DEFAULT_LIMITS) + 1);
  assert.deepEqual(bounds, [100, 200, 400, 800, 1_000, 1_000, 1_000]);
  assert.equal(computeFullJitterMs(3, 0, DEFAULT_LIMITS), 0);
  assert.equal(computeFullJitterMs(3, 0.5, DEFAULT_LIMITS), 200);
});
