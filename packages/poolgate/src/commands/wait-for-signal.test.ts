import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { waitForSignal } from './wait-for-signal.ts';

/** A process that records how it was ended, with timers that a test runs. */
function waiting(hasNpmShell = false) {
  const exits: unknown[] = [];
  const timers: (readonly [delayMs: number, run: () => void])[] = [];
  const events = new EventEmitter();
  const signaled = Object.assign(events, { ppid: 7, exit: (code: number) => exits.push(code) });
  const timer = {
    after(delayMs: number, run: () => void) {
      timers.push([delayMs, run]);
      return () => {};
    },
  };
  const state = { isStopped: false };
  void waitForSignal(signaled as never, { hasNpmShell, graceMs: 6_000, timer }).then(() => {
    state.isStopped = true;
  });
  const turn = () => new Promise(setImmediate);
  const runNext = async (): Promise<number> => {
    const [delayMs, run] = timers.shift() ?? assert.fail('no timer waits');
    run();
    await turn();
    return delayMs;
  };
  return { exits, timers, signaled, state, turn, runNext };
}

test('the first signal stops, and the end of the grace period ends the process', async () => {
  for (const signal of ['SIGTERM', 'SIGINT']) {
    const { exits, timers, signaled, state, turn, runNext } = waiting();
    await turn();
    assert.deepEqual([state.isStopped, timers], [false, []]);
    signaled.emit(signal);
    await turn();
    assert.deepEqual([state.isStopped, exits], [true, []]);
    assert.deepEqual([await runNext(), exits], [6_000, [0]]);
  }
});

test('a second signal ends the process at once', () => {
  for (const second of ['SIGTERM', 'SIGINT']) {
    const { exits, signaled } = waiting();
    signaled.emit('SIGTERM');
    signaled.emit(second);
    assert.deepEqual(exits, [1]);
  }
});

test('the end of npm’s shell counts as a signal, once', async () => {
  const { exits, timers, signaled, state, runNext } = waiting(true);
  assert.equal(await runNext(), 500);
  assert.equal(await runNext(), 500);
  assert.equal(state.isStopped, false);
  signaled.ppid = 1;
  await runNext();
  assert.deepEqual([state.isStopped, timers.map(([delayMs]) => delayMs), exits], [true, [6_000], []]);
  const without = waiting();
  without.signaled.ppid = 1;
  assert.deepEqual(without.timers, []);
});
