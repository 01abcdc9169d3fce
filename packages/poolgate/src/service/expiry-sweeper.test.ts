import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startExpirySweeper } from './expiry-sweeper.ts';

const TEN_MINUTES_MS = 600_000;

test('a failed sweep is reported without its data, and the next one runs; none starts before the last has ended', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  const turn = () => new Promise(setImmediate);
  const lines: unknown[] = [];
  let begun = 0;
  let end: (error?: Error) => void = () => {};
  const store = {
    sweep: () =>
      new Promise<void>((resolve, reject) => {
        begun += 1;
        end = (error) => (error === undefined ? resolve() : reject(error));
      }),
  };
  const container = { store, records: { sweep: async () => {} }, clock: { now: () => 0 } };
  const stop = startExpirySweeper(container as never, (...line) => lines.push(line));

  context.mock.timers.tick(3 * TEN_MINUTES_MS);
  assert.equal(begun, 1);
  end(new TypeError('planted'));
  await turn();
  assert.equal(lines.length, 1);
  assert.match(
    JSON.stringify(lines),
    /^\[\["warn","Some expired rows could not be removed[^"]*",\{"failure":"TypeError"\}\]\]$/,
  );

  context.mock.timers.tick(TEN_MINUTES_MS);
  assert.equal(begun, 2);
  end();
  await turn();
  context.mock.timers.tick(TEN_MINUTES_MS);
  stop();
  end(new TypeError('the database is closed'));
  await turn();
  context.mock.timers.tick(TEN_MINUTES_MS);
  assert.deepEqual([begun, lines.length], [3, 1]);
});
