import assert from 'node:assert/strict';
import { it } from 'node:test';
import { races } from '../proofs/races.ts';

/** The proof runs thousands; a race takes a tenth of a second, and there are ten kinds. */
const RACES = 4;

it('of those who present a secret at the same instant at two services one gets what it is good for, whatever the secret', async () => {
  const { secrets, faults } = await races({ races: RACES });
  assert.deepEqual(faults, []);
  assert.equal(secrets.length, 10);
  for (const { name, winners } of secrets) assert.equal(winners, RACES, name);
});
