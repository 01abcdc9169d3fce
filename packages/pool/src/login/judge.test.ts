import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type PoolAndClient, requireClientAndPool } from '../pools/pools.ts';
import { createRuntime, type PoolRuntime } from '../runtime.ts';
import { openTestContext, type TestContext } from '../testing/context.ts';
import { addUser, CALL, openTestPoolOn, type TestPool } from '../testing/pool.ts';
import { answerTo, challenge } from '../testing/srp-login.ts';
import { passwordVerifier } from './challenges/password-verifier.ts';
import { answerFactor } from './judge.ts';
import { openPendingSession } from './pending-session.ts';

describe('an answer that is judged in the deciding write, by a factor that takes every one', () => {
  const credulous = { ...passwordVerifier, judge: () => ({ outcome: 'proven' }) as const };
  let opened: TestContext;
  let pool: TestPool;
  let context: PoolRuntime;
  let scope: PoolAndClient;
  before(async () => {
    opened = await openTestContext('sqlite::memory:');
    pool = await openTestPoolOn(opened);
    context = createRuntime(opened.context);
    scope = await requireClientAndPool(context, pool.clientId);
  });
  after(() => opened.close());

  async function begin(name: string) {
    const { ChallengeResponses: sent = {} } = answerTo(pool, await challenge(pool, name));
    const responses = sent as Readonly<Record<string, string>>;
    const pending = openPendingSession(context, scope, 'secretBlock', { session: undefined, responses });
    const step = { context, ...scope, nowMs: context.clock.now(), sent: responses };
    return () => answerFactor(step, credulous, { pending });
  }

  it('gives tokens to the user with the password of the challenge', async () => {
    await addUser(pool, 'same@example.com');
    const answer = await begin('same@example.com');
    assert.ok((await answer()).AuthenticationResult?.AccessToken);
  });

  it('gives none where the password was replaced meanwhile', async () => {
    const user = { UserPoolId: pool.userPoolId, Username: 'replaced@example.com' };
    await addUser(pool, user.Username);
    const answer = await begin(user.Username);
    await pool.operations.adminSetUserPassword({ ...user, Password: 'Another-Horse2!', Permanent: true }, CALL);
    await assert.rejects(answer(), { code: 'NotAuthorizedException' });
  });

  it('gives none where the user is gone, or never was', async () => {
    const user = { UserPoolId: pool.userPoolId, Username: 'gone@example.com' };
    await addUser(pool, user.Username);
    const answer = await begin(user.Username);
    await pool.operations.adminDeleteUser(user, CALL);
    await assert.rejects(answer(), { code: 'NotAuthorizedException' });
    const toNobody = await begin('nobody@example.com');
    await assert.rejects(toNobody(), { code: 'NotAuthorizedException' });
  });
});
