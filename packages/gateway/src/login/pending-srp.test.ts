import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PendingSrpRecord } from '../records/index.ts';
import { createPendingSrpCache, type PendingSrp } from '../runtime/pending-srp-cache.ts';
import { createGuardRecords, createTestRuntime } from '../testing/gateway-deps.ts';
import {
  consumePendingSrp,
  digestSession,
  findStoredSrp,
  isPendingSession,
  isPendingStart,
  storePendingSrp,
  toPendingStart,
} from './pending-srp.ts';

// SQLite stores about a quarter of a page of 4096 bytes of a row in place.
const LONGEST_ROW = 800;
const BLOCK = 'c2VjcmV0IGJsb2Nr';

function depsWithRows() {
  const rows = new Map<string, PendingSrpRecord>();
  const records = {
    ...createGuardRecords(),
    pendingSrp: {
      put: async (row: PendingSrpRecord) => void rows.set(row.digestHex, row),
      find: async (digestHex: string, nowMs: number) => {
        const row = rows.get(digestHex);
        return row !== undefined && row.expiresAtMs > nowMs ? row : undefined;
      },
      consume: async (digestHex: string) => {
        const row = rows.get(digestHex);
        rows.delete(digestHex);
        return row;
      },
    },
  };
  const clock = { nowMs: 1_800_000_000_000, now: () => clock.nowMs };
  return { runtime: createTestRuntime({ records, clock }), rows, clock };
}

function createPending(runtime: Parameters<typeof digestSession>[0], more: Partial<PendingSrp>): PendingSrp {
  return {
    username: 'Ada 😀',
    userIdForSrp: 'ada',
    ...toPendingStart({ srpAHex: `1${'f'.repeat(767)}` }),
    handle: 'handle',
    sessionDigestHex: digestSession(runtime, 'own token'),
    ...more,
  };
}

test('a pending login is read back unchanged', async () => {
  const { runtime } = depsWithRows();
  for (const more of [{}, { aHex: 'ab', providerSession: 's' }]) {
    const pending = createPending(runtime, more);
    await storePendingSrp(runtime, 'password', BLOCK, pending);
    assert.deepEqual(await findStoredSrp(runtime, 'password', BLOCK), pending);
    assert.deepEqual(await consumePendingSrp(runtime, 'password', BLOCK), pending);
    assert.equal(await findStoredSrp(runtime, 'password', BLOCK), undefined);
  }
});

test('this instance finds its own without a read before expiry; with a private value of the service it reads', async () => {
  const { runtime, rows, clock } = depsWithRows();
  const [own, ours] = [createPending(runtime, {}), createPending(runtime, { aHex: 'ab' })];
  await storePendingSrp(runtime, 'password', BLOCK, own);
  await storePendingSrp(runtime, 'device', BLOCK, ours);
  rows.clear();
  assert.deepEqual(await findStoredSrp(runtime, 'password', BLOCK), own);
  assert.equal(await findStoredSrp(runtime, 'device', BLOCK), undefined);
  clock.nowMs += 15 * 60_000 - 1;
  assert.deepEqual(await findStoredSrp(runtime, 'password', BLOCK), own);
  clock.nowMs += 1;
  assert.equal(await findStoredSrp(runtime, 'password', BLOCK), undefined);
});

test('it reads those of another instance before expiry', async () => {
  const { runtime, clock } = depsWithRows();
  const other = createTestRuntime({ records: runtime.records, keyRing: runtime.keyRing, clock });
  const pending = createPending(runtime, {});
  await storePendingSrp(other, 'password', BLOCK, pending);
  assert.deepEqual(await findStoredSrp(runtime, 'password', BLOCK), pending);
  clock.nowMs += 15 * 60_000;
  assert.equal(await findStoredSrp(runtime, 'password', BLOCK), undefined);
});

test("only the handle and the client's token are its sessions", () => {
  const runtime = createTestRuntime({});
  const pending = createPending(runtime, {});
  assert.ok(isPendingSession(runtime, pending, 'handle'));
  assert.ok(isPendingSession(runtime, pending, 'own token'));
  for (const session of ['', 'Handle', 'handle ', pending.sessionDigestHex ?? '']) {
    assert.ok(!isPendingSession(runtime, pending, session));
  }
});

test('without a handle and a client token, no session belongs to it', () => {
  const runtime = createTestRuntime({});
  const { handle: _handle, sessionDigestHex: _digest, ...bare } = createPending(runtime, {});
  for (const session of ['', 'undefined', 'handle', 'own token']) assert.ok(!isPendingSession(runtime, bare, session));
  assert.ok(!isPendingSession(runtime, { ...bare, handle: 'handle' }, 'own token'));
  assert.ok(!isPendingSession(runtime, { ...bare, sessionDigestHex: digestSession(runtime, 'own token') }, 'handle'));
});

test('a start is recognized by its SRP_A', () => {
  const pending = createPending(createTestRuntime({}), {});
  assert.ok(isPendingStart(pending, { srpAHex: `1${'f'.repeat(767)}` }));
  assert.ok(!isPendingStart(pending, { srpAHex: `1${'f'.repeat(766)}e` }));
  assert.ok(!isPendingStart(pending, { srpAHex: 'f' }));
});

test('its row is short enough to share a page, and reveals nothing', async () => {
  const { runtime, rows } = depsWithRows();
  await storePendingSrp(
    runtime,
    'password',
    BLOCK,
    createPending(runtime, { username: 'ada@example.test', userIdForSrp: 'u'.repeat(36) }),
  );
  const [row] = rows.values();
  assert.ok(row !== undefined);
  assert.ok(JSON.stringify(row).length < LONGEST_ROW, String(row.startEncrypted.length));
  assert.doesNotMatch(Buffer.from(row.startEncrypted, 'base64url').toString('latin1'), /ada@|u{36}|[0-9a-f]{20}/);
});

test('a private value of the service lasts a minute, to the millisecond', async () => {
  const { runtime, clock } = depsWithRows();
  const ours = createPending(runtime, { aHex: 'ab' });
  await storePendingSrp(runtime, 'password', BLOCK, ours);
  clock.nowMs += 59_999;
  assert.deepEqual(await findStoredSrp(runtime, 'password', BLOCK), ours);
  clock.nowMs += 1;
  assert.equal(await findStoredSrp(runtime, 'password', BLOCK), undefined);
});

test('a login stored with other keys, or for another kind of proof, is not found', async () => {
  const { runtime, clock } = depsWithRows();
  await storePendingSrp(runtime, 'password', BLOCK, createPending(runtime, { aHex: 'ab' }));
  const stranger = createTestRuntime({ records: runtime.records, clock });
  assert.equal(await findStoredSrp(stranger, 'password', BLOCK), undefined);
  assert.equal(await findStoredSrp(runtime, 'device', BLOCK), undefined);
});

test('a login whose row cannot be written is not started', async () => {
  const { runtime } = depsWithRows();
  const down = new Error('down');
  const pendingSrp = { ...runtime.records.pendingSrp, put: () => Promise.reject(down) };
  const broken = createTestRuntime({ ...runtime, records: { ...runtime.records, pendingSrp } });
  await assert.rejects(storePendingSrp(broken, 'password', BLOCK, createPending(runtime, {})), down);
});

test('64 digits of SRP_A are stored, as other releases read them', () => {
  assert.deepEqual(toPendingStart({ srpAHex: `${'a'.repeat(700)}b${'c'.repeat(63)}`, aHex: 'd' }), {
    srpAEndHex: `b${'c'.repeat(63)}`,
    aHex: 'd',
  });
  assert.deepEqual(toPendingStart({ srpAHex: 'abc' }), { srpAEndHex: 'abc' });
});

test('an instance caches ten thousand pending logins, and removes the oldest for one more', () => {
  const started = createPendingSrpCache();
  const login = { pending: { username: 'u', userIdForSrp: 'u', srpAEndHex: 'a' }, expiresAtMs: 1 };
  for (let at = 0; at < 10_000; at++) started.set(String(at), login);
  assert.equal(started.get('0'), login);
  started.set('one more', login);
  assert.equal(started.get('1'), undefined);
  assert.equal(started.get('0'), login);
});
