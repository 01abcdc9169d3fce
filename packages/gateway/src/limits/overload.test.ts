import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServer } from '../http/server.ts';
import { createTestDeps } from '../testing/gateway-deps.ts';
import { HOST_OVERLOAD_CLOCK, watchOverload } from './overload.ts';

/** A timer and clocks that a test moves. */
function movable() {
  let nowMs = 0;
  let workedMs = 0;
  let restedMs = 0;
  let due: (() => void) | undefined;
  let atEnd: (() => void)[] = [];
  return {
    times: {
      elapsed: () => nowMs,
      worked: () => workedMs,
      rested: () => restedMs,
      atEndOfTurn: (run: () => void) => void atEnd.push(run),
    },
    timer: {
      after: (_delayMs: number, run: () => void) => {
        due = run;
        return () => {
          due = undefined;
        };
      },
    },
    /** The next look, so late; so long did the loop rest since the last one. */
    look(lateMs: number, restMs = 0) {
      nowMs += 100 + lateMs;
      restedMs += restMs;
      due?.();
    },
    pass(ms: number) {
      nowMs += ms;
    },
    work(ms: number) {
      workedMs += ms;
    },
    endTurn() {
      const ending = atEnd;
      atEnd = [];
      for (const run of ending) run();
    },
    turnsWaitedFor: () => atEnd.length,
    isWaiting: () => due !== undefined,
  };
}

function watched(mostMs = 400) {
  const time = movable();
  const changes: string[] = [];
  const onChange = (isOverloaded: boolean, delayMs: number) => changes.push(`${isOverloaded} ${delayMs}`);
  return { time, changes, overload: watchOverload({ ...time, ...time.times, mostMs, onChange }) };
}

test('an event loop that is late once is none that is overloaded, and one that is late again and again is', () => {
  const { time, changes, overload } = watched();
  for (const late of [5_000, 0, 51, 51, 50, 51, 51]) time.look(late);
  assert.equal(overload.isOverloaded, false);
  time.look(900);
  assert.deepEqual([overload.isOverloaded, overload.delayMs], [true, 900]);
  assert.deepEqual(changes, ['true 900']);
  overload.stop();
  assert.equal(time.isWaiting(), false);
});

test('an event loop that is late because others have the processor is none that is overloaded', () => {
  const { time, overload } = watched();
  for (let looks = 0; looks < 10; looks += 1) time.look(900, 51);
  assert.equal(overload.isOverloaded, false);
  for (let looks = 0; looks < 3; looks += 1) time.look(900, 50);
  assert.equal(overload.isOverloaded, true);
  overload.stop();
});

test('of a burst that comes in one turn so much is done as is allowed, and the next turn begins anew', () => {
  const { time, overload } = watched();
  assert.equal(overload.hasTooMuchWork(), false);
  time.work(400);
  assert.equal(overload.hasTooMuchWork(), false);
  time.work(1);
  assert.equal(overload.hasTooMuchWork(), true);
  time.endTurn();
  // Work that nobody asked for, as a sweep, is held against nobody.
  time.work(1_000);
  assert.equal(overload.hasTooMuchWork(), false);
});

test('of turns that follow each other closely not each is watched, and a burst is seen all the same', () => {
  const { time, overload } = watched();
  assert.equal(overload.hasTooMuchWork(), false);
  time.endTurn();
  assert.equal(overload.hasTooMuchWork(), false);
  assert.equal(time.turnsWaitedFor(), 0);
  time.pass(10);
  assert.equal(overload.hasTooMuchWork(), false);
  assert.equal(time.turnsWaitedFor(), 1);
  time.work(401);
  assert.equal(overload.hasTooMuchWork(), true);
});

test('while it is overloaded a twelfth is done in each turn, and it ends when nothing was refused for a second', () => {
  const { time, changes, overload } = watched();
  assert.equal(overload.hasTooMuchWork(), false);
  for (let looks = 0; looks < 3; looks += 1) time.look(60);
  time.work(33);
  assert.equal(overload.hasTooMuchWork(), false);
  time.work(1);
  assert.equal(overload.hasTooMuchWork(), true);
  time.endTurn();
  // What a turn does before its first request counts too: answers of a database that are worked on.
  time.work(51);
  assert.equal(overload.hasTooMuchWork(), true);
  time.endTurn();
  assert.equal(overload.hasTooMuchWork(), false);
  for (let looks = 0; looks < 9; looks += 1) time.look(0);
  assert.equal(overload.isOverloaded, true);
  time.look(0);
  assert.equal(overload.isOverloaded, false);
  assert.deepEqual(changes, ['true 60', 'false 0']);
});

test('stopped while it is overloaded, it waits for no further turn', () => {
  const { time, overload } = watched();
  assert.equal(overload.hasTooMuchWork(), false);
  for (let looks = 0; looks < 3; looks += 1) time.look(60);
  time.work(10);
  time.endTurn();
  assert.equal(time.turnsWaitedFor(), 1);
  time.work(10);
  overload.stop();
  time.endTurn();
  assert.equal(time.turnsWaitedFor(), 0);
});

test('a loop that is late without work of its own waits for no turn after turn, and is followed again once it works', () => {
  const { time, overload } = watched();
  for (let looks = 0; looks < 3; looks += 1) time.look(60);
  assert.equal(overload.isOverloaded, true);
  assert.equal(overload.hasTooMuchWork(), false);
  time.work(1);
  time.endTurn();
  assert.equal(time.turnsWaitedFor(), 0);
  assert.equal(overload.hasTooMuchWork(), false);
  time.work(50);
  time.endTurn();
  assert.equal(time.turnsWaitedFor(), 1);
  time.work(51);
  assert.equal(overload.hasTooMuchWork(), true);
});

test('two late looks are none too many, and without a refusal an overload ends ten looks after it was begun to count', () => {
  const { time, changes, overload } = watched();
  assert.equal(overload.delayMs, 0);
  for (let looks = 0; looks < 2; looks += 1) time.look(60);
  assert.equal(overload.isOverloaded, false);
  time.look(60);
  for (let looks = 0; looks < 6; looks += 1) time.look(0);
  assert.equal(overload.isOverloaded, true);
  time.look(0);
  assert.equal(overload.isOverloaded, false);
  assert.deepEqual(changes, ['true 60', 'false 0']);
  overload.stop();
});

test('an overload that is seen right after a turn is watched at once', () => {
  const { time, overload } = watched();
  for (let looks = 0; looks < 2; looks += 1) time.look(60);
  time.pass(159);
  assert.equal(overload.hasTooMuchWork(), false);
  time.endTurn();
  assert.equal(overload.hasTooMuchWork(), false);
  assert.equal(time.turnsWaitedFor(), 0);
  time.look(-99);
  assert.equal(overload.isOverloaded, true);
  assert.equal(overload.hasTooMuchWork(), false);
  assert.equal(time.turnsWaitedFor(), 1);
  overload.stop();
});

test('a sixty-fourth of what is allowed is the least that a turn does which another one follows, and the rest after one that is watched', () => {
  const { time, overload } = watched();
  assert.equal(overload.hasTooMuchWork(), false);
  time.endTurn();
  time.pass(6);
  assert.equal(overload.hasTooMuchWork(), false);
  assert.equal(time.turnsWaitedFor(), 0);
  time.pass(0.25);
  assert.equal(overload.hasTooMuchWork(), false);
  assert.equal(time.turnsWaitedFor(), 1);
  time.endTurn();
  for (let looks = 0; looks < 3; looks += 1) time.look(60);
  for (const [workedMs, followed] of [
    [6, 0],
    [6.25, 1],
  ] as const) {
    assert.equal(overload.hasTooMuchWork(), false);
    time.work(workedMs);
    time.endTurn();
    assert.equal(time.turnsWaitedFor(), followed);
  }
  overload.stop();
});

test('the least that may be allowed is a millisecond', () => {
  const { time, overload } = watched(1);
  assert.equal(time.isWaiting(), true);
  assert.equal(overload.hasTooMuchWork(), false);
  time.work(1);
  assert.equal(overload.hasTooMuchWork(), false);
  time.work(1);
  assert.equal(overload.hasTooMuchWork(), true);
  overload.stop();
});

test('the clocks of this machine tell milliseconds, of work what the thread worked', async (context) => {
  const before = HOST_OVERLOAD_CLOCK.elapsed();
  await new Promise<void>(HOST_OVERLOAD_CLOCK.atEndOfTurn);
  const usage = context.mock.method(process, 'threadCpuUsage', () => ({ user: 3_000, system: 4_500 }));
  assert.equal(HOST_OVERLOAD_CLOCK.worked(), 7.5);
  usage.mock.restore();
  context.mock.property(process, 'threadCpuUsage', undefined as never);
  const worked = HOST_OVERLOAD_CLOCK.worked();
  assert.ok(before <= worked && worked <= HOST_OVERLOAD_CLOCK.elapsed(), `${before} ${worked}`);
  assert.ok(HOST_OVERLOAD_CLOCK.rested() >= 0);
});

test('with 0 nothing is looked at, and nothing is too much', () => {
  const { time, overload } = watched(0);
  assert.equal(time.isWaiting(), false);
  assert.equal(overload.hasTooMuchWork(), false);
  time.work(60_000);
  assert.equal(overload.hasTooMuchWork(), false);
});

test('what is too much is answered 503 with Retry-After on routes and operations, and the health of the service is told all the same', async () => {
  const time = movable();
  const lines: string[] = [];
  const logStream = { write: (line: string) => void lines.push(line) };
  const deps = createTestDeps({ timer: time.timer, logStream }, { overloadMs: 8, logLevel: 'warn' });
  const app = await createServer(deps, undefined, time.times);
  const fetchStatus = async (method: 'GET' | 'POST', url: string) => {
    const { statusCode, headers } = await app.inject({ method, url });
    return [statusCode, headers['retry-after']];
  };
  const before = await fetchStatus('GET', '/login/parameters');
  for (const late of [50, 50, 50]) time.look(late);
  time.work(1);
  time.endTurn();
  time.work(2);
  assert.deepEqual(await fetchStatus('GET', '/login/parameters'), [503, '1']);
  assert.deepEqual(await fetchStatus('POST', '/login'), [503, '1']);
  assert.deepEqual(await fetchStatus('POST', '/'), [503, '1']);
  assert.deepEqual(await fetchStatus('GET', '/healthz'), [200, undefined]);
  // Somebody at a browser is told by a page, which takes no more time.
  for (const url of ['/docs/api', '/none']) {
    const page = await app.inject({ url, headers: { accept: 'text/html', 'accept-language': 'de' } });
    const { 'retry-after': wait, 'content-language': language } = page.headers;
    assert.deepEqual([page.statusCode, wait, language], [503, '1', 'de'], url);
    assert.match(page.payload, /<h1>Etwas ist schiefgegangen/);
  }
  for (let looks = 0; looks < 10; looks += 1) time.look(0);
  time.endTurn();
  assert.deepEqual(await fetchStatus('GET', '/login/parameters'), before);
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
