import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rateStrength } from './password-rules.ts';

test('a password is rated by its length and kinds of characters, and sequences count less', () => {
  for (const [password, strength] of [
    ['a', 'weak'],
    ['abcdefgh', 'weak'],
    ['aaaaaaaaaaaa', 'weak'],
    ['Tr0ub4dor', 'good'],
    ['Correct-Horse1!', 'strong'],
    ['wagon copper nine harbor', 'strong'],
    ['馬電池ホチキス正しい安全', 'strong'],
  ] as const)
    assert.equal(rateStrength(password), strength, password);
});
