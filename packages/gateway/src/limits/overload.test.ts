import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServer } from '../http/server.ts';
import { createTestDeps } from '../testing/gateway-deps.ts';
import { HOST_OVERLOAD_CLOCK, watchOverload } from './overload.ts';

/** A timer and clocks that a test advances. */
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
    /** The next check, this late, after the loop was idle for this long. */
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

test('an event loop that is late once is not overloaded, one that is late repeatedly is', () => {
  const { time, changes, overload } = watched();
  for (const late of [5_000, 0, 51, 51, 50, 51, 51]) time.look(late);
  assert.equal(overload.isOverloaded, false);
  time.look(900);
  assert.deepEqual([overload.isOverloaded, overload.delayMs], [true, 900]);
  assert.deepEqual(changes, ['true 900']);
  overload.stop();
  assert.equal(time.isWaiting(), false);
});

test('an event loop that is late because other processes use the processor is not overloaded', () => {
  const { time, overload } = watched();
  for (let looks = 0; looks < 10; looks += 1) time.look(900, 51);
  assert.equal(overload.isOverloaded, false);
  for (let looks = 0; looks < 3; looks += 1) time.look(900, 50);
  assert.equal(overload.isOverloaded, true);
  overload.stop();
});

test('of a burst in one turn only the allowed amount is done, and the next turn starts fresh', () => {
  const { time, overload } = watched();
  assert.equal(overload.hasTooMuchWork(), false);
  time.work(400);
  assert.equal(overload.hasTooMuchWork(), false);
  time.work(1);
  assert.equal(overload.hasTooMuchWork(), true);
  time.endTurn();
  // background work such as a sweep counts against no request
  time.work(1_000);
  assert.equal(overload.hasTooMuchWork(), false);
});

test('not every one of closely following turns is watched, but a burst is still noticed', () => {
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

test('under overload a twelfth is done per turn, and it ends when nothing was refused for a second', () => {
  const { time, changes, overload } = watched();
  assert.equal(overload.hasTooMuchWork(), false);
  for (let looks = 0; looks < 3; looks += 1) time.look(60);
  time.work(33);
  assert.equal(overload.hasTooMuchWork(), false);
  time.work(1);
  assert.equal(overload.hasTooMuchWork(), true);
  time.endTurn();
  // Work of a turn before its first request counts too, such as database results.
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

test('stopped under overload, it waits for no further turn', () => {
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

test('a loop that is late without work of its own skips turns, and is watched again once it works', () => {
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

test('two late checks are not enough, and without a refusal an overload ends ten checks after it started', () => {
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

test('an overload that is noticed right after a turn is watched at once', () => {
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

test('a turn with a following one does at least a sixty-fourth of the allowance, and the rest after a watched one', () => {
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

test('the minimum allowance is a millisecond', () => {
  const { time, overload } = watched(1);
  assert.equal(time.isWaiting(), true);
  assert.equal(overload.hasTooMuchWork(), false);
  time.work(1);
  assert.equal(overload.hasTooMuchWork(), false);
  time.work(1);
  assert.equal(overload.hasTooMuchWork(), true);
  overload.stop();
});

test("the machine's clocks return milliseconds, and for work the time of the thread", async (context) => {
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

test('0 disables the check', () => {
  const { time, overload } = watched(0);
  assert.equal(time.isWaiting(), false);
  assert.equal(overload.hasTooMuchWork(), false);
  time.work(60_000);
  assert.equal(overload.hasTooMuchWork(), false);
});

test('excess requests get 503 with Retry-After at routes and operations, but the health check works', async () => {
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
  // A person at a browser gets a page, which takes no more time.
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
