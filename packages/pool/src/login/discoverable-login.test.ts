import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { assertRefused } from '../testing/assert-refused.ts';
import { SoftwareAuthenticator } from '../testing/software-authenticator.ts';
import { openTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import { startPasswordLogin } from '../testing/test-logins.ts';
import {
  answerPasskey,
  createAuthenticatorWithPasskey,
  finishDiscoverableLogin,
  loginByPasskey,
  readRequestOptions,
  startDiscoverableLogin,
  startPasskeyLogin,
  startRegistration,
  TEST_ORIGIN,
  WEB_AUTHN,
} from '../testing/test-passkeys.ts';
import { addUser, openTestPool, openTestPoolOn, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { describeOutcome } from '../testing/test-srp-logins.ts';
import { requireTokens } from '../testing/test-tokens.ts';
import { createTestTriggers, formatTriggerArn } from '../testing/test-triggers.ts';
import { countWrites } from '../testing/write-counter.ts';

const WRONG = 'Incorrect username or password.';
const SPENT = 'Invalid session for the user, session can only be used once.';
const NOT_A_SIGNATURE = { signature: Buffer.from('3006020101020101', 'hex') };
const SECRET = 'secret0123456789secret0123456789secret0123456789abc';

describe('a passkey login without a username', () => {
  const triggers = createTestTriggers();
  let opened: TestEnvironment;
  let pool: TestPool;
  let underWay: () => number;
  let name: string;
  let username: string;
  let authenticator: SoftwareAuthenticator;
  let users = 0;
  const seen = new Set<string>();
  before(async () => {
    opened = await openTestEnvironment('sqlite::memory:');
    const counting = countWrites(opened);
    underWay = counting.underWay;
    const ports = { ...counting.opened.options, triggers: triggers.invoker };
    const kept = { LambdaConfig: { PreAuthentication: formatTriggerArn('PreAuthentication') } };
    pool = await openTestPoolOn({ ...counting.opened, options: ports }, { pool: { webAuthn: WEB_AUTHN, kept } });
  });
  after(() => pool.close());
  beforeEach(async () => {
    triggers.functions.PreAuthentication = (event) => event;
    name = `user${users++}@example.com`;
    username = await addUser(pool, name);
    authenticator = await createAuthenticatorWithPasskey(pool, name);
    triggers.takeEvents();
    await told();
  });

  async function told() {
    const { rows } = await opened.records.events.page({ userPoolId: pool.userPoolId }, 1000, undefined);
    const fresh = rows.filter(({ id, type }) => !seen.has(id) && /^(login\.|factor\.maybe)/.test(type));
    for (const { id } of fresh) seen.add(id);
    return fresh.map(({ type, outcome: end, clientId, actor, user, details: { login: _, ...details } }) => {
      assert.equal(clientId, pool.clientId);
      return [type, end, actor.kind, user?.username, details];
    });
  }
  const finish = async (knobs: Parameters<typeof finishDiscoverableLogin>[3] = {}) =>
    finishDiscoverableLogin(pool, await startDiscoverableLogin(pool), authenticator, knobs);

  it('gives tokens to the passkey’s user, once, and records it', async () => {
    const begun = await startDiscoverableLogin(pool);
    assert.equal(begun.options.challenge.length, 43);
    requireTokens(await finishDiscoverableLogin(pool, begun, authenticator));
    const details = { challenge: 'DISCOVERABLE_LOGIN', proofs: 'WEB_AUTHN_VERIFIED' };
    assert.deepEqual(await told(), [['login.succeeded', 'success', 'user', username, details]]);
    assert.equal(await describeOutcome(finishDiscoverableLogin(pool, begun, authenticator)), SPENT);
    for (const userHandle of [null, Buffer.from('somebody').toString('base64url')]) {
      assert.equal(await describeOutcome(finish({ userHandle })), WRONG);
    }
  });

  it('consumes its session with any answer, as does one with a username', async () => {
    const begun = await startDiscoverableLogin(pool);
    assert.equal(await describeOutcome(finishDiscoverableLogin(pool, begun, authenticator, NOT_A_SIGNATURE)), WRONG);
    assert.equal(await describeOutcome(finishDiscoverableLogin(pool, begun, authenticator)), SPENT);
    const named = await startPasskeyLogin(pool, name);
    assert.deepEqual(
      named.AvailableChallenges?.filter((one) => one === 'WEB_AUTHN'),
      ['WEB_AUTHN'],
      'one passkey will do',
    );
    assert.equal(await describeOutcome(answerPasskey(pool, named, name, authenticator, NOT_A_SIGNATURE)), WRONG);
    assert.equal(await describeOutcome(answerPasskey(pool, named, name, authenticator)), SPENT);
    requireTokens(await loginByPasskey(pool, name, authenticator));
  });

  it('accepts no session of another kind, and vice versa', async () => {
    const named = await startPasskeyLogin(pool, name);
    const asNameless = { Session: named.Session ?? '', options: readRequestOptions(named) };
    const foreign = await assertRefused(
      finishDiscoverableLogin(pool, asNameless, authenticator),
      'NotAuthorizedException',
    );
    assert.equal(foreign.reason, 'invalid_session');
    requireTokens(await answerPasskey(pool, named, name, authenticator));
  });

  it('reports an unknown passkey, after everything is written', async () => {
    const stranger = new SoftwareAuthenticator({ origin: TEST_ORIGIN });
    stranger.register(await startRegistration(pool, requireTokens(await startPasswordLogin(pool, name)).access));
    await told();
    const call = finishDiscoverableLogin(pool, await startDiscoverableLogin(pool), stranger);
    const refused = await assertRefused(call, 'ResourceNotFoundException');
    assert.equal(refused.reason, 'passkey_not_found');
    assert.equal(underWay(), 0);
    const details = { challenge: 'DISCOVERABLE_LOGIN', reason: 'passkey_not_found' };
    assert.deepEqual(await told(), [['login.failed', 'failure', 'anonymous', undefined, details]]);
  });

  it('reports a passkey that may have been copied, with the response of a wrong answer', async () => {
    requireTokens(await finish({ counter: 50 }));
    await told();
    assert.equal(await describeOutcome(finish({ counter: 50 })), WRONG);
    const failed = { challenge: 'DISCOVERABLE_LOGIN', reason: 'invalid_credentials' };
    const copied = ['factor.maybe_copied', 'failure', 'user', username, { factor: 'DISCOVERABLE_LOGIN' }];
    const events = (await told()).toSorted(([one], [other]) => String(one).localeCompare(String(other)));
    assert.deepEqual(events, [copied, ['login.failed', 'failure', 'anonymous', username, failed]]);
    assert.equal(await describeOutcome(finish(NOT_A_SIGNATURE)), WRONG);
    assert.deepEqual(
      (await told()).map(([type]) => type),
      ['login.failed'],
    );
  });

  it("continues only if a trigger accepts the passkey's user", async () => {
    triggers.functions.PreAuthentication = () => {
      throw new Error('Not you');
    };
    await assertRefused(finish(), 'UserLambdaValidationException');
    const [event] = triggers.takeEvents();
    assert.equal(event?.userName, username);
    assert.deepEqual(
      [event?.request.userAttributes, event?.request.validationData, event?.request.userNotFound],
      [{ sub: username, 'cognito:user_status': 'CONFIRMED', email: name, email_verified: 'true' }, {}, undefined],
    );
  });

  it('is refused to a disabled user', async () => {
    await pool.operations.adminDisableUser({ UserPoolId: pool.userPoolId, Username: name }, TEST_CALL);
    assert.equal(await describeOutcome(finish()), 'User is disabled.');
  });

  it('does not accept a passkey of an earlier relying party of the pool', async () => {
    const { settings, modifiedAtMs } = (await pool.store.pools.byId(pool.userPoolId)) ?? assert.fail();
    const become = async (relyingPartyId: string) => {
      const changed = { ...settings, webAuthn: { ...WEB_AUTHN, relyingPartyId } };
      await pool.store.write((transaction) =>
        transaction.pools.update(pool.userPoolId, { settings: changed, modifiedAtMs }),
      );
      pool.clock.advance(10_000);
    };
    const { latest: passkey } = authenticator;
    await become('example.com');
    await assertRefused(finish({ passkey }), 'ResourceNotFoundException');
    await become('localhost');
    requireTokens(await finish({ passkey }));
  });
});

describe('a login without a username', () => {
  const pools: TestPool[] = [];
  after(() => Promise.all(pools.map((pool) => pool.close())));
  async function openPool(options: Parameters<typeof openTestPool>[1]): Promise<TestPool> {
    const pool = await openTestPool('sqlite::memory:', options);
    pools.push(pool);
    return pool;
  }

  it('is offered if the pool accepts passkeys as sufficient, and the client allows the flow', async () => {
    const disabled = 'Passkeys are not enabled for the user pool.';
    const single = { ...WEB_AUTHN, factorConfiguration: 'SINGLE_FACTOR' } as const;
    for (const [options, expected] of [
      [{ pool: { webAuthn: WEB_AUTHN } }, 'begun'],
      [{ pool: { webAuthn: single } }, 'begun'],
      [{ pool: { webAuthn: WEB_AUTHN, mfaConfiguration: 'ON' } }, 'begun'],
      [{ pool: { webAuthn: single, mfaConfiguration: 'ON' } }, disabled],
      [{ pool: { webAuthn: null } }, disabled],
      [{ pool: { webAuthn: WEB_AUTHN, firstFactors: ['PASSWORD'] } }, disabled],
      [
        { pool: { webAuthn: WEB_AUTHN }, client: { allowedFlows: ['USER_SRP_AUTH'] } },
        'USER_AUTH is not enabled for the client.',
      ],
    ] as const) {
      const pool = await openPool(options);
      const ends = await startDiscoverableLogin(pool).then(
        () => 'begun',
        ({ message }: Error) => message,
      );
      assert.equal(ends, expected, JSON.stringify(options));
    }
  });

  it('needs the secret hash at both steps, over an empty name', async () => {
    const pool = await openPool({ pool: { webAuthn: WEB_AUTHN }, clientSecret: SECRET });
    const { clientId: ClientId, embedded } = pool;
    const { start_discoverable_login: start, finish_discoverable_login: finish } = embedded.extensions;
    assert.ok(start && finish);
    const computeSecretHash = (name: string) =>
      createHmac('sha256', SECRET).update(`${name}${ClientId}`).digest('base64');
    const { Session } = await start({ ClientId, SecretHash: computeSecretHash('') }, TEST_CALL);
    for (const [hash, words] of [
      [{}, /SECRET_HASH was not received$/],
      [{ SecretHash: computeSecretHash('ada') }, /^Unable to verify secret hash/],
    ] as const) {
      await assert.rejects(async () => start({ ClientId, ...hash }, TEST_CALL), { message: words });
      await assert.rejects(finish({ ClientId, Session, Credential: '{}', ...hash }, TEST_CALL), { message: words });
    }
  });
});
