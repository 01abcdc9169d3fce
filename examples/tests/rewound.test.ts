import assert from 'node:assert/strict';
import { after, before, beforeEach, it } from 'node:test';
import { DEMO_USER } from 'poolgate';
import { usePool } from 'poolgate/test-pools';

const pool = usePool({ before, beforeEach, after });

it('signs in', async () => {
  const response = await fetch(`${pool().url}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: DEMO_USER.email, password: DEMO_USER.password }),
  });
  assert.equal(response.status, 200);
});
