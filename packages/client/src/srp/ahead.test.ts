import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeAhead } from './ahead.ts';
import type { SrpRunner } from './runner.ts';
import type { StartedSrp } from './tasks.ts';

/** Gives the values 1, 2, 3; those in `failing` are refused. */
function counting(failing: readonly number[] = []) {
  let made = 0;
  const start = async (): Promise<StartedSrp> => {
    made += 1;
    if (failing.includes(made)) throw new Error('no worker');
    return { aHex: String(made), srpAHex: `A${made}` };
  };
  const ahead = computeAhead(start as unknown as SrpRunner);
  const next = async (): Promise<string> => (await ahead.srp('start', null)).aHex;
  return { ...ahead, next, made: () => made };
}

test('a private value that was drawn ahead is used by one login, even where two begin at once', async () => {
  const { prepareSrp, next, made } = counting();
  await Promise.all([prepareSrp(), prepareSrp()]);
  assert.equal(made(), 1);
  const used = await Promise.all([next(), next(), next()]);
  assert.deepEqual(used.toSorted(), ['1', '2', '3']);
  await prepareSrp();
  assert.equal(await next(), '4');
});

test('a login that begins while its private value is being drawn waits for that one', async () => {
  const { prepareSrp, next, made } = counting();
  const prepared = prepareSrp();
  assert.equal(await next(), '1');
  await prepared;
  assert.equal(made(), 1);
});

test('what could not be drawn ahead is drawn by the login, and ahead of the next one', async () => {
  const { prepareSrp, next } = counting([1]);
  await prepareSrp();
  assert.equal(await next(), '2');
  await prepareSrp();
  assert.equal(await next(), '3');
});
