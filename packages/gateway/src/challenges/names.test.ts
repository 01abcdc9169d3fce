import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHALLENGE_NAMES } from '@poolgate/contract';
import { CHALLENGES } from '@poolgate/provider';

test('the contract names every challenge that a provider can return', () => {
  assert.deepEqual([...CHALLENGE_NAMES], Object.keys(CHALLENGES).sort());
});
