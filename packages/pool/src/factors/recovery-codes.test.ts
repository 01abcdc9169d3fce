import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runtimeWithoutStore, testPool } from '../testing/test-runtime.ts';
import { drawRecoveryCodes, isRecoveryCode, recoveryDigestHex } from './recovery-codes.ts';

const context = runtimeWithoutStore();
const pool = testPool(context);

test('ten codes are drawn, all different, of letters alone, with more than 50 bits each', () => {
  const codes = drawRecoveryCodes(context);
  assert.equal(new Set(codes).size, 10);
  for (const code of codes) {
    assert.match(code, /^[a-z]+$/);
    assert.ok(code.length * Math.log2(20) > 50);
    assert.ok(isRecoveryCode(code));
  }
});

test('every letter of the alphabet is drawn about as often as any other', () => {
  const letters = Array.from({ length: 400 }, () => drawRecoveryCodes(context))
    .flat()
    .join('');
  const counts = new Map<string, number>();
  for (const letter of letters) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  assert.equal(counts.size, 20);
  const expected = letters.length / 20;
  const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  // 19 degrees of freedom: more than 60 comes once in about 300,000 runs.
  assert.ok(chiSquare < 60, String(chiSquare));
});

test('a code is the same however it is typed, and another one for another user', () => {
  const code = 'bcdfghjklmnp';
  const digestHex = recoveryDigestHex(context, pool, 'ada', code);
  for (const typed of ['BCDFGHJKLMNP', 'bcdf ghjk lmnp', 'bcdf-ghjk-lmnp ']) {
    assert.ok(isRecoveryCode(typed));
    assert.equal(recoveryDigestHex(context, pool, 'ada', typed), digestHex);
  }
  assert.notEqual(recoveryDigestHex(context, pool, 'bob', code), digestHex);
  assert.notEqual(recoveryDigestHex(context, testPool(context), 'ada', code), digestHex);
});

test('what was sent or shown as a code of digits is no recovery code', () => {
  for (const text of ['123456', '12345678', '', 'bcdfghjklmn', 'bcdfghjklmnpq', 'acdfghjklmnp', 'bcdfghjklmn1']) {
    assert.equal(isRecoveryCode(text), false, text);
  }
});
