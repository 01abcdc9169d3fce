import assert from 'node:assert/strict';
import { test } from 'node:test';
import { preHijacks } from './pre-hijack.ts';

test("nothing from a stranger's registration works after the owner confirmed the address, at any entry point", async () => {
  const { registrations, works, faults } = await preHijacks(1);
  assert.deepEqual(faults, []);
  assert.deepEqual([registrations, works], [5, 0]);
});
