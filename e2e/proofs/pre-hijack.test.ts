import assert from 'node:assert/strict';
import { test } from 'node:test';
import { preHijacks } from './pre-hijack.ts';

test('nothing of a registration that a stranger made works after the owner confirmed the address, by any entry', async () => {
  const { registrations, works, faults } = await preHijacks(1);
  assert.deepEqual(faults, []);
  assert.deepEqual([registrations, works], [5, 0]);
});
