import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { assertRefused } from '../testing/assert-refused.ts';
import { enterCode, sentCode, startPasswordLogin } from '../testing/test-logins.ts';
import { addUser, openTestPool, PASSWORD, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { loginByPassword } from '../testing/test-srp-logins.ts';
import { requireTokens } from '../testing/test-tokens.ts';
import { computeTestTotpCode, computeWrongTotpCode, enrolTotp } from '../testing/test-totp.ts';

const MINUTE_MS = 60_000;
const MONTH_MS = 30 * 24 * 60 * MINUTE_MS;
const QUARTER_MS = 15 * MINUTE_MS;
const FRESH = 'Another-Horse2!';

describe('wrong codes after a first factor, over a month,', () => {
  let pool: TestPool;
  let name: string;
  let username: string;
  let secretCode: string;
  let users = 0;
  before(async () => {
    pool = await openTestPool('sqlite::memory:');
  });
  after(() => pool.close());
  beforeEach(async () => {
    pool.clock.advance(MONTH_MS - (pool.clock.now() % MONTH_MS));
    name = `guessed${users++}@example.com`;
    username = await addUser(pool, name);
    secretCode = await enrolTotp(pool, requireTokens(await loginByPassword(pool, name)).access);
    pool.clock.advance(MINUTE_MS);
  });

  /** Tries wrong codes, waiting as required, and returns the waits. */
  async function guess(times: number): Promise<readonly number[]> {
    const waits: number[] = [];
    for (let tried = 0; tried < times; ) {
      const asked = await startPasswordLogin(pool, name);
      const batch = Math.min(10, times - tried);
      for (let at = 0; at < batch; at += 1) {
        const wrong = enterCode(pool, asked, username, computeWrongTotpCode(pool, secretCode));
        await assert.rejects(wrong, { code: 'CodeMismatchException' });
        tried += 1;
        if (tried >= 100) break;
      }
      waits.push(await waitMs());
      if (tried < times) pool.clock.advance((waits.at(-1) ?? 0) + 1);
    }
    return waits;
  }

  /** How long a correct code is refused now; 0 if it is accepted. It is not tried when it might be accepted. */
  async function waitMs(): Promise<number> {
    const asked = await startPasswordLogin(pool, name);
    const right = enterCode(pool, asked, username, computeTestTotpCode(pool, secretCode));
    return right.then(
      () => 0,
      (error: { readonly retryAfterSeconds?: number }) => (error.retryAfterSeconds ?? 0) * 1000,
    );
  }

  const getsIn = async (password = PASSWORD) => {
    pool.clock.advance(MINUTE_MS);
    const asked = await startPasswordLogin(pool, name, { PASSWORD: password });
    requireTokens(await enterCode(pool, asked, username, computeTestTotpCode(pool, secretCode)));
    // A used code is wrong the second time.
    pool.clock.advance(MINUTE_MS);
  };
  const admin = () => ({ UserPoolId: pool.userPoolId, Username: name });
  /** The emails about it. */
  const mails = () => pool.sent.filter(({ to, subject }) => to === name && subject.includes('guessing your codes'));

  it('lock from the hundredth on for longer each time, up to a day, and notify the owner once', async () => {
    assert.deepEqual(await guess(90), Array(9).fill(QUARTER_MS));
    assert.equal(mails().length, 0);
    pool.clock.advance(QUARTER_MS + 1);
    const waits = await guess(10);
    assert.deepEqual(waits, [QUARTER_MS]);
    assert.equal(mails().length, 1);
    const hours: number[] = [];
    for (let more = 0; more < 8; more += 1) {
      pool.clock.advance((hours.at(-1) ?? 0.25) * 60 * MINUTE_MS);
      const asked = await startPasswordLogin(pool, name);
      await assertRefused(
        enterCode(pool, asked, username, computeWrongTotpCode(pool, secretCode)),
        'CodeMismatchException',
      );
      hours.push((await waitMs()) / (60 * MINUTE_MS));
    }
    assert.deepEqual(hours, [0.5, 1, 2, 4, 8, 16, 24, 24]);
    assert.equal(mails().length, 1);
  });

  it('are not reset when the owner logs in, but in another month', async () => {
    await guess(90);
    pool.clock.advance(QUARTER_MS + 1);
    await getsIn();
    await guess(9);
    await getsIn();
    await guess(1);
    assert.equal(await waitMs(), QUARTER_MS, 'the hundredth');
    pool.clock.advance(MONTH_MS);
    await getsIn();
    await guess(1);
    await getsIn();
  });

  it('are reset by an administrator together with the lockout', async () => {
    await guess(100);
    await pool.operations.adminEnableUser(admin(), TEST_CALL);
    await getsIn();
    await guess(1);
    await getsIn();
  });

  it('unlock with a recovery once a day, and stay counted', async () => {
    await guess(100);
    assert.equal(mails().length, 1);
    const recover = async () => {
      await pool.operations.forgotPassword({ ClientId: pool.clientId, Username: name }, TEST_CALL);
      const code = { ConfirmationCode: sentCode(pool, name), Password: FRESH };
      await pool.operations.confirmForgotPassword({ ClientId: pool.clientId, Username: name, ...code }, TEST_CALL);
    };
    await recover();
    await getsIn(FRESH);
    const asked = await startPasswordLogin(pool, name, { PASSWORD: FRESH });
    await assertRefused(
      enterCode(pool, asked, username, computeWrongTotpCode(pool, secretCode)),
      'CodeMismatchException',
    );
    await recover();
    const again = await startPasswordLogin(pool, name, { PASSWORD: FRESH });
    const { retryAfterSeconds } = await assertRefused(
      enterCode(pool, again, username, computeTestTotpCode(pool, secretCode)),
      'NotAuthorizedException',
    );
    assert.equal(retryAfterSeconds, 1_800);
  });
});
