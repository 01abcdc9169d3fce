import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_LIMITS } from '../options/cognito-options.ts';
import { createTestTime } from '../testing/test-time.ts';
import { type CallPermit, type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts';

function entered(breaker: CircuitBreaker): CallPermit {
  const permit = breaker.tryAcquire();
  if ('waitMs' in permit) assert.fail('the breaker is open');
  return permit;
}

function isOpen(breaker: CircuitBreaker): boolean {
  return 'waitMs' in breaker.tryAcquire();
}

function opened() {
  const time = createTestTime();
  const breaker = createCircuitBreaker(time.clock, DEFAULT_LIMITS);
  for (let call = 0; call < DEFAULT_LIMITS.breakerLeast; call += 1) entered(breaker).report('failed');
  assert.ok(isOpen(breaker));
  return { time, breaker };
}

test('opens when half of the last calls failed, and not before', () => {
  const time = createTestTime();
  const breaker = createCircuitBreaker(time.clock, DEFAULT_LIMITS);
  for (let call = 0; call < 20; call += 1) entered(breaker).report('worked');
  for (let call = 0; call < 9; call += 1) entered(breaker).report('failed');
  assert.ok(!isOpen(breaker));
  entered(breaker).report('failed');
  assert.ok(isOpen(breaker));
});

test('does not open after a few failures among few calls', () => {
  const breaker = createCircuitBreaker(createTestTime().clock, DEFAULT_LIMITS);
  for (let call = 0; call < DEFAULT_LIMITS.breakerLeast - 1; call += 1) entered(breaker).report('failed');
  assert.ok(!isOpen(breaker));
});

test('does not open with a successful call, however many failed before', () => {
  const breaker = createCircuitBreaker(createTestTime().clock, DEFAULT_LIMITS);
  for (let call = 0; call < DEFAULT_LIMITS.breakerLeast - 1; call += 1) entered(breaker).report('failed');
  entered(breaker).report('worked');
  assert.ok(!isOpen(breaker));
  entered(breaker).report('failed');
  assert.ok(isOpen(breaker));
});

test('ignores old failures', () => {
  const time = createTestTime();
  const breaker = createCircuitBreaker(time.clock, DEFAULT_LIMITS);
  for (let call = 0; call < 9; call += 1) entered(breaker).report('failed');
  time.advance(DEFAULT_LIMITS.breakerWindowMs);
  entered(breaker).report('failed');
  assert.ok(!isOpen(breaker));
});

test('when open, allows one call per second, and closes when that succeeds', () => {
  const { time, breaker } = opened();
  time.advance(DEFAULT_LIMITS.breakerOpenMs);
  const probe = entered(breaker);
  assert.ok(isOpen(breaker), 'a second probe went out with the first');
  probe.report('failed');
  assert.ok(isOpen(breaker));
  time.advance(DEFAULT_LIMITS.breakerOpenMs);
  entered(breaker).report('worked');
  entered(breaker).report('worked');
  assert.ok(!isOpen(breaker));
});

test('gives the place of an inconclusive probe to another one at once', () => {
  const { time, breaker } = opened();
  time.advance(DEFAULT_LIMITS.breakerOpenMs);
  entered(breaker).report(undefined);
  entered(breaker).report('worked');
  assert.ok(!isOpen(breaker));
});

test('when open, returns the wait to the millisecond', () => {
  const { time, breaker } = opened();
  const { breakerOpenMs } = DEFAULT_LIMITS;
  assert.deepEqual(breaker.tryAcquire(), { waitMs: breakerOpenMs });
  time.advance(breakerOpenMs - 1);
  assert.deepEqual(breaker.tryAcquire(), { waitMs: 1 });
  time.advance(5);
  entered(breaker);
  assert.deepEqual(breaker.tryAcquire(), { waitMs: breakerOpenMs }, 'while the probe is out');
});

test('counts only the last calls, and no inconclusive ones', () => {
  const limits = { ...DEFAULT_LIMITS, breakerOutcomes: 4, breakerLeast: 4 };
  for (const [outcomes, opens] of [
    ['wwff', true],
    ['wwwwff', true],
    ['ffwwwf', false],
    ['wwfuf', true],
    ['wfuf', false],
  ] as const) {
    const breaker = createCircuitBreaker(createTestTime().clock, limits);
    const said = { w: 'worked', f: 'failed', u: undefined } as const;
    for (const letter of outcomes) entered(breaker).report(said[letter as keyof typeof said]);
    assert.equal(isOpen(breaker), opens, outcomes);
  }
});

test('accepts a permit back once', () => {
  const { time, breaker } = opened();
  time.advance(DEFAULT_LIMITS.breakerOpenMs);
  const probe = entered(breaker);
  probe.report('worked');
  probe.report('failed');
  assert.ok(!isOpen(breaker));
});

test('neither closes nor reopens because of a call from before it opened', () => {
  const time = createTestTime();
  const breaker = createCircuitBreaker(time.clock, DEFAULT_LIMITS);
  const late = Array.from({ length: 30 }, () => entered(breaker));
  for (const permit of late.slice(0, 10)) permit.report('failed');
  late[10]?.report('worked');
  assert.ok(isOpen(breaker));
  time.advance(DEFAULT_LIMITS.breakerOpenMs);
  entered(breaker).report('worked');
  for (const permit of late.slice(11)) permit.report('failed');
  assert.ok(!isOpen(breaker));
});

test('does not stay open if the clock is set back', () => {
  const { time, breaker } = opened();
  time.advance(-3_600_000);
  entered(breaker).report('worked');
  assert.ok(!isOpen(breaker));
});
