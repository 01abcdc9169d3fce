import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { TestClock, TestTimer } from '../testing/test-environment.ts';
import { type EndTriggerCall, TriggerCallLimiter } from './trigger-call-limiter.ts';

it('the next turn goes to the caller with the fewest calls, and among equals to the one that waits longest', async () => {
  const clock = new TestClock(1_000);
  const limiter = new TriggerCallLimiter({ clock, timer: new TestTimer(clock), networks: 8 });
  const order: string[] = [];
  const ends = new Map<string, EndTriggerCall[]>();
  const enter = async (limitKey: string): Promise<void> => {
    const end = await limiter.enter(60_000, { limitKey, network: limitKey });
    assert.ok(typeof end === 'function');
    order.push(limitKey);
    ends.set(limitKey, [...(ends.get(limitKey) ?? []), end]);
  };
  for (const share of ['a', 'b', 'c']) for (let calls = 0; calls < 8; calls += 1) void enter(share);
  for (let calls = 0; calls < 7; calls += 1) void enter('d');
  void enter('e');
  await turn();
  assert.equal(order.length, 32);
  order.length = 0;
  for (const share of ['a', 'd', 'f', 'e', 'g']) void enter(share);
  for (let calls = 0; calls < 4; calls += 1) {
    ends.get('b')?.pop()?.('reached');
    await turn();
  }
  assert.deepEqual(order, ['f', 'g', 'e', 'd'], 'a has as many as it may');
  ends.get('a')?.pop()?.('reached');
  await turn();
  assert.deepEqual(order.slice(4), ['a']);
});

it('one caller has up to eight running calls, also after some have ended, and 64 waiting ones', async () => {
  const clock = new TestClock(1_000);
  const timer = new TestTimer(clock);
  const limiter = new TriggerCallLimiter({ clock, timer, networks: 8 });
  const caller = { limitKey: 'a', network: 'a' };
  const running: EndTriggerCall[] = [];
  const outcomes: string[] = [];
  const enter = async (): Promise<void> => {
    const entered = await limiter.enter(60_000, caller);
    if (typeof entered === 'function') running.push(entered);
    else outcomes.push(entered);
  };
  for (let calls = 0; calls < 8; calls += 1) await enter();
  for (const leave of running.splice(0, 7)) leave('reached');
  for (let calls = 0; calls < 8; calls += 1) void enter();
  await turn();
  assert.equal(running.length, 8);
  for (let calls = 1; calls < 64; calls += 1) void enter();
  await turn();
  assert.deepEqual([running.length, outcomes], [8, []]);
  await enter();
  assert.deepEqual(outcomes, ['crowded']);
  running.pop()?.('reached');
  await turn();
  assert.deepEqual([running.length, outcomes.length], [8, 1]);
});
