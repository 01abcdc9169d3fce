import assert from 'node:assert/strict';
import { it } from 'node:test';
import { codeRaces } from '../proofs/code-races.ts';

it('one of several exchanges of a code at the same instant at two services gets tokens', async () => {
  const { winners, faults } = await codeRaces(100);
  assert.deepEqual([winners, faults], [100, []]);
});
