import assert from 'node:assert/strict';
import { it } from 'node:test';
import { knownSubject, PASSWORD_GUESSES, unknownSubject } from './lockout.ts';

it('password failures lock from the fifth on, twice as long each time, for a quarter of an hour at most', () => {
  const seconds = Array.from({ length: 18 }, (_, failures) => PASSWORD_GUESSES.lockMs(failures) / 1000);
  assert.deepEqual(seconds, [0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
});

it('the lock never outlasts the memory of the failures, so that nobody is locked for ever', () => {
  assert.ok(PASSWORD_GUESSES.lockMs(Number.MAX_SAFE_INTEGER) <= PASSWORD_GUESSES.quietMs);
});

it('no user name shares a counter with an unknown name', () => {
  assert.notEqual(knownSubject(PASSWORD_GUESSES, 'digest'), unknownSubject(PASSWORD_GUESSES, 'digest'));
});
