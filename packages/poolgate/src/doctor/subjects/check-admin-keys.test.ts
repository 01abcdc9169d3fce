import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAdminKeys } from './check-admin-keys.ts';

const NOW_MS = 1_000;

interface Key {
  readonly id: string;
  readonly revokedAtMs: number | null;
  readonly expiresAtMs: number;
  readonly signingSecretEncrypted: string;
}

const key = (id: string, more: Partial<Key> = {}): Key => ({
  id,
  revokedAtMs: null,
  expiresAtMs: NOW_MS + 1,
  signingSecretEncrypted: 'known',
  ...more,
});

const check = (stored: readonly Key[], adminKeys: readonly unknown[] = []) =>
  checkAdminKeys({
    adminKeys,
    clock: { now: () => NOW_MS },
    keyRing: { findSecretOrigin: (text: string) => text },
    records: { adminKeys: { list: async () => stored } },
  } as unknown as Parameters<typeof checkAdminKeys>[0]);

test('admin keys that are revoked or expired do not count, and those in memory do', async () => {
  const over = [key('revoked', { revokedAtMs: 1 }), key('expired', { expiresAtMs: NOW_MS })];
  const [none, ...more] = await check(over);
  assert.deepEqual([none?.result, more], ['warn', []]);
  assert.match(none?.advice ?? '', /poolgate admin-key create/);
  assert.deepEqual(await check([...over, key('good')], [{}]), [{ result: 'ok', finding: 'Admin keys: 2.' }]);
  assert.deepEqual(await check([], [{}]), [{ result: 'ok', finding: 'Admin keys: 1.' }]);
});

test('a valid admin key that another secret encrypted is a fault that names it', async () => {
  const foreign = { signingSecretEncrypted: 'unknown' };
  const [counted, fault, ...more] = await check([
    key('a'),
    key('b', foreign),
    key('c', { ...foreign, revokedAtMs: 1 }),
  ]);
  assert.deepEqual([counted?.finding, fault?.result, more], ['Admin keys: 2.', 'fault', []]);
  assert.match(fault?.finding ?? '', /^The admin key b was encrypted/);
  assert.equal(fault?.advice, 'Replace it: poolgate admin-key rotate b');
});
