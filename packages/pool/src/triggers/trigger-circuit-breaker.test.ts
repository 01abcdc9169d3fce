import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { TestClock } from '../testing/test-environment.ts';
import { CircuitBreaker } from './trigger-circuit-breaker.ts';

describe('the circuit breaker of a function', () => {
  let clock: TestClock;
  let breaker: CircuitBreaker;
  beforeEach(() => {
    clock = new TestClock(1_000);
    breaker = new CircuitBreaker({ clock, networks: 8 });
  });
  const failFrom = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => breaker.record('failed', `n${from + at}`));

  it('stays closed however often the calls of seven networks fail', () => {
    for (let rounds = 0; rounds < 100; rounds += 1) failFrom(0, 7);
    assert.equal(breaker.isOpen(), false);
    assert.equal(breaker.record('failed', 'n7'), true);
    assert.equal(breaker.isOpen(), true);
  });

  it('counts consecutive failures: a response resets the count', () => {
    failFrom(0, 7);
    breaker.record('reached', 'n0');
    failFrom(7, 14);
    assert.equal(breaker.isOpen(), false);
  });

  it('closes after ten seconds, and one network cannot keep it open', () => {
    failFrom(0, 8);
    clock.advance(9_999);
    assert.equal(breaker.isOpen(), true);
    clock.advance(1);
    for (let calls = 0; calls < 20; calls += 1) {
      assert.equal(breaker.isOpen(), false);
      breaker.record('failed', 'n0');
    }
  });

  it('reads the number of networks from its setting', () => {
    breaker = new CircuitBreaker({ clock, networks: 1 });
    assert.equal(breaker.record('failed', 'n0'), true);
  });

  it('opens after five refused connections from anywhere, and then lets one call try', () => {
    const refused = Array.from({ length: 5 }, () => breaker.record('refused', 'n0'));
    assert.deepEqual(refused, [false, false, false, false, true]);
    clock.advance(10_000);
    assert.deepEqual([breaker.isOpen(), breaker.isOpen()], [false, true]);
    breaker.record('refused', 'n0');
    assert.equal(breaker.isOpen(), true);
  });

  it('counts consecutive refused connections: an accepted one resets the count', () => {
    for (const outcome of ['reached', 'failed'] as const) {
      breaker.record('reached', 'n0');
      for (let calls = 0; calls < 4; calls += 1) breaker.record('refused', 'n0');
      breaker.record(outcome, 'n0');
      for (let calls = 0; calls < 4; calls += 1) assert.equal(breaker.record('refused', 'n0'), false, outcome);
    }
    assert.equal(breaker.record('refused', 'n0'), true);
  });

  it('closes as soon as something accepts a connection again, even for a slow call', () => {
    for (const outcome of ['reached', 'failed'] as const) {
      for (let calls = 0; calls < 5; calls += 1) breaker.record('refused', 'n0');
      assert.equal(breaker.isOpen(), true);
      clock.advance(10_000);
      assert.equal(breaker.isOpen(), false);
      breaker.record(outcome, 'n0');
      assert.equal(breaker.isOpen(), false);
    }
  });

  it('stays open no longer if the clock is set back', () => {
    failFrom(0, 8);
    clock.advance(-86_400_000);
    assert.equal(breaker.isOpen(), false);
  });
});
