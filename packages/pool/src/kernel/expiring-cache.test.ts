import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExpiringCache } from './expiring-cache.ts';

function atTime(start: number) {
  const clock = { nowMs: start, now: () => clock.nowMs };
  return clock;
}

test('a value is cached for exactly its lifetime', async () => {
  const clock = atTime(1_000);
  const recent = new ExpiringCache<number>(clock, 100, 10);
  let loads = 0;
  const load = async () => ++loads;
  assert.equal(await recent.getOrLoad('a', load), 1);
  clock.nowMs = 1_099;
  assert.equal(await recent.getOrLoad('a', load), 1);
  clock.nowMs = 1_100;
  assert.equal(await recent.getOrLoad('a', load), 2);
});

test('setting the clock back keeps no value longer than its lifetime', () => {
  const clock = atTime(1_000_000);
  const recent = new ExpiringCache<number>(clock, 100, 10);
  recent.set('a', 1);
  clock.nowMs -= 1;
  assert.equal(recent.get('a'), undefined);
});

test('a missing value is loaded again each time', async () => {
  const recent = new ExpiringCache<number>(atTime(0), 100, 10);
  assert.equal(await recent.getOrLoad('a', async () => undefined), undefined);
  assert.equal(await recent.getOrLoad('a', async () => 1), 1);
});

test('the oldest entry is removed, so that attackers cannot fill the memory', () => {
  const recent = new ExpiringCache<number>(atTime(0), 100, 2);
  for (const key of ['a', 'b', 'c']) recent.set(key, 1);
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => recent.get(key)),
    [undefined, 1, 1],
  );
});

test('a removed value is loaded again', () => {
  const recent = new ExpiringCache<number>(atTime(0), 100, 2);
  recent.set('a', 1);
  recent.delete('a');
  assert.equal(
    recent.getOrCreate('a', () => 2),
    2,
  );
});

test('a value whose load began before a deletion is not cached', async () => {
  const recent = new ExpiringCache<string>(atTime(0), 100, 2);
  const stale = Promise.withResolvers<string>();
  const reading = recent.getOrLoad('a', () => stale.promise);
  recent.delete('a');
  stale.resolve('before the change');
  assert.equal(await reading, 'before the change');
  assert.equal(await recent.getOrLoad('a', async () => 'after the change'), 'after the change');
});
