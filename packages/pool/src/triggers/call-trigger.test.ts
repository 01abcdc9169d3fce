import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createRuntime, forCall, type PoolRuntime } from '../runtime.ts';
import { TestClock, TestTimer } from '../testing/context.ts';
import { CALL } from '../testing/pool.ts';
import { runtimeWithoutStore } from '../testing/test-runtime.ts';
import { triggerArn } from '../testing/triggers.ts';
import { CALL_LIMITS, CIRCUIT_BREAKER } from './call-limiter.ts';
import { callTrigger } from './call-trigger.ts';
import type { TriggerEvent, TriggerOutcome, TriggerTarget } from './invoker.ts';

const ARN = triggerArn('slow');
const EVENT = { version: '1', request: {}, response: {} } as TriggerEvent;
const ANSWERED: TriggerOutcome = { kind: 'answered', answer: {} };
const DOWN: TriggerOutcome = { kind: 'failed', why: 'ServiceException', isWorthRetrying: true };
const never = (): Promise<TriggerOutcome> => new Promise(() => {});

describe('the call of a trigger', () => {
  let clock: TestClock;
  let timer: TestTimer;
  let calls: number;
  let target: TriggerTarget;
  let runtime: PoolRuntime;
  beforeEach(() => {
    clock = new TestClock(1_000);
    timer = new TestTimer(clock);
    calls = 0;
    const triggers = {
      targetOf: () => ({
        invoke(event: TriggerEvent, signal: AbortSignal) {
          calls += 1;
          return target.invoke(event, signal);
        },
      }),
    };
    runtime = createRuntime({ ...runtimeWithoutStore(), clock, timer, triggers });
  });
  const call = () => callTrigger(forCall(runtime, CALL), ARN, EVENT);
  const pass = async (ms: number) => {
    clock.advance(ms);
    timer.runDue();
    await turn();
  };

  it('waits five seconds a try and makes three tries, within the time of the request', async () => {
    const aborted: boolean[] = [];
    target = {
      invoke: (_, signal) => {
        signal.addEventListener('abort', () => aborted.push(true));
        return never();
      },
    };
    const called = call();
    await turn();
    for (const [ms, made] of [
      [4_999, 1],
      [1, 2],
      [5_000, 3],
    ] as const) {
      await pass(ms);
      assert.equal(calls, made);
    }
    await pass(3_000);
    const why = 'Socket timeout while invoking Lambda function';
    assert.deepEqual(await called, { kind: 'failed', why, isWorthRetrying: true });
    assert.deepEqual(aborted, [true, true, true]);
  });

  it('is made again where nobody was reached, and not where the function spoke', async () => {
    const outcomes: TriggerOutcome[] = [DOWN, DOWN, ANSWERED];
    target = { invoke: async () => outcomes.shift() ?? DOWN };
    assert.deepEqual(await call(), ANSWERED);
    assert.equal(calls, 3);
    target = { invoke: async () => ({ kind: 'refused', message: 'no' }) };
    await call();
    assert.equal(calls, 4);
  });

  it('does not fall over a target that throws', async () => {
    target = { invoke: () => Promise.reject(new Error('broken')) };
    assert.equal((await call()).kind, 'failed');
  });

  it('leaves a dead function alone, and tries it by one call after a while', async () => {
    target = { invoke: async () => DOWN };
    await call();
    await call();
    assert.equal(calls, CIRCUIT_BREAKER.failures);
    assert.deepEqual(await call(), { kind: 'failed', why: 'ServiceException', isWorthRetrying: false });
    assert.equal(calls, CIRCUIT_BREAKER.failures);
    clock.advance(CIRCUIT_BREAKER.restMs);
    target = { invoke: async () => ANSWERED };
    assert.deepEqual(await Promise.all([call(), call()]).then((all) => all.map(({ kind }) => kind)), [
      'answered',
      'failed',
    ]);
    assert.equal((await call()).kind, 'answered');
  });

  it('leaves it alone no longer where the clock is set back meanwhile', async () => {
    target = { invoke: async () => DOWN };
    await call();
    await call();
    clock.advance(-86_400_000);
    target = { invoke: async () => ANSWERED };
    assert.equal((await call()).kind, 'answered');
  });

  it('poison: events over which a function stumbles keep nobody else from it', async () => {
    target = { invoke: async () => ({ ...DOWN, isReached: true }) };
    for (let events = 0; events < CIRCUIT_BREAKER.failures; events += 1) await call();
    target = { invoke: async () => ANSWERED };
    assert.deepEqual(await call(), ANSWERED);
  });

  it('is one of few at a time: the others wait for their turn, or are told at once that there are too many', async () => {
    const release: (() => void)[] = [];
    target = { invoke: () => new Promise((resolve) => release.push(() => resolve(ANSWERED))) };
    const all = Array.from({ length: CALL_LIMITS.running + CALL_LIMITS.waiting }, call);
    await turn();
    assert.equal(calls, CALL_LIMITS.running);
    const why = 'TooManyRequestsException';
    assert.deepEqual(await call(), { kind: 'failed', why, isWorthRetrying: false });
    while (release.length > 0) {
      for (const one of release.splice(0)) one();
      await turn();
    }
    const kinds = new Set((await Promise.all(all)).map(({ kind }) => kind));
    assert.deepEqual(kinds, new Set(['answered']));
  });

  it('waits for its turn no longer than the request', async () => {
    target = { invoke: never };
    const all = Array.from({ length: CALL_LIMITS.running + 1 }, call);
    await turn();
    for (const ms of [5_000, 5_000, 5_000]) await pass(ms);
    for (const { kind } of await Promise.all(all)) assert.equal(kind, 'failed');
  });
});
