import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServer } from '../http/server.ts';
import { testDeps } from '../testing/gateway-deps.ts';
import { watchOverload } from './overload.ts';

/** A timer and a clock that a test moves. */
function movable() {
  let nowMs = 0;
  let due: (() => void) | undefined;
  return {
    elapsed: () => nowMs,
    timer: {
      after: (_delayMs: number, run: () => void) => {
        due = run;
        return () => {
          due = undefined;
        };
      },
    },
    /** The next look, so late. */
    look(lateMs: number) {
      nowMs += 100 + lateMs;
      due?.();
    },
    isWaiting: () => due !== undefined,
  };
}

test('an event loop that is late once is none that is overloaded, and one that is late again and again is', () => {
  const time = movable();
  const changes: string[] = [];
  const onChange = (isOverloaded: boolean, delayMs: number) => changes.push(`${isOverloaded} ${delayMs}`);
  const overload = watchOverload({ ...time, mostMs: 400, onChange });
  for (const late of [5_000, 0, 401, 401, 400, 401, 401]) time.look(late);
  assert.equal(overload.isOverloaded, false);
  time.look(900);
  assert.deepEqual([overload.isOverloaded, overload.delayMs], [true, 900]);
  time.look(401);
  assert.equal(overload.isOverloaded, true);
  time.look(3);
  assert.equal(overload.isOverloaded, false);
  assert.deepEqual(changes, ['true 900', 'false 3']);
  overload.stop();
  assert.equal(time.isWaiting(), false);
});

test('with 0 nothing is looked at', () => {
  const time = movable();
  watchOverload({ ...time, mostMs: 0, onChange: () => {} });
  assert.equal(time.isWaiting(), false);
});

test('while a service is overloaded it answers 503 with Retry-After on routes and operations, and its health all the same', async () => {
  const time = movable();
  const lines: string[] = [];
  const logStream = { write: (line: string) => void lines.push(line) };
  const deps = testDeps({ timer: time.timer, logStream }, { overloadMs: 1, logLevel: 'warn' });
  const app = await createServer(deps, undefined, time.elapsed);
  const statusOf = async (method: 'GET' | 'POST', url: string) => {
    const { statusCode, headers } = await app.inject({ method, url });
    return [statusCode, headers['retry-after']];
  };
  const before = await statusOf('GET', '/login/parameters');
  for (const late of [50, 50, 50]) time.look(late);
  assert.deepEqual(await statusOf('GET', '/login/parameters'), [503, '1']);
  assert.deepEqual(await statusOf('POST', '/login'), [503, '1']);
  assert.deepEqual(await statusOf('POST', '/'), [503, '1']);
  assert.deepEqual(await statusOf('GET', '/healthz'), [200, undefined]);
  time.look(0);
  assert.deepEqual(await statusOf('GET', '/login/parameters'), before);
  const told = lines
    .map((line) => JSON.parse(line) as { msg: string; delayMs?: number })
    .filter(({ delayMs }) => delayMs !== undefined);
  assert.deepEqual(
    told.map(({ msg, delayMs }) => [msg, delayMs]),
    [
      ['overloaded', 50],
      ['no longer overloaded', 0],
    ],
  );
  await app.close();
  assert.equal(time.isWaiting(), false);
});
