import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderError } from '@poolgate/provider';
import type { UserRecord, UserWithCredential } from '../../store/records.ts';
import { runAwaitedTransaction } from '../../testing/awaited-write-store.ts';
import { computeMacIndependently } from '../../testing/independent-mac.ts';
import { createRecordingTransaction } from '../../testing/recording-transaction.ts';
import { createEventPorts, createMacPorts, createTestPoolRecord } from '../../testing/test-ports.ts';
import {
  createRecoveryCodeCheck,
  digestRecoveryCode,
  generateRecoveryCodes,
  isRecoveryCode,
} from './recovery-codes.ts';

const ports = { ...createEventPorts(), ...createMacPorts() };
const pool = createTestPoolRecord();

test('ten codes are drawn, all different, only letters, with more than 50 bits each', () => {
  const codes = generateRecoveryCodes(ports);
  assert.deepEqual([codes.length, new Set(codes).size], [10, 10]);
  for (const code of codes) {
    assert.match(code, /^[a-z]{12}$/);
    assert.ok(code.length * Math.log2(20) > 50);
    assert.ok(isRecoveryCode(code));
  }
});

test('every letter of the alphabet is drawn about equally often', () => {
  const letters = Array.from({ length: 400 }, () => generateRecoveryCodes(ports))
    .flat()
    .join('');
  const counts = new Map<string, number>();
  for (const letter of letters) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  assert.equal(counts.size, 20);
  const expected = letters.length / 20;
  const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  // 19 degrees of freedom: more than 60 occurs once in about 300,000 runs.
  assert.ok(chiSquare < 60, String(chiSquare));
});

test('a code is the same in any spelling, and different for another user', () => {
  const code = 'bcdfghjklmnp';
  const digestHex = digestRecoveryCode(ports, pool, 'ada', code);
  for (const typed of ['BCDFGHJKLMNP', 'bcdf ghjk lmnp', 'bcdf-ghjk-lmnp ']) {
    assert.ok(isRecoveryCode(typed));
    assert.equal(digestRecoveryCode(ports, pool, 'ada', typed), digestHex);
  }
  assert.notEqual(digestRecoveryCode(ports, pool, 'bob', code), digestHex);
  assert.notEqual(digestRecoveryCode(ports, createTestPoolRecord(), 'ada', code), digestHex);
});

test('a code of digits that was sent or shown is not a recovery code', () => {
  for (const text of ['123456', '12345678', '', 'bcdfghjklmn', 'bcdfghjklmnpq', 'acdfghjklmnp', 'bcdfghjklmn1']) {
    assert.equal(isRecoveryCode(text), false, text);
  }
});

test('a code is stored as a digest for its user, and consumed by one write, which is recorded', async () => {
  const user = { username: 'ada', sub: 'sub-1' } as UserRecord;
  const current = { user } as UserWithCredential;
  const digestHex = computeMacIndependently(pool, 'recovery-code', 'ada\nbcdfghjklmnp').toString('hex');
  assert.equal(digestRecoveryCode(ports, pool, 'ada', 'BCDF-GHJK-LMNP'), digestHex);
  const wrong = () => new ProviderError('CodeMismatchException', 'Wrong.');
  const check = createRecoveryCodeCheck(ports, pool, 'ada', 'bcdfghjklmnp', wrong);
  const used = ['recoveryCodes.use', pool.id, 'ada', digestHex];
  const good = createRecordingTransaction({ 'recoveryCodes.use': true });
  assert.equal(await runAwaitedTransaction(good.transaction, (orderly) => check(orderly, current)), undefined);
  assert.deepEqual(good.asked[0], used);
  const [name, event] = good.asked[1] ?? [];
  assert.equal(name, 'events.append');
  const { type, user: whose } = event as { type: string; user: unknown };
  assert.deepEqual([type, whose], ['factor.recovery_code_used', { sub: 'sub-1', username: 'ada' }]);
  const spent = createRecordingTransaction({ 'recoveryCodes.use': false });
  assert.deepEqual(await check(spent.transaction, current), wrong());
  assert.deepEqual(spent.asked, [used]);
});
