import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restoreBackups } from '../proofs/restores.ts';

test('a backup that a separate process makes of a busy service is restored with its secrets and all acknowledged changes', async () => {
  const { restored, lookedFor, faults } = await restoreBackups({ rounds: 1, clients: 2, random: () => 0.9 });
  assert.deepEqual(faults, []);
  assert.equal(restored, 1);
  assert.ok(lookedFor > 0);
});
