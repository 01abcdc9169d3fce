import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { execPath } from 'node:process';
import { test } from 'node:test';
import { createPrecomputedSrp } from './precomputed-srp.ts';
import type { SrpRunner } from './srp-runner.ts';
import type { SrpStart } from './srp-tasks.ts';

const FIVE_MINUTES_MS = 300_000;

/** Returns the values 1, 2, 3; those in `failing` reject. */
function counting(failing: readonly number[] = []) {
  let made = 0;
  const asked: [task: string, input: unknown][] = [];
  const start = async (task: string, input: unknown): Promise<SrpStart> => {
    asked.push([task, input]);
    made += 1;
    if (failing.includes(made)) throw new Error('no worker');
    return { aHex: String(made), srpAHex: `A${made}` };
  };
  let nowMs = 1_000_000;
  const timers = new Map<() => void, number>();
  const times = {
    now: () => nowMs,
    after(delayMs: number, run: () => void) {
      timers.set(run, nowMs + delayMs);
      return () => void timers.delete(run);
    },
  };
  const ahead = createPrecomputedSrp(start as unknown as SrpRunner, times);
  const next = async (): Promise<string> => (await ahead.srp('start', null)).aHex;
  return {
    ...ahead,
    next,
    made: () => made,
    asked,
    timers,
    /** Advances time. Timers run only while the page is awake. */
    pass(ms: number, isAwake = true) {
      nowMs += ms;
      for (const [run, atMs] of isAwake ? [...timers] : []) {
        if (atMs > nowMs) continue;
        timers.delete(run);
        run();
      }
    },
  };
}

test('one login uses a precomputed private value, even if two start at once', async () => {
  const { prepareSrp, next, made } = counting();
  await Promise.all([prepareSrp(), prepareSrp()]);
  assert.equal(made(), 1);
  const used = await Promise.all([next(), next(), next()]);
  assert.deepEqual(used.toSorted(), ['1', '2', '3']);
  await prepareSrp();
  assert.equal(await next(), '4');
});

test('a login that starts while its private value is computed waits for it', async () => {
  const { prepareSrp, next, made } = counting();
  const prepared = prepareSrp();
  assert.equal(await next(), '1');
  await prepared;
  assert.equal(made(), 1);
});

test('a login computes the value if precomputing failed, and precomputes the next one', async () => {
  const { prepareSrp, next } = counting([1]);
  await prepareSrp();
  assert.equal(await next(), '2');
  await prepareSrp();
  assert.equal(await next(), '3');
});

test('an unused private value is forgotten after its lifetime, and a used one leaves no timer', async () => {
  const { prepareSrp, next, made, timers, pass } = counting();
  await prepareSrp();
  pass(FIVE_MINUTES_MS - 1);
  await prepareSrp();
  assert.equal(made(), 1);
  pass(1);
  assert.equal(timers.size, 0);
  assert.equal(await next(), '2');
  await prepareSrp();
  assert.equal(await next(), '3');
  assert.equal(timers.size, 0);
});

test('a page that slept, or whose clock was set back, does not use older private values', async () => {
  for (const ms of [FIVE_MINUTES_MS, -FIVE_MINUTES_MS]) {
    const { prepareSrp, next, pass, timers } = counting();
    await prepareSrp();
    pass(ms, false);
    assert.equal(await next(), '2');
    await prepareSrp();
    pass(ms, false);
    await prepareSrp();
    assert.equal(timers.size, 1);
    assert.equal(await next(), '4');
  }
});

test('a private value expires after five minutes by the clock or the timer, whichever is first', async () => {
  for (const [ms, used] of [
    [FIVE_MINUTES_MS - 1, '1'],
    [1 - FIVE_MINUTES_MS, '1'],
    [FIVE_MINUTES_MS, '2'],
  ] as const) {
    const asleep = counting();
    await asleep.prepareSrp();
    asleep.pass(ms, false);
    assert.equal(await asleep.next(), used);
    assert.equal(asleep.timers.size, 0);
  }
  const { prepareSrp, next, timers } = counting();
  await prepareSrp();
  for (const run of timers.keys()) run();
  assert.equal(await next(), '2', 'the clock stood still');
});

test('only the first step is precomputed', async () => {
  const { prepareSrp, srp, asked } = counting();
  const names = { deviceKey: 'key', deviceGroupKey: 'group' };
  await srp('device', names);
  await prepareSrp();
  await srp('device', names);
  await srp('start', null);
  await srp('start', null);
  assert.deepEqual(asked, [
    ['device', names],
    ['start', null],
    ['device', names],
    ['start', null],
  ]);
});

test('a program that prepared a login and no longer needs it can exit', () => {
  const url = JSON.stringify(new URL('precomputed-srp.ts', import.meta.url).href);
  const program = `const { createPrecomputedSrp } = await import(${url}); await createPrecomputedSrp(async () => ({})).prepareSrp();`;
  const { status, signal, stderr } = spawnSync(execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  assert.deepEqual({ status, signal }, { status: 0, signal: null }, stderr);
});
