import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secureRandom } from '@poolgate/srp';
import { generateTemporaryPassword } from './temporary-password.ts';

const random = (length: number) => new Uint8Array(secureRandom(length));

test('a temporary password satisfies every policy of Cognito, and is never the same', () => {
  const made = Array.from({ length: 200 }, () => generateTemporaryPassword(random));
  for (const password of made) {
    assert.equal(password.length, 20);
    for (const kind of [/[a-z]/, /[A-Z]/, /[0-9]/, /[!#%+=?@_-]/]) assert.match(password, kind);
    assert.doesNotMatch(password, /[\s0O1lI]/);
  }
  assert.equal(new Set(made).size, made.length);
});

test('a temporary password is as long as the policy requires', () => {
  for (const [minimum, length] of [
    [6, 20],
    [20, 20],
    [99, 99],
  ] as const) {
    assert.equal(generateTemporaryPassword(random, minimum).length, length);
  }
});

test('the kinds of characters are not at fixed positions', () => {
  const firsts = new Set(Array.from({ length: 200 }, () => /[a-z]/.test(generateTemporaryPassword(random)[0] ?? '')));
  assert.equal(firsts.size, 2);
});
