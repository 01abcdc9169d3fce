import assert from 'node:assert/strict';
import { it } from 'node:test';
import { computeMacIndependently } from '../../testing/independent-mac.ts';
import { createClockPort, createMacPorts, createTestPoolRecord } from '../../testing/test-ports.ts';
import { CODE_GUESS_COUNTERS } from './code-limits.ts';
import { PASSWORD_GUESS_COUNTER } from './lockout.ts';
import { createUserGuess } from './user-guess.ts';

const NOW_MS = Date.UTC(2026, 4, 7);
const DAY = NOW_MS / 86_400_000;

it('an anonymous guess counts for its network and the day, and one after a first factor for the user', () => {
  const ports = { ...createMacPorts(), ...createClockPort(NOW_MS) };
  const pool = createTestPoolRecord();
  const digest = (text: string) => computeMacIndependently(pool, 'guess-subject', text).toString('base64url');
  for (const [sourceAddress, network] of [
    ['192.0.2.1', '192.0.2.0/24'],
    ['2001:db8:1:2::3', '2001:db8:1::/48'],
    ['', 'no address'],
  ] as const) {
    const caller = { ...ports, call: { requestId: 'test', sourceAddress } };
    assert.deepEqual(createUserGuess(caller, pool, PASSWORD_GUESS_COUNTER, 'ada'), {
      counter: PASSWORD_GUESS_COUNTER,
      poolId: pool.id,
      subject: `password:${digest(`ada ${network}`).slice(0, 22)}`,
      dailySubject: `password:${digest('ada').slice(0, 22)}/${DAY}`,
      nowMs: NOW_MS,
    });
    const behind = createUserGuess(caller, pool, CODE_GUESS_COUNTERS.SOFTWARE_TOKEN_MFA, 'ada');
    assert.deepEqual([behind.subject, behind.dailySubject], [`code.software_token_mfa:${digest('ada')}`, undefined]);
  }
});
