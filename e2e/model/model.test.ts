import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { describe, it } from 'node:test';
import { runModel } from '../proofs/model.ts';

const RUNS = 100;
const ACTS = 50;

/** Of the seed that is printed here; the same one goes through the same runs again. */
const seed = Number(process.env.POOLGATE_MODEL_SEED ?? randomInt(2 ** 31 - 1));

describe('the service and its model', () => {
  it(`agree after every act of ${RUNS} random runs, seed ${seed}`, async () => {
    const { runs, acts, missed } = await runModel({ runs: RUNS, acts: ACTS, seed }, console.log);
    assert.ok(runs >= RUNS && acts > RUNS, 'runs must consist of acts');
    console.log(`${runs} runs, ${acts} acts, seed ${seed}; rows that none went through: ${missed.join(' ') || 'none'}`);
  });
});
