import assert from 'node:assert/strict';
import { it } from 'node:test';
import { CODE_GUESS_COUNTERS, CODE_LIMITS, type GuessableCode } from './lockouts/code-limits.ts';
import { computeMonthlyLockMs, MONTH_MS } from './lockouts/lockout.ts';

const DAY_MS = 86_400_000;
const MOST = 1e-3;
/** A month of thirty days touches 31 days counted from the epoch. */
const DAYS_TOUCHED = 31;
/** Five sessions at once and one more every twelve minutes, each valid for ten guesses. */
const SESSION_GUESSES_A_DAY = (5 + (24 * 60) / 12) * 10;
/** A recovery ends one wait a day. */
const RECOVERIES_A_DAY = 1;

/**
 * The maximum number of wrong codes that an attacker can try in a month. The first counted window ends `headMs` after the start of the
 * measured month.
 */
function guessesIn(name: GuessableCode, headMs: number): number {
  const { lockMs, isBehindFirstFactor, perUserAndDay } = CODE_GUESS_COUNTERS[name];
  if (perUserAndDay !== undefined) {
    return DAYS_TOUCHED * (perUserAndDay + (name === 'forgot_password' ? SESSION_GUESSES_A_DAY : 0));
  }
  const startMs = 10 * MONTH_MS - headMs;
  const ofMonths = new Map<number, number>();
  let failures = 0;
  let guesses = 0;
  for (let nowMs = startMs; nowMs < startMs + MONTH_MS; ) {
    failures += 1;
    guesses += 1;
    const month = Math.floor(nowMs / MONTH_MS);
    const ofMonth = isBehindFirstFactor ? (ofMonths.get(month) ?? 0) + 1 : 0;
    ofMonths.set(month, ofMonth);
    const waitMs = Math.max(lockMs(failures), computeMonthlyLockMs(ofMonth));
    if (waitMs > 0) failures = 0;
    nowMs += waitMs;
  }
  return guesses + 30 * RECOVERIES_A_DAY;
}

it('guesses of codes over a month succeed with a chance below a thousandth, for every factor', (t) => {
  for (const [name, { digits, validAtOnce }] of Object.entries(CODE_LIMITS)) {
    const months = Array.from({ length: 31 }, (_, days) => guessesIn(name as GuessableCode, days * DAY_MS));
    const guesses = Math.max(...months);
    const chance = (guesses * validAtOnce) / 10 ** digits;
    t.diagnostic(`${name}: ${guesses} guesses of ${digits} digits, ${chance.toExponential(1)}`);
    assert.ok(chance < MOST, `${name}: ${guesses} guesses, ${chance}`);
    assert.ok(guesses > 100, name);
  }
});
