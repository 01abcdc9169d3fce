import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lockOut } from './lock-out.ts';

test('one address that attacks a user for an hour blocks neither a login nor a reset of that user', async () => {
  const { logins, resets, requests, compared, faults } = await lockOut({ hours: 1 });
  assert.deepEqual([logins, resets, requests, faults], [1, 1, 240, []]);
  assert.ok(compared.passwords > 10 && compared.passwords < 100, `${compared.passwords} passwords were compared`);
  assert.ok(compared.codes > 10 && compared.codes < 100, `${compared.codes} codes were compared`);
});
