import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderError } from '@poolgate/provider';
import fc from 'fast-check';
import { defaultPoolSettings } from '../pools/default-settings.ts';
import { checkPolicy } from './passwords.ts';
import { temporaryPassword } from './temporary-password.ts';

const { passwordPolicy } = defaultPoolSettings('https://issuer.example', 'OFF');

function refusal(code: string, message?: string) {
  return (error: unknown) =>
    error instanceof ProviderError && error.code === code && (message === undefined || error.message === message);
}

test('a password that keeps every rule is taken, spaces inside and all', () => {
  for (const password of ['Passw0rd!', 'Correct Horse 1', 'Пароль-42', `Aa1!${'x'.repeat(252)}`]) {
    checkPolicy(passwordPolicy, password);
  }
});

test('the first broken rule is named in the words of Cognito', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['', 'Password not long enough'],
    ['Aa1!567', 'Password not long enough'],
    ['passw0rd!', 'Password must have uppercase characters'],
    ['PASSW0RD!', 'Password must have lowercase characters'],
    ['Password!', 'Password must have numeric characters'],
    ['Passw0rd1', 'Password must have symbol characters'],
  ];
  for (const [password, reason] of rows) {
    const expected = refusal('InvalidPasswordException', `Password did not conform with policy: ${reason}`);
    assert.throws(() => checkPolicy(passwordPolicy, password), expected, password);
  }
});

test('length counts code points, so an emoji is one', () => {
  assert.throws(() => checkPolicy(passwordPolicy, 'Aa1!\u{1F600}\u{1F600}'), refusal('InvalidPasswordException'));
  checkPolicy(passwordPolicy, 'Aa1!\u{1F600}\u{1F600}\u{1F600}\u{1F600}');
  checkPolicy(passwordPolicy, `Aa1!${'\u{1F600}'.repeat(252)}`);
});

test('a password is refused rather than cut, trimmed or mended', () => {
  for (const password of [`Aa1!${'x'.repeat(253)}`, ' Passw0rd!', 'Passw0rd!\t', 'Passw0rd!\ud800']) {
    assert.throws(() => checkPolicy(passwordPolicy, password), refusal('InvalidParameterException'));
  }
});

test('rules that a pool switches off are not asked for', () => {
  const lax = {
    ...passwordPolicy,
    minimumLength: 6,
    requireUppercase: false,
    requireLowercase: false,
    requireNumbers: false,
    requireSymbols: false,
  };
  checkPolicy(lax, 'aaaaaa');
});

test('a temporary password keeps the policy, whatever was drawn', () => {
  fc.assert(
    fc.property(fc.integer({ min: 6, max: 99 }), (minimumLength) => {
      const policy = { ...passwordPolicy, minimumLength };
      const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
      checkPolicy(policy, temporaryPassword(random, policy));
    }),
  );
});
