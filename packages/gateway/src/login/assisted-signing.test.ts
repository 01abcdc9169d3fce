import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bigIntEngine, createSyncComputations, drawPrivateValue, secureRandom } from '@poolgate/srp';
import type { PendingSrpRecord } from '../records/index.ts';
import { createTestRuntime } from '../testing/gateway-deps.ts';
import { requireMatchingStart, requirePrivateStart } from './assisted-signing.ts';
import { storePendingSrp, toPendingStart } from './pending-srp.ts';

const here = createSyncComputations(bigIntEngine);
const refusal = (cause?: unknown) => new Error('refused', { cause });

test('a private value is accepted if it matches the sent SRP_A, wherever that is computed', async () => {
  const elsewhere = { ...here, startClient: async (given: { readonly aHex: string }) => here.startClient(given) };
  const aHex = drawPrivateValue(secureRandom);
  const start = await here.startClient({ aHex });
  const pending = { username: 'u', userIdForSrp: 'u', ...toPendingStart({ srpAHex: start.srpAHex }) };
  for (const srp of [here, elsewhere]) {
    assert.deepEqual(await requireMatchingStart({ srp }, pending, aHex, refusal), start);
    const other = drawPrivateValue(secureRandom);
    await assert.rejects(requireMatchingStart({ srp }, pending, other, refusal), {
      message: 'refused',
      cause: undefined,
    });
    await assert.rejects(requireMatchingStart({ srp }, pending, '0', refusal), (error: Error) => {
      assert.equal(error.message, 'refused');
      assert.equal((error.cause as Error).name, 'SrpError');
      return true;
    });
  }
  const down = new Error('down');
  const broken = { ...here, startClient: () => Promise.reject(down) };
  await assert.rejects(requireMatchingStart({ srp: broken }, pending, aHex, refusal), down);
});

const CLAIM = {
  kind: 'assisted',
  saltHex: '1',
  srpBHex: 'abc',
  passwordHash: new Uint8Array(32),
  privateKeyHex: undefined,
  time: undefined,
  messageB64: undefined,
} as const;

test('a private value of the service signs once, and is removed with its login', async () => {
  const rows = new Map<string, PendingSrpRecord>();
  const pendingSrp = {
    put: async (row: PendingSrpRecord) => void rows.set(row.digestHex, row),
    async consume(digestHex: string) {
      const row = rows.get(digestHex);
      rows.delete(digestHex);
      return row;
    },
  };
  const runtime = createTestRuntime({ records: { pendingSrp } as never });
  const start = await here.startClient({ aHex: drawPrivateValue(secureRandom) });
  const pending = { username: 'u', userIdForSrp: 'u', ...toPendingStart(start) };
  await storePendingSrp(runtime, 'password', 'AAAA', pending);
  const asked = { pending, secretBlockB64: 'AAAA', claim: CLAIM };
  assert.deepEqual(await requirePrivateStart(runtime, asked, 'password'), start);
  await assert.rejects(requirePrivateStart(runtime, asked, 'password'), { code: 'invalid_session' });
});

test('a private value of the service that another answer took meanwhile signs nothing', async () => {
  const records = { pendingSrp: { consume: async () => undefined } } as never;
  const runtime = createTestRuntime({ records });
  const pending = { username: 'u', userIdForSrp: 'u', srpAEndHex: 'a', aHex: 'b' };
  const asked = { pending, secretBlockB64: 'AAAA', claim: CLAIM };
  await assert.rejects(requirePrivateStart(runtime, asked, 'password'), { code: 'invalid_session' });
});
