import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { describe, it } from 'node:test';
import { runModel } from '../proofs/model.ts';

const RUNS = 100;
const ACTS = 50;

/** From the printed seed. The same seed repeats the same runs. */
const seed = Number(process.env.POOLGATE_MODEL_SEED ?? randomInt(2 ** 31 - 1));

describe('the service and its model', () => {
  it(`agree after every act of ${RUNS} random runs, seed ${seed}`, async () => {
    const { runs, acts, missed } = await runModel({ runs: RUNS, acts: ACTS, seed }, console.log);
    assert.ok(runs >= RUNS && acts > RUNS, 'runs must consist of acts');
    console.log(`${runs} runs, ${acts} acts, seed ${seed}; rows that none went through: ${missed.join(' ') || 'none'}`);
  });
});
