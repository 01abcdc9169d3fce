import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_LIMITS } from '../options.ts';
import { createTestTime } from '../testing/test-time.ts';
import { type Breaker, createBreaker, type Permit } from './breaker.ts';

function entered(breaker: Breaker): Permit {
  const permit = breaker.enter();
  if ('waitMs' in permit) assert.fail('the breaker is open');
  return permit;
}

function isOpen(breaker: Breaker): boolean {
  return 'waitMs' in breaker.enter();
}

function opened() {
  const time = createTestTime();
  const breaker = createBreaker(time.clock, DEFAULT_LIMITS);
  for (let call = 0; call < DEFAULT_LIMITS.breakerLeast; call += 1) entered(breaker).settle('failed');
  assert.ok(isOpen(breaker));
  return { time, breaker };
}

test('it opens when half of the last calls failed, and not before', () => {
  const time = createTestTime();
  const breaker = createBreaker(time.clock, DEFAULT_LIMITS);
  for (let call = 0; call < 20; call += 1) entered(breaker).settle('worked');
  for (let call = 0; call < 9; call += 1) entered(breaker).settle('failed');
  assert.ok(!isOpen(breaker));
  entered(breaker).settle('failed');
  assert.ok(isOpen(breaker));
});

test('a few failures among few calls do not open it', () => {
  const breaker = createBreaker(createTestTime().clock, DEFAULT_LIMITS);
  for (let call = 0; call < DEFAULT_LIMITS.breakerLeast - 1; call += 1) entered(breaker).settle('failed');
  assert.ok(!isOpen(breaker));
});

test('a call that works does not open it, however many failed before', () => {
  const breaker = createBreaker(createTestTime().clock, DEFAULT_LIMITS);
  for (let call = 0; call < DEFAULT_LIMITS.breakerLeast - 1; call += 1) entered(breaker).settle('failed');
  entered(breaker).settle('worked');
  assert.ok(!isOpen(breaker));
  entered(breaker).settle('failed');
  assert.ok(isOpen(breaker));
});

test('failures of long ago count no more', () => {
  const time = createTestTime();
  const breaker = createBreaker(time.clock, DEFAULT_LIMITS);
  for (let call = 0; call < 9; call += 1) entered(breaker).settle('failed');
  time.advance(DEFAULT_LIMITS.breakerWindowMs);
  entered(breaker).settle('failed');
  assert.ok(!isOpen(breaker));
});

test('open, it lets one call through each second, and closes when that works', () => {
  const { time, breaker } = opened();
  time.advance(DEFAULT_LIMITS.breakerOpenMs);
  const probe = entered(breaker);
  assert.ok(isOpen(breaker), 'a second probe went out with the first');
  probe.settle('failed');
  assert.ok(isOpen(breaker));
  time.advance(DEFAULT_LIMITS.breakerOpenMs);
  entered(breaker).settle('worked');
  entered(breaker).settle('worked');
  assert.ok(!isOpen(breaker));
});

test('a probe that said nothing gives its place to another at once', () => {
  const { time, breaker } = opened();
  time.advance(DEFAULT_LIMITS.breakerOpenMs);
  entered(breaker).settle(undefined);
  entered(breaker).settle('worked');
  assert.ok(!isOpen(breaker));
});

test('a call from before it opened does not close it, and does not open it again afterwards', () => {
  const time = createTestTime();
  const breaker = createBreaker(time.clock, DEFAULT_LIMITS);
  const late = Array.from({ length: 30 }, () => entered(breaker));
  for (const permit of late.slice(0, 10)) permit.settle('failed');
  late[10]?.settle('worked');
  assert.ok(isOpen(breaker));
  time.advance(DEFAULT_LIMITS.breakerOpenMs);
  entered(breaker).settle('worked');
  for (const permit of late.slice(11)) permit.settle('failed');
  assert.ok(!isOpen(breaker));
});

test('a clock that is set back does not keep it open', () => {
  const { time, breaker } = opened();
  time.advance(-3_600_000);
  entered(breaker).settle('worked');
  assert.ok(!isOpen(breaker));
});
