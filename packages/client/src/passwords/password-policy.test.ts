import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PasswordPolicy, passwordProblems } from './password-policy.ts';

const POLICY: PasswordPolicy = {
  minimum_length: 8,
  maximum_length: 20,
  require_uppercase: true,
  require_lowercase: true,
  require_numbers: true,
  require_symbols: true,
  symbols: '^$*.[]{}()?"!@#%&/\\,><\':;|_~`=+- ',
  refuse_common: true,
  refuse_leaked: false,
};

test('names every rule that a password breaks', () => {
  assert.deepEqual(passwordProblems(POLICY, 'Correct-Horse1!'), []);
  assert.deepEqual(passwordProblems(POLICY, ''), [
    'password_too_short',
    'password_needs_uppercase',
    'password_needs_lowercase',
    'password_needs_number',
    'password_needs_symbol',
  ]);
  assert.deepEqual(passwordProblems(POLICY, 'Correct-Horse1 '), ['password_malformed']);
  assert.deepEqual(passwordProblems(POLICY, `Correct-Horse1!${'x'.repeat(6)}`), ['password_too_long']);
  assert.deepEqual(passwordProblems(POLICY, 'Correct-Horse1\ud800'), ['password_malformed']);
});

test('counts lengths in code points, and letters and digits of every script', () => {
  assert.deepEqual(passwordProblems({ ...POLICY, minimum_length: 10 }, 'Ää٣-😀😀'), ['password_too_short']);
  assert.deepEqual(passwordProblems({ ...POLICY, minimum_length: 6 }, 'Ää٣-😀😀'), []);
});

test("rejects a user's own name, even with trailing symbols", () => {
  const names = ['ada.lovelace@example.com'];
  assert.deepEqual(passwordProblems(POLICY, 'Ada.Lovelace1', names), ['password_own_name']);
  assert.deepEqual(passwordProblems({ ...POLICY, refuse_common: false }, 'Ada.Lovelace1', names), []);
});

test('rejects nothing if the policy is unknown', () => {
  assert.deepEqual(passwordProblems(null, 'x'), []);
});
