import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { PasswordRule } from '@poolgate/provider';
import {
  checkNotCommonPassword,
  checkNotUserName,
  listCommonPasswordSuffixes,
  throwLeakedPasswordError,
} from './common-passwords.ts';

const createRefusal = (why: string, ...brokenRules: readonly PasswordRule[]) => ({
  name: 'ProviderError',
  code: 'InvalidPasswordException',
  message: `Password did not conform with policy: ${why}`,
  brokenRules,
});

test('the most common passwords are refused in any case, also with a suffix that satisfies the rules', async () => {
  for (const password of [
    'password',
    'Password',
    'PassWord1!',
    'Qwerty123!',
    'Dragon2024!',
    'letmein!!',
    '123456789',
  ]) {
    const refusal = createRefusal('Password is too common', 'too_common');
    await assert.rejects(checkNotCommonPassword(password), refusal, password);
  }
});

test('a password that only contains a common one is accepted', async () => {
  for (const password of ['Correct-Horse1!', 'my password is long', 'Demo-Passw0rd!', 'xpassword', '!!!', '']) {
    await checkNotCommonPassword(password);
  }
});

test("a user's own name is refused as password", () => {
  const names = ['ada@example.com', 'Ada Lovelace', '6a3f'];
  for (const password of ['ada@example.com', 'ADA', 'Ada1815!', 'ada lovelace', 'Ada Lovelace1!', '6A3F']) {
    const refusal = createRefusal('Password must not be a name or address of the user', 'own_name');
    assert.throws(() => checkNotUserName(password, names), refusal, password);
  }
  for (const password of ['ada-loves-engines', '1ada', 'lovelace', 'example.com']) checkNotUserName(password, names);
  checkNotUserName('1234!', ['@nobody', '']);
});

test('a leaked password is refused as such', () => {
  const why = 'Password has leaked elsewhere, choose another one';
  assert.throws(() => throwLeakedPasswordError(), createRefusal(why, 'leaked'));
});

test('the most common passwords are found by the first digits of their digests', async () => {
  for (const [password, isCommon] of [
    ['password', true],
    ['qwerty', true],
    ['123456789', true],
    ['correct-horse1!', false],
  ] as const) {
    const digest = createHash('sha1').update(password).digest('hex').toUpperCase();
    const suffixes = await listCommonPasswordSuffixes(digest.slice(0, 5));
    assert.equal(suffixes.includes(digest.slice(5)), isCommon, password);
    for (const suffix of suffixes) assert.match(suffix, /^[0-9A-F]{35}$/);
  }
});
