import assert from 'node:assert/strict';
import { it } from 'node:test';
import { macApart } from '../testing/macs.ts';
import { portsWithoutStore, testPool } from '../testing/test-ports.ts';
import { CODE_GUESSES } from './code-limits.ts';
import { guessAt } from './guess-at.ts';
import { PASSWORD_GUESSES } from './lockout.ts';

const NOW_MS = Date.UTC(2026, 4, 7);
const DAY = NOW_MS / 86_400_000;

it('a guess that anybody can make counts for its network and the day, and one behind a first factor for the user', () => {
  const ports = portsWithoutStore(NOW_MS);
  const pool = testPool(ports);
  const digest = (text: string) => macApart(pool, 'guess-subject', text).toString('base64url');
  for (const [sourceAddress, network] of [
    ['192.0.2.1', '192.0.2.0/24'],
    ['2001:db8:1:2::3', '2001:db8:1::/48'],
    ['', 'no address'],
  ] as const) {
    const caller = { ...ports, call: { requestId: 'test', sourceAddress } };
    assert.deepEqual(guessAt(caller, pool, PASSWORD_GUESSES, 'ada'), {
      counter: PASSWORD_GUESSES,
      poolId: pool.id,
      subject: `password:${digest(`ada ${network}`).slice(0, 22)}`,
      dailySubject: `password:${digest('ada').slice(0, 22)}/${DAY}`,
      nowMs: NOW_MS,
    });
    const behind = guessAt(caller, pool, CODE_GUESSES.SOFTWARE_TOKEN_MFA, 'ada');
    assert.deepEqual([behind.subject, behind.dailySubject], [`code.software_token_mfa:${digest('ada')}`, undefined]);
  }
});
