import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import type { MacPorts, RequestCallerPort } from '../kernel/ports.ts';
import {
  createMacPorts,
  createRequestCallerPort,
  createTestClientRecord,
  createTestPoolRecord,
} from '../testing/test-ports.ts';
import { checkSecretHash, isClientSecretValid } from './pools-and-clients.ts';

const SECRET = 'a-secret-of-the-client';

test('a call counts as that of a trusted server only after the secret of its client was right', () => {
  const pool = createTestPoolRecord();
  const confidential = createTestClientRecord(pool, 'client', SECRET);
  const open = createTestClientRecord(pool);
  const hash = createHmac('sha256', SECRET).update('adaclient').digest('base64');
  const isProvenAfter = (run: (ports: MacPorts & RequestCallerPort) => unknown) => {
    const ports = { ...createMacPorts(), ...createRequestCallerPort() };
    try {
      run(ports);
    } catch {
      // A refusal proves nothing.
    }
    return ports.caller.isProven;
  };
  const hashed = (client: typeof open, given?: string) =>
    isProvenAfter((ports) => checkSecretHash(ports, { pool, client }, ['ada'], given));
  const plain = (client: typeof open, given?: string) =>
    isProvenAfter((ports) => isClientSecretValid(ports, { pool, client }, given));
  assert.deepEqual([hashed(confidential, hash), plain(confidential, SECRET)], [true, true]);
  assert.deepEqual(
    [hashed(confidential), hashed(confidential, 'AAAA'), plain(confidential, 'x')],
    [false, false, false],
  );
  assert.deepEqual([hashed(open), plain(open)], [false, false], 'anyone can name a client without a secret');
});
