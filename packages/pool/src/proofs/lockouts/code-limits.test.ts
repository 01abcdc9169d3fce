import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  CODE_GUESS_COUNTERS,
  CODE_LIMITS,
  type GuessableCode,
  NEWEST_RESET_CODE_GUESS_COUNTER,
  RESET_SESSION_GUESS_COUNTER,
} from './code-limits.ts';

/** For each code: its digits, how many are valid at a time, and whether a first factor precedes it. */
const EXPECTED: Readonly<Record<GuessableCode, readonly [digits: number, validAtOnce: number, isBehind: boolean]>> = {
  EMAIL_MFA: [6, 1, true],
  EMAIL_OTP: [8, 1, false],
  EMAIL_SETUP: [6, 1, true],
  ENROLMENT: [6, 3, true],
  SMS_MFA: [6, 1, true],
  SMS_OTP: [8, 1, false],
  SOFTWARE_TOKEN_MFA: [6, 3, true],
  forgot_password: [8, 1, false],
  sign_up: [8, 3, false],
  verify_email: [6, 1, true],
  verify_phone_number: [6, 1, true],
};

it('codes that anyone can try have two more digits, and each code its own count of wrong ones', () => {
  for (const [name, [digits, validAtOnce, isBehindFirstFactor]] of Object.entries(EXPECTED)) {
    assert.deepEqual(CODE_LIMITS[name as GuessableCode], { digits, validAtOnce, isBehindFirstFactor }, name);
    const { lockMs, ...counter } = CODE_GUESS_COUNTERS[name as GuessableCode];
    assert.deepEqual(counter, {
      name: `code.${name.toLowerCase()}`,
      resetAfterMs: 900_000,
      isBehindFirstFactor,
      ...(isBehindFirstFactor ? {} : { perUserAndDay: 1_000 }),
      lockedMessage: 'Attempt limit exceeded, please try after some time.',
    });
    assert.deepEqual(
      [0, 1, 9, 10, 11].map((failures) => lockMs(failures)),
      [0, 0, 0, 900_000, 900_000],
      name,
    );
  }
  assert.equal(Object.keys(CODE_LIMITS).length, Object.keys(EXPECTED).length);
});

it('a reset code allows ten guesses with its session, and a hundred without one', () => {
  for (const [counter, most] of [
    [RESET_SESSION_GUESS_COUNTER, 10],
    [NEWEST_RESET_CODE_GUESS_COUNTER, 100],
  ] as const) {
    assert.deepEqual([counter.lockMs(most - 1), counter.lockMs(most), counter.resetAfterMs], [0, 3_600_000, 3_600_000]);
    assert.equal(counter.perUserAndDay, undefined);
  }
});
