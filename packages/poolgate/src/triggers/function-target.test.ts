import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TriggerEvent } from '@poolgate/pool';
import { createFunctionTarget, type TriggerFunction } from './function-target.ts';

const ARN = 'arn:aws:lambda:us-east-1:123456789012:function:name';
const EVENT = { version: '1', request: { userAttributes: {} }, response: {} } as unknown as TriggerEvent;
const call = (handler: TriggerFunction) =>
  createFunctionTarget(ARN, async () => handler).invoke(EVENT, new AbortController().signal, 'call-1');
interface Given {
  response: Record<string, unknown>;
}
type Answer = (error: unknown, answer?: unknown) => void;

test('a function responds with a promise, its callback, its context, or directly', async () => {
  const handlers: readonly TriggerFunction[] = [
    async (event: Given) => event,
    (event: Given) => event,
    (event: Given, _: unknown, callback: Answer) => callback(null, event),
    (event: Given, _: unknown, callback: Answer) => void setImmediate(callback, null, event),
    (event: Given, context: { succeed: (answer: unknown) => void }) => context.succeed(event),
    (event: Given, _: unknown, callback: Answer) => callback(undefined, event),
    (event: Given, context: { done: Answer }) => context.done(null, event),
    (event: Given, context: { done: Answer }) => void setImmediate(() => context.done(null, event)),
  ];
  for (const handler of handlers) assert.deepEqual(await call(handler), { kind: 'answered', answer: EVENT });
});

test('a function that fails in any way has refused, with its own text', async () => {
  const handlers: readonly TriggerFunction[] = [
    async () => {
      throw new Error('no');
    },
    () => {
      throw 'no';
    },
    (_event: Given, _: unknown, callback: Answer) => callback(new Error('no')),
    (_event: Given, _: unknown, callback: Answer) => callback('no'),
    (_event: Given, context: { fail: (error: unknown) => void }) => context.fail(new Error('no')),
    (_event: Given, _: unknown, callback: Answer) => void setImmediate(callback, new Error('no')),
  ];
  for (const handler of handlers) assert.deepEqual(await call(handler), { kind: 'refused', message: 'no' });
  const odd = async () => {
    throw { no: 1 };
  };
  assert.deepEqual(await call(odd), { kind: 'refused', message: '{"no":1}' });
});

test('a function changes only its own copy of the event', async () => {
  await call((event: Given) => {
    event.response.changed = true;
    return event;
  });
  assert.deepEqual(EVENT.response, {});
});

test('invalid JSON is no response', async () => {
  const loop: Record<string, unknown> = {};
  loop.loop = loop;
  assert.equal((await call(async () => loop)).kind, 'refused');
  assert.deepEqual(await call(async () => undefined), { kind: 'answered', answer: null });
  assert.deepEqual(await call(() => undefined), { kind: 'answered', answer: null });
  assert.deepEqual(await call((_event: Given) => undefined), { kind: 'answered', answer: null });
  assert.deepEqual(await call(async () => () => {}), { kind: 'answered', answer: null });
});

test('a function learns how it was called, and that it has five seconds', async (context) => {
  let nowMs = 1_000;
  context.mock.method(performance, 'now', () => nowMs);
  let seen: Record<string, unknown> = {};
  await call((event: Given, about: Record<string, unknown> & { getRemainingTimeInMillis: () => number }) => {
    const left = [0, 4_999, 1, 1].map((ms) => {
      nowMs += ms;
      return about.getRemainingTimeInMillis();
    });
    seen = { ...about, left };
    return event;
  });
  assert.equal(seen.functionName, 'name');
  assert.equal(seen.invokedFunctionArn, ARN);
  assert.deepEqual(seen.left, [5_000, 1, 0, 0]);
});
