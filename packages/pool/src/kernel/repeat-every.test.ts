import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestClock, TestTimer } from '../testing/test-environment.ts';
import { type BackgroundFailure, repeatEvery } from './repeat-every.ts';

describe('background work', () => {
  function start(run: () => Promise<void>) {
    const clock = new TestClock(0);
    const timer = new TestTimer(clock);
    const failures: BackgroundFailure[] = [];
    const stop = repeatEvery(timer, { name: 'due_deletions', intervalMs: 100, run }, (one) => failures.push(one));
    const wait = () => {
      clock.advance(100);
      timer.runDue();
    };
    return { stop, wait, timer, failures };
  }

  it('never runs twice at the same time', async () => {
    const runs: PromiseWithResolvers<void>[] = [];
    const { stop, wait } = start(() => {
      const run = Promise.withResolvers<void>();
      runs.push(run);
      return run.promise;
    });
    wait();
    assert.equal(runs.length, 1);
    runs[0]?.resolve();
    await new Promise(setImmediate);
    wait();
    assert.equal(runs.length, 2);
    runs[1]?.resolve();
    await stop();
  });

  it('reports a failure and runs again', async () => {
    const error = new Error('away');
    let runs = 0;
    const { stop, wait, failures } = start(async () => {
      runs += 1;
      throw error;
    });
    await new Promise(setImmediate);
    wait();
    await stop();
    assert.equal(runs, 2);
    assert.deepEqual(failures, [
      { task: 'due_deletions', error },
      { task: 'due_deletions', error },
    ]);
  });

  it('is awaited when it is stopped, and does not start again', async () => {
    const run = Promise.withResolvers<void>();
    let isEnded = false;
    const { stop, timer } = start(async () => {
      await run.promise;
      isEnded = true;
    });
    const stopped = stop();
    assert.equal(timer.nextAtMs, undefined);
    run.resolve();
    await stopped;
    assert.ok(isEnded);
  });
});
