import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lockForUpdate, lockSettings } from '../../kernel/write-locks.ts';
import { runAwaitedTransaction } from '../../testing/awaited-write-store.ts';
import { computeMacIndependently } from '../../testing/independent-mac.ts';
import { createRecordingTransaction } from '../../testing/recording-transaction.ts';
import { CALL_PORT, createClockPort, createMacPorts, createTestPoolRecord } from '../../testing/test-ports.ts';
import { createMonthlyGuessSubject } from './lockout.ts';
import { releaseLockouts, releaseLockoutsByRecovery, releasePasswordGuesses } from './lockout-release.ts';

const NOW_MS = Date.UTC(2026, 4, 7, 12);
const DAY = Math.floor(NOW_MS / 86_400_000);
const ports = { ...createMacPorts(), ...createClockPort(NOW_MS), ...CALL_PORT };
const pool = createTestPoolRecord();
const digest = computeMacIndependently(pool, 'guess-subject', 'ada').toString('base64url');

/** The kinds of guesses that follow a first factor. */
const SUBJECTS = [
  'code.email_mfa',
  'code.email_setup',
  'code.enrolment',
  'code.sms_mfa',
  'code.software_token_mfa',
  'code.verify_email',
  'code.verify_phone_number',
].map((name) => `${name}:${digest}`);

const unlocked = (subject: string) => ['lockouts.unlock', pool.id, subject];

describe('lockouts after a first factor', () => {
  it('are all reset by an administrator, with the counts of the month', async () => {
    const { transaction, asked } = createRecordingTransaction();
    await runAwaitedTransaction(transaction, (orderly) => releaseLockouts(ports, orderly, pool, 'ada'));
    const both = SUBJECTS.flatMap((subject) => [
      unlocked(subject),
      unlocked(createMonthlyGuessSubject(subject, NOW_MS)),
    ]);
    assert.deepEqual(asked, [...both, unlocked(`password:${digest.slice(0, 22)}/${DAY}`)]);
  });

  it('end with a recovery once a day, and the counts of the month stay', async () => {
    const took = ['allowances.take', pool.id, `recovered:${digest}/${DAY}`, NOW_MS + 86_400_000];
    for (const [taken, expected] of [
      [1, [took, ...SUBJECTS.map(unlocked)]],
      [2, [took]],
    ] as const) {
      const { transaction, asked } = createRecordingTransaction({ 'allowances.take': taken });
      await runAwaitedTransaction(transaction, (orderly) => releaseLockoutsByRecovery(ports, orderly, pool, 'ada'));
      assert.deepEqual(asked, expected);
    }
  });
});

it('a reset ends the password lockouts of the caller’s network and of all networks together', async () => {
  const { transaction, asked } = createRecordingTransaction();
  const call = { requestId: 'test', sourceAddress: '192.0.2.7' };
  await runAwaitedTransaction(transaction, (orderly) =>
    releasePasswordGuesses({ ...ports, call }, orderly, pool, 'ada'),
  );
  const ofNetwork = computeMacIndependently(pool, 'guess-subject', 'ada 192.0.2.0/24').toString('base64url');
  assert.deepEqual(asked, [
    unlocked(`password:${ofNetwork.slice(0, 22)}`),
    unlocked(`password:${digest.slice(0, 22)}/${DAY}`),
  ]);
});

it('a lockout is cached under its name for up to a minute', async () => {
  const { transaction, asked } = createRecordingTransaction();
  await runAwaitedTransaction(transaction, (orderly) => lockForUpdate(orderly, 'factors/ada', NOW_MS));
  await runAwaitedTransaction(transaction, (orderly) => lockSettings(orderly, NOW_MS));
  assert.deepEqual(asked, [
    ['locks.lock', 'factors/ada', NOW_MS + 60_000],
    ['locks.lock', 'set-up', NOW_MS + 60_000],
  ]);
});
