import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { computeMacIndependently } from '../../testing/independent-mac.ts';
import { createRecordingTransaction } from '../../testing/recording-transaction.ts';
import { createNotificationPorts, createTestPoolRecord } from '../../testing/test-ports.ts';
import { CODE_GUESS_COUNTERS } from './code-limits.ts';
import {
  acceptRightGuess,
  computeMonthlyLockMs,
  countGuess,
  countWrongGuess,
  createDeviceGuessSubject,
  createGuessSubject,
  createMonthlyGuessSubject,
  type Guess,
  type GuessCounter,
  isLocked,
  lockAfterTooManyGuesses,
  lockedError,
  MONTH_MS,
  PASSWORD_GUESS_COUNTER,
} from './lockout.ts';

const NOW_MS = Date.UTC(2026, 4, 7);

const COUNTERS = [PASSWORD_GUESS_COUNTER, ...Object.values(CODE_GUESS_COUNTERS)];

it('password failures lock from the fifth on, twice as long each time, up to 15 minutes', () => {
  const seconds = Array.from({ length: 18 }, (_, failures) => PASSWORD_GUESS_COUNTER.lockMs(failures) / 1000);
  assert.deepEqual(seconds, [0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
});

it('a lockout never outlasts the memory of the failures, so that no user is locked forever', () => {
  for (const { lockMs, resetAfterMs } of COUNTERS) assert.ok(lockMs(Number.MAX_SAFE_INTEGER) <= resetAfterMs);
  assert.ok(computeMonthlyLockMs(Number.MAX_SAFE_INTEGER) <= MONTH_MS);
  assert.equal(PASSWORD_GUESS_COUNTER.resetAfterMs, 900_000);
});

it('from the hundredth failure of a month on the waits grow from 15 minutes to a day', () => {
  const hours = Array.from({ length: 10 }, (_, more) => computeMonthlyLockMs(99 + more) / 3_600_000);
  assert.deepEqual(hours, [0, 0.25, 0.5, 1, 2, 4, 8, 16, 24, 24]);
});

it('no two kinds of guesses share a counter', () => {
  assert.equal(new Set(COUNTERS.map(({ name }) => name)).size, COUNTERS.length);
});

describe('the count of a user’s guesses', () => {
  const ports = createNotificationPorts(NOW_MS);
  const pool = createTestPoolRecord();
  const { SOFTWARE_TOKEN_MFA } = CODE_GUESS_COUNTERS;
  const createGuess = (counter: GuessCounter): Guess => ({
    counter,
    poolId: pool.id,
    subject: 'somebody',
    nowMs: NOW_MS,
  });

  it('is stored under a digest of the name, or under a device that the user trusts', () => {
    const digest = computeMacIndependently(pool, 'guess-subject', 'ada').toString('base64url');
    assert.equal(createGuessSubject(ports, pool, PASSWORD_GUESS_COUNTER, 'ada'), `password:${digest}`);
    assert.equal(createDeviceGuessSubject(PASSWORD_GUESS_COUNTER, 'ada', 'device-1'), 'password:ada device-1');
    assert.equal(createMonthlyGuessSubject('somebody', 7 * MONTH_MS), 'somebody month 7');
    assert.equal(createMonthlyGuessSubject('somebody', 7 * MONTH_MS - 1), 'somebody month 6');
    assert.equal(MONTH_MS, 2_592_000_000);
  });

  it('forgets guesses older than 15 minutes, and ignores a lockout longer than the maximum', async () => {
    for (const [counter, longestMs] of [
      [PASSWORD_GUESS_COUNTER, 1_020_000],
      [CODE_GUESS_COUNTERS.EMAIL_OTP, 1_020_000],
      [SOFTWARE_TOKEN_MFA, 86_520_000],
    ] as const) {
      const { transaction, asked } = createRecordingTransaction({
        'lockouts.countFailure': 3,
        'lockouts.clearFailures': true,
      });
      assert.deepEqual(await countGuess(transaction, createGuess(counter)), { ofSubject: 3, ofDay: 0 });
      assert.equal(await acceptRightGuess(transaction, createGuess(counter)), true);
      assert.deepEqual(asked, [
        ['lockouts.countFailure', pool.id, 'somebody', NOW_MS, NOW_MS - 900_000, longestMs],
        ['lockouts.clearFailures', pool.id, 'somebody', NOW_MS, longestMs],
      ]);
      const isLockedUntil = (lockedUntilMs: number) =>
        isLocked(
          createRecordingTransaction({ 'lockouts.bySubject': { lockedUntilMs } }).transaction,
          createGuess(counter),
        );
      const borders = [NOW_MS, NOW_MS + 1, NOW_MS + longestMs, NOW_MS + longestMs + 1];
      assert.deepEqual(await Promise.all(borders.map(isLockedUntil)), [false, true, true, false]);
      assert.equal(await isLocked(createRecordingTransaction().transaction, createGuess(counter)), false);
    }
  });

  it('is refused with the remaining seconds, rounded up, and at least one', async () => {
    for (const [leftMs, seconds] of [
      [-1, 1],
      [0, 1],
      [1, 1],
      [1_000, 1],
      [1_001, 2],
      [900_000, 900],
    ] as const) {
      const answers = { 'lockouts.bySubject': { lockedUntilMs: NOW_MS + leftMs } };
      const { code, message, reason, retryAfterSeconds } = await lockedError(
        createRecordingTransaction(answers).transaction,
        createGuess(PASSWORD_GUESS_COUNTER),
      );
      assert.deepEqual(
        [code, message, reason, retryAfterSeconds],
        ['NotAuthorizedException', 'Password attempts exceeded', 'locked', seconds],
      );
    }
  });

  /** The store writes after a number of wrong guesses, some of them in this month. */
  async function written(counter: GuessCounter, guesses: number, ofMonth?: number) {
    const { transaction, asked } = createRecordingTransaction({ 'lockouts.countFailure': ofMonth });
    const user = undefined;
    await lockAfterTooManyGuesses(
      { ...ports, senders: {} },
      transaction,
      createGuess(counter),
      { ofSubject: guesses, ofDay: 0 },
      { pool, user },
    );
    return asked.map(([name, ...parameters]) =>
      name === 'events.appendAfterCommit' ? detailsOf(parameters[0]) : [name, ...parameters],
    );
  }
  const detailsOf = (event: unknown) => {
    const { type, outcome, details } = event as { type: string; outcome: string; details: unknown };
    return [type, outcome, details];
  };

  it('locks for as long as the guesses require, and reports it', async () => {
    assert.deepEqual(await written(PASSWORD_GUESS_COUNTER, 4), []);
    assert.deepEqual(await written(PASSWORD_GUESS_COUNTER, 6), [
      ['lockouts.lockOut', pool.id, 'somebody', NOW_MS + 2_000],
      ['user.locked', 'failure', { guesses: 'password', seconds: '2', scope: 'user' }],
    ]);
  });

  it('also counts guesses after a first factor over a month, and locks for the longer of both', async () => {
    const month = [
      'lockouts.countFailure',
      pool.id,
      createMonthlyGuessSubject('somebody', NOW_MS),
      NOW_MS,
      NOW_MS - MONTH_MS,
    ];
    assert.deepEqual(await written(SOFTWARE_TOKEN_MFA, 9, 99), [month]);
    assert.deepEqual(await written(SOFTWARE_TOKEN_MFA, 9), [month]);
    for (const [guesses, ofMonth, seconds] of [
      [10, 10, 900],
      [1, 100, 900],
      [10, 101, 1_800],
      [1, 107, 86_400],
    ] as const) {
      assert.deepEqual(await written(SOFTWARE_TOKEN_MFA, guesses, ofMonth), [
        month,
        ['lockouts.lockOut', pool.id, 'somebody', NOW_MS + seconds * 1_000],
        ['user.locked', 'failure', { guesses: 'code.software_token_mfa', seconds: String(seconds), scope: 'user' }],
      ]);
    }
  });

  it('counts nothing while it is locked', async () => {
    const locked = createRecordingTransaction();
    const guesser = { pool, user: undefined };
    assert.equal(await countWrongGuess(ports, locked.transaction, createGuess(PASSWORD_GUESS_COUNTER), guesser), false);
    assert.equal(locked.asked.length, 1);
    const fifth = createRecordingTransaction({ 'lockouts.countFailure': 5 });
    assert.equal(await countWrongGuess(ports, fifth.transaction, createGuess(PASSWORD_GUESS_COUNTER), guesser), true);
    assert.deepEqual(
      fifth.asked.map(([name]) => name),
      ['lockouts.countFailure', 'lockouts.lockOut', 'events.appendAfterCommit'],
    );
  });

  describe('for guesses that anyone can make', () => {
    const dailySubject = 'everybody/20580';
    const guess: Guess = { ...createGuess(PASSWORD_GUESS_COUNTER), dailySubject };
    const longestDayMs = 86_520_000;

    it('counts for the network first, then for all networks together, and counts nothing once either is locked', async () => {
      const open = createRecordingTransaction({ 'lockouts.countFailure': 3, 'lockouts.countSharedFailure': 7 });
      assert.deepEqual(await countGuess(open.transaction, guess), { ofSubject: 3, ofDay: 7 });
      const ofNetwork = ['lockouts.countFailure', pool.id, 'somebody', NOW_MS, NOW_MS - 900_000, 1_020_000];
      const dayAgoMs = NOW_MS - 86_400_000;
      const ofAll = ['lockouts.countSharedFailure', pool.id, dailySubject, 'somebody', NOW_MS, dayAgoMs, longestDayMs];
      assert.deepEqual(open.asked, [ofNetwork, ofAll]);
      for (const counted of ['lockouts.countFailure', 'lockouts.countSharedFailure']) {
        const { transaction } = createRecordingTransaction({ [counted]: 3 });
        assert.equal(await countGuess(transaction, guess), undefined, `only ${counted}`);
      }
    });

    it('locks all networks until the day ends, once the guesses of a day are used up', async () => {
      for (const [ofDay, expected] of [
        [1_999, []],
        [2_000, [['lockouts.lockOut', pool.id, dailySubject, NOW_MS + 86_400_000], 'all_networks']],
      ] as const) {
        const { transaction, asked } = createRecordingTransaction();
        const guesser = { pool, user: undefined };
        await lockAfterTooManyGuesses({ ...ports, senders: {} }, transaction, guess, { ofSubject: 1, ofDay }, guesser);
        const seen = asked.map((each) =>
          each[0] === 'events.appendAfterCommit' ? (each[1] as { details: { scope: string } }).details.scope : each,
        );
        assert.deepEqual(seen, expected);
      }
    });

    it('also refuses the right guess while all networks are locked, with the wait', async () => {
      const { transaction, asked } = createRecordingTransaction({
        'lockouts.bySubject': { lockedUntilMs: NOW_MS + 7_000 },
        'lockouts.clearFailures': false,
      });
      assert.equal(await acceptRightGuess(transaction, guess), false);
      const shared = { subject: dailySubject, longestMs: longestDayMs };
      assert.deepEqual(asked, [['lockouts.clearFailures', pool.id, 'somebody', NOW_MS, 1_020_000, shared]]);
      assert.equal((await lockedError(transaction, guess)).retryAfterSeconds, 7);
    });
  });
});
