import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createPoolPorts, type PoolPorts } from '../operations/pool-ports.ts';
import { type PoolAndClient, requireClientAndPool } from '../settings/pools-and-clients.ts';
import { openTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import { addUser, openTestPoolOn, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { computeSrpAnswer, describeOutcome, startSrpLogin } from '../testing/test-srp-logins.ts';
import { findLoginCandidate } from '../users/find-login-candidate.ts';
import { answerFactor } from './answer-factor.ts';
import { createChallengeSession } from './challenge-session.ts';
import type { AnswerVerdict, Factor, ProofName } from './challenges/challenge.ts';
import { passwordVerifierChallenge } from './challenges/password-verifier-challenge.ts';
import { requirePendingSession } from './pending-session.ts';
import { SESSION_CARRIERS } from './session-carrier.ts';

describe('an answer that is verified in the deciding write, with a factor that accepts every answer', () => {
  const credulous = { ...passwordVerifierChallenge, verifyAnswer: () => ({ outcome: 'proven' }) as const };
  let opened: TestEnvironment;
  let pool: TestPool;
  let ports: PoolPorts;
  let scope: PoolAndClient;
  before(async () => {
    opened = await openTestEnvironment('sqlite::memory:');
    pool = await openTestPoolOn(opened);
    ports = createPoolPorts(opened.options);
    scope = await requireClientAndPool(ports, pool.clientId);
  });
  after(() => opened.close());

  async function begin(name: string) {
    const { ChallengeResponses: sent = {} } = computeSrpAnswer(pool, await startSrpLogin(pool, name));
    const responses = sent as Readonly<Record<string, string>>;
    const pending = requirePendingSession(ports, scope, 'secretBlock', { session: undefined, responses });
    const step = { ports, ...scope, nowMs: ports.clock.now(), sent: responses };
    return () => answerFactor(step, credulous, { pending });
  }

  it('gives tokens to the user with the password of the challenge', async () => {
    await addUser(pool, 'same@example.com');
    const answer = await begin('same@example.com');
    assert.ok((await answer()).AuthenticationResult?.AccessToken);
  });

  it('gives none if the password was replaced meanwhile', async () => {
    const user = { UserPoolId: pool.userPoolId, Username: 'replaced@example.com' };
    await addUser(pool, user.Username);
    const answer = await begin(user.Username);
    await pool.operations.adminSetUserPassword({ ...user, Password: 'Another-Horse2!', Permanent: true }, TEST_CALL);
    await assert.rejects(answer(), { code: 'NotAuthorizedException' });
  });

  it('gives none if the user is gone, or never existed', async () => {
    const user = { UserPoolId: pool.userPoolId, Username: 'gone@example.com' };
    await addUser(pool, user.Username);
    const answer = await begin(user.Username);
    await pool.operations.adminDeleteUser(user, TEST_CALL);
    await assert.rejects(answer(), { code: 'NotAuthorizedException' });
    const toNobody = await begin('nobody@example.com');
    await assert.rejects(toNobody(), { code: 'NotAuthorizedException' });
  });
});

describe('an answer that is verified before the deciding write', () => {
  let opened: TestEnvironment;
  let pool: TestPool;
  let ports: PoolPorts;
  let scope: PoolAndClient;
  before(async () => {
    opened = await openTestEnvironment('sqlite::memory:');
    pool = await openTestPoolOn(opened, { pool: { usernameAttributes: [], requiredAttributes: [] } });
    ports = createPoolPorts(opened.options);
    scope = await requireClientAndPool(ports, pool.clientId);
  });
  after(() => opened.close());

  const NO_NAME = { sent: {} };
  const user = (Username: string) => ({ UserPoolId: pool.userPoolId, Username });
  const replacePassword = (name: string) =>
    pool.operations.adminSetUserPassword({ ...user(name), Password: 'Another-Horse2!', Permanent: true }, TEST_CALL);
  const remove = (name: string) => pool.operations.adminDeleteUser(user(name), TEST_CALL);

  /** Answers with a factor that gives a fixed verdict while something else happens, at the start of a login or later. */
  async function answer(
    name: string,
    meanwhile: () => Promise<unknown>,
    {
      verdict = { outcome: 'proven' },
      proofs,
    }: { readonly verdict?: AnswerVerdict; readonly proofs?: readonly ProofName[] } = {},
  ): Promise<string> {
    const candidate = await findLoginCandidate(ports, scope, name);
    const { typedName, userId, passwordVersion } = candidate;
    const factor: Factor = {
      name: 'PASSWORD',
      counter: undefined,
      spentBy: 'success',
      async verifyAnswer() {
        await meanwhile();
        return verdict;
      },
    };
    const request = { ports, ...scope, nowMs: ports.clock.now(), ...NO_NAME };
    if (proofs === undefined) return describeOutcome(answerFactor(request, factor, { candidate }));
    const named = { challenge: 'PASSWORD', typedName, userId, passwordVersion, proofs } as const;
    const content = { ...named, deviceKey: null, isBoundToDevice: false, state: new Uint8Array() };
    const pending = { session: createChallengeSession(ports, scope, content), carrier: SESSION_CARRIERS.session };
    return describeOutcome(answerFactor(request, factor, { pending }));
  }

  const WRONG = 'Incorrect username or password.';
  const FOREIGN = 'Invalid session for the user.';
  const nothing = async () => {};

  it('counts for a user who is unchanged', async () => {
    await addUser(pool, 'same');
    assert.equal(await answer('same', nothing), 'tokens');
    assert.equal(await answer('same', nothing, { proofs: ['EMAIL_OTP'] }), 'tokens');
  });

  it('counts for no user whose password was replaced during the verification', async () => {
    await addUser(pool, 'replaced');
    assert.equal(await answer('replaced', () => replacePassword('replaced')), WRONG);
    assert.equal(await answer('replaced', () => replacePassword('replaced'), { proofs: [] }), FOREIGN);
    assert.equal(await answer('replaced', () => replacePassword('replaced'), { proofs: ['EMAIL_OTP'] }), FOREIGN);
    assert.equal(await answer('replaced', nothing), 'tokens');
  });

  it('counts for no user who was deleted or created during the verification', async () => {
    for (const proofs of [undefined, [], ['EMAIL_OTP']] as const) {
      await addUser(pool, 'gone');
      const given = proofs === undefined ? {} : { proofs };
      assert.equal(await answer('gone', () => remove('gone'), given), proofs === undefined ? WRONG : FOREIGN);
    }
    const withoutPassword = async () => {
      await addUser(pool, 'born');
      await pool.store.write((transaction) => transaction.users.deleteProofs(pool.userPoolId, 'born'));
    };
    assert.equal(await answer('born', withoutPassword), WRONG);
  });

  it('that proves nothing continues before the first proof, also for a deleted user, and later no longer', async () => {
    const verdict = { outcome: 'continues', to: 'SELECT_CHALLENGE' } as const;
    for (const [proofs, expected] of [
      [undefined, 'SELECT_CHALLENGE'],
      [[], 'SELECT_CHALLENGE'],
      [['EMAIL_OTP'], FOREIGN],
      [['EMAIL_OTP', 'NEW_PASSWORD_REQUIRED'], FOREIGN],
    ] as const) {
      await addUser(pool, 'leaving');
      const given = proofs === undefined ? { verdict } : { verdict, proofs };
      assert.equal(await answer('leaving', () => remove('leaving'), given), expected);
    }
    assert.equal(await answer('same', nothing, { verdict, proofs: ['EMAIL_OTP'] }), 'SELECT_CHALLENGE');
    assert.equal(await answer('nobody', nothing, { verdict }), 'SELECT_CHALLENGE');
  });

  it('is refused in the verifying write if a user with a proof is gone', async () => {
    await addUser(pool, 'proven');
    const { typedName, userId, passwordVersion } = await findLoginCandidate(ports, scope, 'proven');
    const named = {
      challenge: 'PASSWORD_VERIFIER',
      typedName,
      userId,
      passwordVersion,
      proofs: ['EMAIL_OTP'],
    } as const;
    const content = { ...named, deviceKey: null, isBoundToDevice: false, state: new Uint8Array() };
    const pending = { session: createChallengeSession(ports, scope, content), carrier: SESSION_CARRIERS.session };
    const credulous = { ...passwordVerifierChallenge, verifyAnswer: () => ({ outcome: 'proven' }) as const };
    const request = { ports, ...scope, nowMs: ports.clock.now(), ...NO_NAME };
    await remove('proven');
    assert.equal(await describeOutcome(answerFactor(request, credulous, { pending })), FOREIGN);
    await addUser(pool, 'proven');
    await pool.store.write((transaction) => transaction.users.deleteProofs(pool.userPoolId, 'proven'));
    assert.equal(
      await describeOutcome(answerFactor(request, credulous, { pending })),
      FOREIGN,
      'and gives the session back',
    );
  });
});
