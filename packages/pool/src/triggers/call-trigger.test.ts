import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createCallPorts, createPoolPorts, type PoolPorts } from '../operations/pool-ports.ts';
import { portsWithoutStore } from '../testing/ports-without-store.ts';
import { TestClock, TestTimer } from '../testing/test-environment.ts';
import { TEST_CALL } from '../testing/test-pool.ts';
import { formatTriggerArn } from '../testing/test-triggers.ts';
import { callTrigger } from './call-trigger.ts';
import type { TriggerEvent, TriggerOutcome, TriggerTarget } from './trigger-invoker.ts';

const ARN = formatTriggerArn('slow');
const EVENT = { version: '1', request: {}, response: {} } as TriggerEvent;
const ANSWERED: TriggerOutcome = { kind: 'answered', answer: {} };
const FAILED: TriggerOutcome = { kind: 'failed', why: 'ServiceException', isWorthRetrying: true };
const DOWN: TriggerOutcome = { ...FAILED, isRefused: true };
const never = (): Promise<TriggerOutcome> => new Promise(() => {});

describe('the call of a trigger', () => {
  let clock: TestClock;
  let timer: TestTimer;
  let calls: number;
  let target: TriggerTarget;
  let ports: PoolPorts;
  beforeEach(() => {
    clock = new TestClock(1_000);
    timer = new TestTimer(clock);
    calls = 0;
    const triggers = {
      targetOf: () => ({
        invoke(event: TriggerEvent, signal: AbortSignal, id: string) {
          calls += 1;
          return target.invoke(event, signal, id);
        },
      }),
    };
    ports = createPoolPorts({ ...portsWithoutStore(), clock, timer, triggers });
  });
  const call = () => callTrigger(createCallPorts(ports, TEST_CALL), ARN, EVENT);
  /** A call from its own network. */
  const callFrom = (network: number) =>
    callTrigger(createCallPorts(ports, { ...TEST_CALL, sourceAddress: `192.0.${network}.1` }), ARN, EVENT);
  /** Calls from so many networks that none reaches its limit. */
  const manyCalls = (length: number) => Array.from({ length }, (_, at) => callFrom(at % 40));
  const pass = async (ms: number) => {
    clock.advance(ms);
    timer.runDue();
    await turn();
  };

  it('waits five seconds per attempt for up to three attempts, within the time of the request', async () => {
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

  it('is repeated if nothing was reached, and not if the function responded', async () => {
    const outcomes: TriggerOutcome[] = [DOWN, DOWN, ANSWERED];
    target = { invoke: async () => outcomes.shift() ?? DOWN };
    assert.deepEqual(await call(), ANSWERED);
    assert.equal(calls, 3);
    target = { invoke: async () => ({ kind: 'refused', message: 'no' }) };
    await call();
    assert.equal(calls, 4);
  });

  it('has the same ID on every attempt, and a different one per call', async () => {
    const ids: string[] = [];
    target = {
      invoke: async (_event, _signal, id) => {
        ids.push(id);
        return ids.length % 3 === 0 ? ANSWERED : DOWN;
      },
    };
    for (const _call of [1, 2]) await call();
    assert.deepEqual([ids.length, new Set(ids).size], [6, 2]);
    assert.deepEqual([new Set(ids.slice(0, 3)).size, new Set(ids.slice(3)).size], [1, 1]);
  });

  it('survives a target that throws', async () => {
    target = { invoke: () => Promise.reject(new Error('broken')) };
    assert.equal((await call()).kind, 'failed');
  });

  it('leaves a dead function alone, and tries one call after a while', async () => {
    target = { invoke: async () => DOWN };
    assert.deepEqual(await call(), DOWN);
    assert.equal(calls, 3);
    await call();
    assert.equal(calls, 5);
    const resting: TriggerOutcome = { kind: 'failed', why: 'ServiceException', isWorthRetrying: false };
    for (const ms of [0, 9_999]) {
      clock.advance(ms);
      assert.deepEqual(await call(), resting);
    }
    assert.equal(calls, 5);
    clock.advance(1);
    target = { invoke: async () => ANSWERED };
    assert.deepEqual(await Promise.all([call(), call()]).then((all) => all.map(({ kind }) => kind)), [
      'answered',
      'failed',
    ]);
    assert.equal((await call()).kind, 'answered');
  });

  it('does not leave it alone longer if the clock is set back meanwhile', async () => {
    target = { invoke: async () => DOWN };
    await call();
    await call();
    clock.advance(-86_400_000);
    target = { invoke: async () => ANSWERED };
    assert.equal((await call()).kind, 'answered');
  });

  it('poison: events that make a function fail do not block it for others', async () => {
    target = { invoke: async () => ({ ...FAILED, isReached: true }) };
    for (let events = 0; events < 5; events += 1) await call();
    assert.equal(calls, 15);
    target = { invoke: async () => ANSWERED };
    assert.deepEqual(await call(), ANSWERED);
  });

  it('runs with a few in parallel: others wait for their turn, or are refused at once if there are too many', async () => {
    const release: (() => void)[] = [];
    target = { invoke: () => new Promise((resolve) => release.push(() => resolve(ANSWERED))) };
    const all = manyCalls(32 + 256);
    await turn();
    assert.equal(calls, 32);
    const why = 'TooManyRequestsException';
    assert.deepEqual(await call(), { kind: 'failed', why, isWorthRetrying: false });
    const releaseAll = async () => {
      while (release.length > 0) {
        for (const one of release.splice(0)) one();
        await turn();
      }
    };
    await releaseAll();
    const kinds = new Set((await Promise.all(all)).map(({ kind }) => kind));
    assert.deepEqual(kinds, new Set(['answered']));
    const later = manyCalls(33);
    await turn();
    assert.deepEqual([calls, release.length], [32 + 256 + 32, 32], 'those who left have left once');
    await releaseAll();
    await Promise.all(later);
  });

  it('does not keep others from their turn after a failure, and a success resets the count', async () => {
    const ends: ((outcome: TriggerOutcome) => void)[] = [];
    target = { invoke: () => new Promise((resolve) => ends.push(resolve)) };
    const failure: TriggerOutcome = { ...DOWN, isWorthRetrying: false };
    const all = manyCalls(32 + 10);
    await turn();
    const outcomes = [failure, failure, failure, failure, ANSWERED, failure, failure, failure, failure, ANSWERED];
    for (const outcome of outcomes) {
      ends.shift()?.(outcome);
      await turn();
    }
    assert.equal(calls, 32 + 10);
    for (const end of ends) end(ANSWERED);
    assert.deepEqual(
      (await Promise.all(all)).map(({ kind }) => kind),
      [...outcomes.map(({ kind }) => kind), ...Array(32).fill('answered')],
    );
  });

  it('is refused while waiting as soon as the function is left alone', async () => {
    const ends: ((outcome: TriggerOutcome) => void)[] = [];
    target = { invoke: () => new Promise((resolve) => ends.push(resolve)) };
    const all = manyCalls(32 + 7);
    await turn();
    for (const end of ends.splice(0, 5)) end({ ...DOWN, isWorthRetrying: false });
    await turn();
    assert.equal(calls, 32 + 4, 'each failure but the last made room for one');
    for (const end of ends) end(ANSWERED);
    const kinds = (await Promise.all(all)).map(({ kind }) => kind);
    assert.deepEqual(kinds, [...Array(5).fill('failed'), ...Array(31).fill('answered'), ...Array(3).fill('failed')]);
  });

  it('of one network uses only its share, and slow ones do not open the circuit for others', async () => {
    target = { invoke: never };
    const slow = Array.from({ length: 8 + 64 + 1 }, () => callFrom(1));
    await turn();
    assert.equal(calls, 8);
    const why = 'TooManyRequestsException';
    assert.deepEqual(await slow.at(-1), { kind: 'failed', why, isWorthRetrying: false });
    target = { invoke: async () => ANSWERED };
    for (const ms of [0, 5_000, 5_000, 3_000]) {
      target = { invoke: never };
      await pass(ms);
      target = { invoke: async () => ANSWERED };
      assert.deepEqual(await callFrom(2), ANSWERED);
    }
    for (const { kind } of await Promise.all(slow)) assert.equal(kind, 'failed');
  });

  it('waits for its turn only as long as its callPorts allows, so that messages do not queue behind slow ones', async () => {
    target = { invoke: never };
    for (let running = 0; running < 8; running += 1) void call();
    let outcome: TriggerOutcome | undefined;
    const impatient = { ...createCallPorts(ports, TEST_CALL), turnPatienceMs: 1_000 };
    void callTrigger(impatient, ARN, EVENT).then((ended) => {
      outcome = ended;
    });
    await pass(999);
    assert.equal(outcome, undefined);
    await pass(1);
    assert.deepEqual(outcome, { kind: 'failed', why: 'TooManyRequestsException', isWorthRetrying: false });
  });

  it('is limited by user for a trusted server: with an admin key or the secret of an app client', async () => {
    target = { invoke: never };
    const named = (userName: string, callPorts: PoolPorts) => callTrigger(callPorts, ARN, { ...EVENT, userName });
    const admin = () => createCallPorts(ports, { ...TEST_CALL, actor: { kind: 'admin', id: 'key1' } });
    const client = () => {
      const callPorts = createCallPorts(ports, TEST_CALL);
      callPorts.caller.isProven = true;
      return callPorts;
    };
    for (const proven of [admin, client]) {
      calls = 0;
      for (let times = 0; times < 10; times += 1) void named(`ada-${proven.name}`, proven());
      void named(`bob-${proven.name}`, proven());
      await turn();
      assert.equal(calls, 8 + 1, proven.name);
    }
  });

  it('is counted with the calls of its /48 or /24', async () => {
    target = { invoke: never };
    for (const [addresses, made] of [
      [(at: number) => `2001:db8:1:${at.toString(16)}::1`, 8],
      [(at: number) => `2001:db8:${at.toString(16)}::1`, 9],
      [(at: number) => `198.51.100.${at}`, 8],
    ] as const) {
      calls = 0;
      for (let at = 10; at < 19; at += 1)
        void callTrigger(createCallPorts(ports, { ...TEST_CALL, sourceAddress: addresses(at) }), ARN, EVENT);
      await turn();
      assert.equal(calls, made, addresses(1));
    }
  });

  it('is made only while there is time, and repeated only if some is left', async () => {
    const timeout = { kind: 'failed', why: 'Socket timeout while invoking Lambda function', isWorthRetrying: true };
    const callPorts = createCallPorts(ports, TEST_CALL);
    const inTime = () => callTrigger(callPorts, ARN, EVENT);
    target = { invoke: never };
    clock.advance(12_999);
    const called = inTime();
    await turn();
    assert.equal(calls, 1);
    await pass(1);
    assert.deepEqual(await called, timeout);
    assert.equal(calls, 1);
    assert.deepEqual(await inTime(), timeout);
    assert.equal(calls, 1, 'nothing is called when time is up');
    for (const [ms, tries] of [
      [12_999, 2],
      [13_000, 1],
    ] as const) {
      calls = 0;
      target = {
        async invoke() {
          clock.advance(calls === 1 ? ms : 0);
          return calls === 1 ? DOWN : ANSWERED;
        },
      };
      assert.deepEqual(await call(), tries === 2 ? ANSWERED : DOWN);
      assert.equal(calls, tries);
    }
  });

  it('is not repeated if the failure will be the same', async () => {
    const failure: TriggerOutcome = { ...DOWN, isWorthRetrying: false };
    target = { invoke: async () => failure };
    assert.deepEqual(await call(), failure);
    assert.equal(calls, 1);
  });

  it('waits for its turn no longer than the request', async () => {
    target = { invoke: never };
    const early = createCallPorts(ports, TEST_CALL);
    clock.advance(12_000);
    const all = manyCalls(32);
    let outcome: TriggerOutcome | undefined;
    const waiting = callTrigger(early, ARN, EVENT).then((ended) => {
      outcome = ended;
    });
    await pass(999);
    assert.equal(outcome, undefined);
    await pass(1);
    assert.deepEqual(outcome, { kind: 'failed', why: 'TooManyRequestsException', isWorthRetrying: false });
    assert.equal(calls, 32);
    await waiting;
    for (const ms of [5_000, 5_000, 5_000]) await pass(ms);
    for (const { kind } of await Promise.all(all)) assert.equal(kind, 'failed');
  });
});
