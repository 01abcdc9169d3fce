import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerSrpA, bigIntEngine, makeVerifier, passwordHash, toHex, verifyClaim } from '@poolgate/srp';
import { openSslEngine as engine } from '@poolgate/srp/openssl';
import { PoolgateError } from '../errors.ts';
import { runInSlices } from './slices.ts';
import { SRP_TASKS } from './tasks.ts';

const identity = { poolName: 'pool', userIdForSrp: 'ada' };
const password = 'Correct-Horse1!';
const timestamp = 'Tue May 7 00:09:40 UTC 2025';
const secretBlockB64 = btoa('a secret block');

/** The length of an exponent decides how many slices it takes, so it must not be left to chance. */
const fixedRandom = (length: number): Uint8Array => new Uint8Array(length).fill(0xa5);

/** A clock that every look moves on by a millisecond, so that slices end without waiting. */
function tickingSlices() {
  let ticks = 0;
  let rests = 0;
  const run = runInSlices({
    random: fixedRandom,
    now: () => ticks++,
    rest: async () => {
      rests++;
    },
  });
  return { run, rests: () => rests };
}

test('a proof that is computed in slices is the one that the service expects', async () => {
  const { run, rests } = tickingSlices();
  const start = await run('start', null);
  const stored = makeVerifier({ engine, passwordHash: passwordHash(engine, identity, password), random: fixedRandom });
  const exchange = answerSrpA({ engine, ...stored, srpAHex: start.srpAHex, random: fixedRandom });
  const signature = await run('prove', {
    ...{ ...start, identity, password, timestamp, secretBlockB64 },
    ...{ srpBHex: exchange.srpBHex, saltHex: stored.saltHex },
  });
  assert.ok(verifyClaim(engine, exchange.key, { identity, secretBlockB64, timestamp }, signature));
  assert.ok(rests() > 30, `rested ${rests()} times`);
});

test('slices give what one go gives, with the same random bytes', async () => {
  const random = fixedRandom;
  const run = runInSlices({ random, now: () => 0 });
  const means = { engine: bigIntEngine, random };
  const names = { deviceKey: 'us-east-1_0', deviceGroupKey: '-group' };
  assert.deepEqual(await run('start', null), SRP_TASKS.start(means, null));
  assert.deepEqual(await run('device', names), SRP_TASKS.device(means, names));
  const verifier = { identity, password, saltHex: toHex(random(16)) };
  assert.equal(await run('verifier', verifier), SRP_TASKS.verifier(means, verifier));
});

test('an SRP_B that fixes the outcome is answered with nothing', async () => {
  const run = runInSlices({ now: () => 0 });
  const start = await run('start', null);
  const received = { srpBHex: '0', saltHex: 'aa', secretBlockB64 };
  await assert.rejects(
    run('prove', { ...start, ...received, identity, password, timestamp }),
    (error) => error instanceof PoolgateError && error.code === 'unexpected_answer',
  );
});
