import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { forCall } from '../runtime.ts';
import { CALL } from '../testing/pool.ts';
import { runtimeWithoutStore, testPool } from '../testing/test-runtime.ts';
import { DEFAULT_CLIENT_SETTINGS } from './default-settings.ts';
import { newClient } from './new-pool.ts';
import { checkSecretHash, clientSecretMatches } from './pools.ts';

const SECRET = 'a-secret-of-the-client';

test('a call is that of a proven server once the secret of its client was right, and not before', () => {
  const runtime = runtimeWithoutStore();
  const pool = testPool(runtime);
  const parts = { poolId: pool.id, id: 'client', name: 'app', settings: DEFAULT_CLIENT_SETTINGS };
  const [confidential, open] = [newClient(runtime, parts, SECRET), newClient(runtime, parts)];
  const hash = createHmac('sha256', SECRET).update('adaclient').digest('base64');
  const isProvenAfter = (run: (context: ReturnType<typeof forCall>) => unknown) => {
    const context = forCall(runtime, CALL);
    try {
      run(context);
    } catch {
      // A refusal proves nothing.
    }
    return context.triggerCaller.isProven;
  };
  const hashed = (client: typeof open, given?: string) =>
    isProvenAfter((context) => checkSecretHash(context, { pool, client }, ['ada'], given));
  const plain = (client: typeof open, given?: string) =>
    isProvenAfter((context) => clientSecretMatches(context, { pool, client }, given));
  assert.deepEqual([hashed(confidential, hash), plain(confidential, SECRET)], [true, true]);
  assert.deepEqual(
    [hashed(confidential), hashed(confidential, 'AAAA'), plain(confidential, 'x')],
    [false, false, false],
  );
  assert.deepEqual([hashed(open), plain(open)], [false, false], 'anyone can name a client without a secret');
});
