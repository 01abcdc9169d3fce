import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { portsForCall } from '../operations/pool-ports.ts';
import { TEST_CALL } from '../testing/test-pool.ts';
import { createTestPoolRecord, portsWithoutStore } from '../testing/test-ports.ts';
import { createClientRecord } from './create-pool-record.ts';
import { DEFAULT_CLIENT_SETTINGS } from './default-settings.ts';
import { checkSecretHash, isClientSecretValid } from './pools-and-clients.ts';

const SECRET = 'a-secret-of-the-client';

test('a call is that of a proven server once the secret of its client was right, and not before', () => {
  const ports = portsWithoutStore();
  const pool = createTestPoolRecord(ports);
  const parts = { poolId: pool.id, id: 'client', name: 'app', settings: DEFAULT_CLIENT_SETTINGS };
  const [confidential, open] = [createClientRecord(ports, parts, SECRET), createClientRecord(ports, parts)];
  const hash = createHmac('sha256', SECRET).update('adaclient').digest('base64');
  const isProvenAfter = (run: (callPorts: ReturnType<typeof portsForCall>) => unknown) => {
    const callPorts = portsForCall(ports, TEST_CALL);
    try {
      run(callPorts);
    } catch {
      // A refusal proves nothing.
    }
    return callPorts.triggerCaller.isProven;
  };
  const hashed = (client: typeof open, given?: string) =>
    isProvenAfter((callPorts) => checkSecretHash(callPorts, { pool, client }, ['ada'], given));
  const plain = (client: typeof open, given?: string) =>
    isProvenAfter((callPorts) => isClientSecretValid(callPorts, { pool, client }, given));
  assert.deepEqual([hashed(confidential, hash), plain(confidential, SECRET)], [true, true]);
  assert.deepEqual(
    [hashed(confidential), hashed(confidential, 'AAAA'), plain(confidential, 'x')],
    [false, false, false],
  );
  assert.deepEqual([hashed(open), plain(open)], [false, false], 'anyone can name a client without a secret');
});
