import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDeps, createTestProvider, POOL } from '../testing/gateway-deps.ts';
import { requirePasskeys } from './require-passkeys.ts';

const depsWith = (pool: typeof POOL | undefined) =>
  createTestDeps({ provider: { ...createTestProvider(() => []), describe: async () => pool } });

test('a pool that cannot be described is unavailable, and one without passkeys has them turned off', async () => {
  await requirePasskeys(depsWith(POOL));
  await assert.rejects(requirePasskeys(depsWith(undefined)), {
    code: 'unavailable',
    status: 503,
    retryAfterSeconds: 1,
  });
  await assert.rejects(requirePasskeys(depsWith({ ...POOL, passkeys: null })), { code: 'feature_disabled' });
});
