import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { ProviderError } from '@poolgate/provider';
import { createContact } from '../../identity/contacts.ts';
import type { CodePurpose, CodeRecord } from '../../store/records.ts';
import { runAwaitedTransaction } from '../../testing/awaited-write-store.ts';
import { computeMacIndependently } from '../../testing/independent-mac.ts';
import { createRecordingTransaction } from '../../testing/recording-transaction.ts';
import { createNotificationPorts, createTestPoolRecord } from '../../testing/test-ports.ts';
import { CODE_GUESS_COUNTERS } from '../lockouts/code-limits.ts';
import {
  codeExpiredError,
  codeMismatchError,
  codesLockedError,
  generateCode,
  issueCode,
  redeemCode,
} from './stored-codes.ts';

const DRAWS = 100_000;

/** How far the counts deviate from equal ones: chi-square in standard deviations above the expectation. */
function excess(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  const degrees = counts.length - 1;
  return (chiSquare - degrees) / Math.sqrt(2 * degrees);
}

/** Chance exceeds this less than once in a hundred million runs, even for only ten counts. */
const TOO_FAR = 12;

function tally(codes: readonly string[], bins: number, binOf: (code: string) => number): readonly number[] {
  const counts = new Array<number>(bins).fill(0);
  for (const code of codes) counts[binOf(code)] = (counts[binOf(code)] ?? 0) + 1;
  return counts;
}

for (const digits of [6, 8]) {
  const codes = Array.from({ length: DRAWS }, () => generateCode(randomBytes, digits));

  test(`all codes of ${digits} digits are equally likely: every digit at every place, and every pair`, () => {
    for (let place = 0; place < digits; place++) {
      assert.ok(excess(tally(codes, 10, (code) => Number(code[place]))) < TOO_FAR, `place ${place}`);
    }
    for (let place = 0; place + 1 < digits; place++) {
      const pairs = tally(codes, 100, (code) => Number(code.slice(place, place + 2)));
      assert.ok(excess(pairs) < TOO_FAR, `places ${place} and ${place + 1}`);
    }
    assert.ok(excess(tally(codes, 1_000, (code) => Number(code.slice(0, 3)))) < TOO_FAR, 'first three');
    assert.ok(excess(tally(codes, 1_000, (code) => Number(code.slice(-3)))) < TOO_FAR, 'last three');
  });

  test(`codes of ${digits} digits keep their leading zeros`, () => {
    assert.ok(codes.every((code) => code.length === digits && /^[0-9]+$/.test(code)));
    const share = codes.filter((code) => code.startsWith('0')).length / DRAWS;
    assert.ok(share > 0.09 && share < 0.11, `${share} of them begin with zero`);
  });
}

const NOW_MS = Date.UTC(2026, 4, 7);
const ports = createNotificationPorts(NOW_MS);
const pool = createTestPoolRecord();
const counter = CODE_GUESS_COUNTERS.forgot_password;
const guess = { counter, poolId: pool.id, subject: 'somebody', nowMs: NOW_MS };

function createCode(username: string, code: string, purpose: CodePurpose = 'forgot_password'): CodeRecord {
  const { record } = issueCode(ports, pool, username, purpose, createContact('email', 'ada@example.com'));
  return {
    ...record,
    digestHex: computeMacIndependently(pool, 'code', `${purpose}\n${username}\n${code}`).toString('hex'),
  };
}

test('a code is stored as a digest for its user and purpose, for an hour or a day', () => {
  for (const [purpose, digits, hours] of [
    ['sign_up', 8, 24],
    ['forgot_password', 8, 1],
    ['verify_email', 6, 24],
    ['verify_phone_number', 6, 24],
  ] as const) {
    const { code, record } = issueCode(ports, pool, 'ada', purpose, createContact('phone_number', '+15551234567'));
    assert.equal(code.length, digits);
    assert.deepEqual(record, {
      poolId: pool.id,
      username: 'ada',
      purpose,
      digestHex: computeMacIndependently(pool, 'code', `${purpose}\nada\n${code}`).toString('hex'),
      channel: 'sms',
      destination: '+15551234567',
      expiresAtMs: NOW_MS + hours * 3_600_000,
      createdAtMs: NOW_MS,
    });
  }
});

/** The response to an attempt, and the store calls after it was counted. */
async function tried(answers: Readonly<Record<string, unknown>>, code = '12345678', others: readonly string[] = []) {
  const { transaction, asked } = createRecordingTransaction({ 'lockouts.countFailure': 1, ...answers });
  const sent = { pool, username: 'ada', purpose: 'forgot_password', code, others, guess } as const;
  const answer = await runAwaitedTransaction(transaction, (orderly) => redeemCode(ports, orderly, sent));
  const [first, ...rest] = asked;
  assert.equal(first?.[0], 'lockouts.countFailure');
  const word = answer instanceof ProviderError ? `${answer.code} ${answer.reason ?? ''}`.trim() : answer;
  return [word, ...rest.map(([name]) => name)];
}

test('a right code is consumed, and resets wrong ones; an expired one is reported to its owner', async () => {
  const record = createCode('ada', '12345678');
  const right = { 'codes.byPurpose': record, 'codes.consume': true };
  const taken = ['codes.byPurpose', 'codes.consume', 'lockouts.clearFailures'];
  assert.deepEqual(await tried(right), [record, ...taken]);
  assert.deepEqual(await tried({ ...right, 'codes.consume': false }), ['CodeMismatchException', ...taken]);
  for (const [expiresAtMs, expected] of [
    [NOW_MS, ['ExpiredCodeException', 'codes.byPurpose']],
    [NOW_MS + 1, [{ ...record, expiresAtMs: NOW_MS + 1 }, ...taken]],
  ] as const) {
    assert.deepEqual(await tried({ ...right, 'codes.byPurpose': { ...record, expiresAtMs } }), expected);
  }
});

test('a wrong or unexpected code is counted, and locks when there are too many', async () => {
  const wrong = ['CodeMismatchException', 'codes.byPurpose', 'users.byUsername'];
  assert.deepEqual(await tried({}), wrong);
  for (const waiting of [
    createCode('bob', '12345678'),
    createCode('ada', '12345678', 'sign_up'),
    createCode('ada', '87654321'),
  ]) {
    assert.deepEqual(await tried({ 'codes.byPurpose': waiting }), wrong);
  }
  const last = await tried({ 'lockouts.countFailure': 10 });
  assert.deepEqual(last, [...wrong, 'lockouts.lockOut', 'events.appendAfterCommit']);
  const locked = await tried({ 'lockouts.countFailure': undefined, 'codes.byPurpose': createCode('ada', '12345678') });
  assert.deepEqual(locked, ['LimitExceededException locked', 'lockouts.bySubject']);
});

test('the code of another registration of the name is equivalent, and each of them is checked', async () => {
  const record = createCode('second', '12345678');
  const found = await tried({ 'codes.byPurpose': record, 'codes.consume': true }, '12345678', ['second', 'third']);
  assert.deepEqual(found, [record, ...Array(3).fill('codes.byPurpose'), 'codes.consume', 'lockouts.clearFailures']);
});

test("codes are refused in Cognito's words", async () => {
  const { transaction } = createRecordingTransaction({ 'lockouts.bySubject': { lockedUntilMs: NOW_MS + 5_000 } });
  const locked = await codesLockedError(transaction, guess);
  assert.deepEqual(
    [locked, codeExpiredError(), codeMismatchError()].map(({ code, message, reason, retryAfterSeconds }) => [
      code,
      message,
      reason,
      retryAfterSeconds,
    ]),
    [
      ['LimitExceededException', 'Attempt limit exceeded, please try after some time.', 'locked', 5],
      ['ExpiredCodeException', 'Invalid code provided, please request a code again.', undefined, undefined],
      ['CodeMismatchException', 'Invalid verification code provided, please try again.', undefined, undefined],
    ],
  );
});
