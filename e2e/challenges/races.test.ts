import assert from 'node:assert/strict';
import { it } from 'node:test';
import { races } from '../proofs/races.ts';

/** The proof runs thousands of races. A race takes a tenth of a second, and there are ten kinds. */
const RACES = 4;

it('one of several callers who present a secret at two services at the same instant gets what it is for, for every kind of secret', async () => {
  const { secrets, faults } = await races({ races: RACES });
  assert.deepEqual(faults, []);
  assert.equal(secrets.length, 10);
  for (const { name, winners } of secrets) assert.equal(winners, RACES, name);
});
