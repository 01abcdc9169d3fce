import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerSrpA, bigIntEngine, hashPassword, makeVerifier, toHex, verifyClaim } from '@poolgate/srp';
import { openSslEngine as engine } from '@poolgate/srp/openssl';
import { PoolgateError } from '../transport/poolgate-error.ts';
import { createSlicedRunner } from './sliced-runner.ts';
import { SRP_TASKS } from './srp-tasks.ts';

const identity = { poolName: 'pool', userIdForSrp: 'ada' };
const password = 'Correct-Horse1!';
const timestamp = 'Tue May 7 00:09:40 UTC 2025';
const secretBlockB64 = btoa('a secret block');

/** The number of slices depends on the exponent's length, so it must not be random. */
const fixedRandom = (length: number): Uint8Array => new Uint8Array(length).fill(0xa5);

/**
 * A clock that advances a millisecond at every reading, so that slices end without waiting. It does not advance while the page has its
 * turn.
 */
function tickingSlices() {
  let nowMs = -1;
  let isResting = false;
  const restedAtMs: number[] = [];
  const run = createSlicedRunner({
    random: fixedRandom,
    now: () => {
      assert.ok(!isResting, 'the page has its turn');
      nowMs += 1;
      return nowMs;
    },
    rest: async () => {
      restedAtMs.push(nowMs);
      isResting = true;
      await null;
      isResting = false;
    },
  });
  return { run, restedAtMs };
}

/** Different bytes at each call. */
function countingRandom() {
  const lengths: number[] = [];
  const random = (length: number): Uint8Array => {
    assert.ok(lengths.length < 9, 'bytes are drawn again and again');
    return new Uint8Array(length).fill(0xa0 + lengths.push(length));
  };
  return { random, lengths };
}

test('a proof computed in slices is the one that the service expects', async () => {
  const { run, restedAtMs } = tickingSlices();
  const start = await run('start', null);
  const stored = makeVerifier({ engine, passwordHash: hashPassword(engine, identity, password), random: fixedRandom });
  const exchange = answerSrpA({ engine, ...stored, srpAHex: start.srpAHex, random: fixedRandom });
  const signature = await run('prove', {
    ...{ ...start, identity, password, timestamp, secretBlockB64 },
    ...{ srpBHex: exchange.srpBHex, saltHex: stored.saltHex },
  });
  assert.ok(verifyClaim(engine, exchange.key, { identity, secretBlockB64, timestamp }, signature));
  assert.ok(restedAtMs.length > 30, `rested ${restedAtMs.length} times`);
  assert.deepEqual(restedAtMs.slice(0, 3), [8, 17, 26], 'eight milliseconds each');
});

test('slices and a single run give the same result for the same random bytes', async () => {
  const random = fixedRandom;
  const run = createSlicedRunner({ random, now: () => 0 });
  const dependencies = { engine: bigIntEngine, random };
  const names = { deviceKey: 'us-east-1_0', deviceGroupKey: '-group' };
  assert.deepEqual(await run('start', null), SRP_TASKS.start(dependencies, null));
  assert.deepEqual(await run('device', names), SRP_TASKS.device(dependencies, names));
  const verifier = { identity, password, saltHex: toHex(random(16)) };
  assert.equal(await run('verifier', verifier), SRP_TASKS.verifier(dependencies, verifier));
});

test('random bytes are drawn once, however often a task restarts', async () => {
  const names = { deviceKey: 'us-east-1_0', deviceGroupKey: '-group' };
  for (const [task, input] of [
    ['start', null],
    ['device', names],
  ] as const) {
    const [inSlices, inOneGo] = [countingRandom(), countingRandom()];
    const given = await createSlicedRunner({ random: inSlices.random, now: () => 0 })(
      task as 'device',
      input as typeof names,
    );
    const dependencies = { engine: bigIntEngine, random: inOneGo.random };
    assert.deepEqual(given, SRP_TASKS[task as 'device'](dependencies, input as typeof names));
    assert.deepEqual(inSlices.lengths, inOneGo.lengths);
  }
});

test("uses the browser's scheduler to end a slice, if there is one", async () => {
  let yields = 0;
  const scheduler = {
    yield: async () => {
      yields += 1;
    },
  };
  Object.assign(globalThis, { scheduler });
  let nowMs = 0;
  try {
    await createSlicedRunner({ random: fixedRandom, now: () => nowMs++ })('start', null);
  } finally {
    Reflect.deleteProperty(globalThis, 'scheduler');
  }
  assert.ok(yields > 5, `${yields} times`);
});

test('throws programming errors unchanged', async () => {
  const run = createSlicedRunner({ now: () => 0 });
  await assert.rejects(run('nothing' as 'start', null), TypeError);
});

test('does not respond to an SRP_B that fixes the outcome', async () => {
  const run = createSlicedRunner({ now: () => 0 });
  const start = await run('start', null);
  const received = { srpBHex: '0', saltHex: 'aa', secretBlockB64 };
  await assert.rejects(
    run('prove', { ...start, ...received, identity, password, timestamp }),
    (error) => error instanceof PoolgateError && error.code === 'unexpected_answer',
  );
});
