import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Input } from '@poolgate/provider';
import type { Message, Sender } from '../index.ts';
import { assertRefused } from '../testing/assert-refused.ts';
import { createCallJournal } from '../testing/call-journal.ts';
import { createRememberedDevice } from '../testing/test-devices.ts';
import { openTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import { enterCode, type LoginOutput, startChoiceLogin, startPasswordLogin } from '../testing/test-logins.ts';
import {
  addUser,
  inviteUser,
  openTestPool,
  openTestPoolOn,
  PASSWORD,
  TEST_CALL,
  type TestPool,
} from '../testing/test-pool.ts';
import {
  computeSrpAnswer,
  describeOutcome,
  loginByPassword,
  loginInProcess,
  startSrpLogin,
} from '../testing/test-srp-logins.ts';
import { requireTokens } from '../testing/test-tokens.ts';
import { computeTestTotpCode, computeWrongTotpCode, enrolTotp } from '../testing/test-totp.ts';
import { countWrites } from '../testing/write-counter.ts';

const WRONG = 'Incorrect username or password.';
const FOREIGN = 'Invalid session for the user.';
const EXPIRED = 'Invalid session for the user, session is expired.';
const SPENT = 'Invalid session for the user, session can only be used once.';
const MISMATCH = 'ChallengeName does not match the pending challenge.';
const USED = 'Your software token has already been used once.';
const LOCKED_PASSWORD = 'Password attempts exceeded';
const LOCKED_CODE = 'Attempt limit exceeded, please try after some time.';
const NO_DEVICE = 'Device does not exist.';
const NOBODYS_KEY = 'us-east-1_00000000-0000-4000-8000-000000000000';
const LIFE_MS = 180_000;

type Name = Input<'RespondToAuthChallenge'>['ChallengeName'];
type Texts = Readonly<Record<string, string>>;

describe('an answer to a pending challenge', () => {
  let opened: TestEnvironment;
  let pool: TestPool;
  let underWay: () => number;
  let takeEntries: () => readonly string[];
  let name: string;
  let username: string;
  let users = 0;
  const seen = new Set<string>();
  before(async () => {
    opened = await openTestEnvironment('sqlite::memory:');
    const journal = createCallJournal(opened);
    takeEntries = journal.takeEntries;
    const counting = countWrites(journal.opened);
    underWay = counting.underWay;
    pool = await openTestPoolOn(counting.opened);
  });
  after(() => pool.close());
  beforeEach(async () => {
    pool.clock.advance(3_600_000);
    name = `user${users++}@example.com`;
    username = await addUser(pool, name);
  });

  const answer = (ChallengeName: string, Session: string | undefined, ChallengeResponses: Texts) =>
    pool.operations.respondToAuthChallenge(
      {
        ClientId: pool.clientId,
        ChallengeName: ChallengeName as Name,
        ...(Session === undefined ? {} : { Session }),
        ChallengeResponses,
      },
      TEST_CALL,
    );
  const answerSrp = (challenged: Awaited<ReturnType<typeof startSrpLogin>>, password = PASSWORD) =>
    describeOutcome(pool.operations.respondToAuthChallenge(computeSrpAnswer(pool, challenged, password), TEST_CALL));
  /** Gives the user an authenticator and returns its next valid code. */
  async function enrolled(): Promise<string> {
    const secret = await enrolTotp(pool, requireTokens(await loginByPassword(pool, name)).access);
    pool.clock.advance(30_000);
    return secret;
  }
  /** The events since the last call. */
  async function told() {
    const { rows } = await opened.records.events.page({ userPoolId: pool.userPoolId }, 1000, undefined);
    const fresh = rows.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    return fresh;
  }

  it('is refused for its first fault', async () => {
    await inviteUser(pool, `guest-${name}`);
    const guest = await loginByPassword(pool, `guest-${name}`);
    const list = await startChoiceLogin(pool, name);
    const NEW_PASSWORD_REQUIRED = { session: guest.Session, USERNAME: `guest-${name}` };
    const SELECT_CHALLENGE = { session: list.Session, USERNAME: name };
    for (const [to, as, responses, expected] of [
      [SELECT_CHALLENGE, 'NONSENSE', {}, MISMATCH],
      [SELECT_CHALLENGE, 'SELECT_CHALLENGE', { USERNAME: '' }, 'Missing required parameter USERNAME'],
      [{ ...SELECT_CHALLENGE, session: undefined }, 'SELECT_CHALLENGE', {}, 'Missing required parameter Session'],
      [{ ...SELECT_CHALLENGE, session: 'x'.repeat(40) }, 'SMS_MFA', {}, FOREIGN],
      [SELECT_CHALLENGE, 'SMS_MFA', { USERNAME: 'eve' }, MISMATCH],
      [SELECT_CHALLENGE, 'EMAIL_OTP', {}, MISMATCH],
      [NEW_PASSWORD_REQUIRED, 'PASSWORD', {}, MISMATCH],
      [SELECT_CHALLENGE, 'SELECT_CHALLENGE', { USERNAME: 'eve' }, FOREIGN],
      [SELECT_CHALLENGE, 'SELECT_CHALLENGE', {}, 'Missing required parameter ANSWER'],
      [SELECT_CHALLENGE, 'PASSWORD', {}, 'Missing required parameter PASSWORD'],
      [SELECT_CHALLENGE, 'PASSWORD_SRP', {}, 'Missing required parameter SRP_A'],
      [NEW_PASSWORD_REQUIRED, 'NEW_PASSWORD_REQUIRED', {}, 'Missing required parameter NEW_PASSWORD'],
      [
        NEW_PASSWORD_REQUIRED,
        'NEW_PASSWORD_REQUIRED',
        { PASSWORD_SALT: '1' },
        'Missing required parameter PASSWORD_VERIFIER',
      ],
      [
        NEW_PASSWORD_REQUIRED,
        'NEW_PASSWORD_REQUIRED',
        { PASSWORD_VERIFIER: '1' },
        'Missing required parameter PASSWORD_SALT',
      ],
    ] as const) {
      const { session, USERNAME } = to;
      assert.equal(
        await describeOutcome(answer(as, session, { USERNAME, ...responses })),
        expected,
        `${as} ${expected}`,
      );
    }
    assert.equal(await describeOutcome(answer('PASSWORD', list.Session, { USERNAME: username, PASSWORD })), 'tokens');
  });

  it('is in time until the millisecond at which the session expires', async () => {
    const secret = await enrolled();
    for (const [waitMs, bySession, byBlock] of [
      [LIFE_MS - 1, 'tokens', 'SOFTWARE_TOKEN_MFA'],
      [LIFE_MS, EXPIRED, WRONG],
    ] as const) {
      const [asked, challenged] = [await startPasswordLogin(pool, name), await startSrpLogin(pool, name)];
      pool.clock.advance(waitMs);
      assert.equal(
        await describeOutcome(enterCode(pool, asked, username, computeTestTotpCode(pool, secret))),
        bySession,
      );
      assert.equal(await answerSrp(challenged), byBlock);
    }
  });

  it('is limited to twenty per session, of any kind', async () => {
    await inviteUser(pool, `guest-${name}`);
    const { Session } = await loginByPassword(pool, `guest-${name}`);
    const setPassword = (NEW_PASSWORD: string) =>
      describeOutcome(answer('NEW_PASSWORD_REQUIRED', Session, { USERNAME: `guest-${name}`, NEW_PASSWORD }));
    for (let answers = 1; answers <= 20; answers++) {
      assert.match(await setPassword(PASSWORD), /^Password did not conform/, String(answers));
    }
    assert.equal(await setPassword('Brand-New-Horse1!'), SPENT);
  });

  it('consumes its session, and the answer that changed the password knows that it did', async () => {
    await inviteUser(pool, `guest-${name}`);
    const { Session } = await loginByPassword(pool, `guest-${name}`);
    const responses = { USERNAME: `guest-${name}`, NEW_PASSWORD: 'Brand-New-Horse1!' };
    assert.equal(await describeOutcome(answer('NEW_PASSWORD_REQUIRED', Session, responses)), 'tokens');
    assert.equal(await describeOutcome(answer('NEW_PASSWORD_REQUIRED', Session, responses)), SPENT);
  });

  it('is not checked after the password was replaced: right and wrong answers end alike', async () => {
    const secret = await enrolled();
    const asked = await startPasswordLogin(pool, name);
    const user = { UserPoolId: pool.userPoolId, Username: name };
    await pool.operations.adminSetUserPassword({ ...user, Password: 'Another-Horse2!', Permanent: true }, TEST_CALL);
    for (const code of [computeWrongTotpCode(pool, secret), computeTestTotpCode(pool, secret)]) {
      assert.equal(await describeOutcome(enterCode(pool, asked, username, code)), FOREIGN);
    }
  });

  it('still counts if the address that started the login no longer belongs to the user', async () => {
    const secret = await enrolled();
    const asked = await startPasswordLogin(pool, name);
    const user = { UserPoolId: pool.userPoolId, Username: username };
    const UserAttributes = [
      { Name: 'email', Value: `moved-${name}` },
      { Name: 'email_verified', Value: 'true' },
    ];
    await pool.operations.adminUpdateUserAttributes({ ...user, UserAttributes }, TEST_CALL);
    assert.equal(await describeOutcome(enterCode(pool, asked, name, computeTestTotpCode(pool, secret))), 'tokens');
  });

  it('by SRP works again after a lockout that refused it, but not after it was wrong', async () => {
    const right = await startSrpLogin(pool, name);
    for (let guesses = 0; guesses < 5; guesses++)
      assert.equal(await describeOutcome(loginByPassword(pool, name, 'no')), WRONG);
    assert.equal(await answerSrp(right), LOCKED_PASSWORD);
    pool.clock.advance(1_000);
    assert.equal(await answerSrp(right), 'tokens');
    const wrong = await startSrpLogin(pool, name);
    assert.equal(await answerSrp(wrong, 'Wrong-Horse9!'), WRONG);
    assert.equal(await answerSrp(wrong), WRONG);
  });

  it('with a used code is wrong, and ten of them lock', async () => {
    const secret = await enrolled();
    const code = computeTestTotpCode(pool, secret);
    requireTokens(await enterCode(pool, await startPasswordLogin(pool, name), username, code));
    const asked = await startPasswordLogin(pool, name);
    for (let guesses = 0; guesses < 10; guesses++) {
      assert.equal(await describeOutcome(enterCode(pool, asked, username, code)), USED);
    }
    assert.equal(await describeOutcome(enterCode(pool, asked, username, code)), LOCKED_CODE);
  });

  it('resets the count of earlier wrong ones', async () => {
    const secret = await enrolled();
    const wrong = async (asked: LoginOutput, times: number) => {
      for (let guesses = 0; guesses < times; guesses++) {
        await assertRefused(
          enterCode(pool, asked, username, computeWrongTotpCode(pool, secret)),
          'CodeMismatchException',
        );
      }
    };
    for (let logins = 0; logins < 2; logins++) {
      const asked = await startPasswordLogin(pool, name);
      await wrong(asked, 9);
      requireTokens(await enterCode(pool, asked, username, computeTestTotpCode(pool, secret)));
      pool.clock.advance(30_000);
    }
    for (let guesses = 0; guesses < 4; guesses++)
      assert.equal(await describeOutcome(loginByPassword(pool, name, 'no')), WRONG);
    assert.equal(await describeOutcome(loginByPassword(pool, name)), 'SOFTWARE_TOKEN_MFA');
    for (let guesses = 0; guesses < 4; guesses++)
      assert.equal(await describeOutcome(loginByPassword(pool, name, 'no')), WRONG);
    assert.equal(await describeOutcome(loginByPassword(pool, name)), 'SOFTWARE_TOKEN_MFA');
  });

  it('is reported if it ends the login or is refused, and not if another challenge follows', async () => {
    const secret = await enrolled();
    const about = (events: Awaited<ReturnType<typeof told>>) =>
      events.map(({ type, outcome: end, clientId, actor, user, details: { login: id, ...details } }) => {
        assert.equal(clientId, pool.clientId);
        assert.equal(typeof id, type === 'login.succeeded' ? 'string' : 'undefined');
        return [type, end, actor.kind, user?.username, details];
      });
    await told();
    const asked = await startPasswordLogin(pool, name);
    assert.deepEqual(about(await told()), []);
    await assertRefused(enterCode(pool, asked, username, computeWrongTotpCode(pool, secret)), 'CodeMismatchException');
    const refused = { challenge: 'SOFTWARE_TOKEN_MFA', reason: 'wrong_code' };
    assert.deepEqual(about(await told()), [['login.failed', 'failure', 'anonymous', username, refused]]);
    const unknown = { DEVICE_KEY: NOBODYS_KEY };
    assert.equal(
      await describeOutcome(enterCode(pool, asked, username, computeTestTotpCode(pool, secret), unknown)),
      NO_DEVICE,
    );
    const noDevice = { challenge: 'SOFTWARE_TOKEN_MFA', reason: 'device_not_found' };
    assert.deepEqual(about(await told()), [['login.failed', 'failure', 'anonymous', username, noDevice]]);
    requireTokens(await enterCode(pool, asked, username, computeTestTotpCode(pool, secret)));
    const proofs = { challenge: 'SOFTWARE_TOKEN_MFA', proofs: 'PASSWORD SOFTWARE_TOKEN_MFA' };
    assert.deepEqual(about(await told()), [['login.succeeded', 'success', 'user', username, proofs]]);
    assert.equal(await describeOutcome(enterCode(pool, asked, username, computeTestTotpCode(pool, secret))), SPENT);
    assert.deepEqual(about(await told()), [], 'nobody looked at it');
    assert.equal(await describeOutcome(loginByPassword(pool, 'nobody@example.com')), WRONG);
    const nobody = { challenge: 'PASSWORD', reason: 'invalid_credentials' };
    assert.deepEqual(about(await told()), [['login.failed', 'failure', 'anonymous', undefined, nobody]]);
  });

  it('costs the store the minimum number of statements', async () => {
    const secret = await enrolled();
    const asked = async (work: () => Promise<unknown>, about: RegExp) => {
      takeEntries();
      await work();
      return takeEntries().filter((entry) => about.test(entry));
    };
    const [right, wrong, mfa] = [
      await startSrpLogin(pool, name),
      await startSrpLogin(pool, name),
      await startPasswordLogin(pool, name),
    ];
    const bySrp = /^(challengeSessions|lockouts|users)\./;
    const first = ['challengeSessions.reserveAndSpend', 'users.byName'];
    // Only a correct answer locks the user's row, because an unknown name would not take the time of a lock.
    const accepted = ['lockouts.holdLocks', 'users.lockByName'];
    assert.deepEqual(await asked(() => answerSrp(right), bySrp), [...first, ...accepted]);
    // One count for the network, and one for all networks.
    const counts = ['lockouts.countFailure', 'lockouts.countSharedFailure'];
    assert.deepEqual(await asked(() => answerSrp(wrong, 'Wrong-Horse9!'), bySrp), [...first, ...counts]);
    const byCode = /^(challengeSessions\.|lockouts\.(?!lockOut))/;
    const wrongAnswer = () => describeOutcome(enterCode(pool, mfa, username, computeWrongTotpCode(pool, secret)));
    // The second count is the monthly one. The session can be used again.
    assert.deepEqual(await asked(wrongAnswer, byCode), [
      'challengeSessions.reserveAndSpend',
      'lockouts.countFailure',
      'lockouts.countFailure',
      'challengeSessions.unspend',
    ]);
    assert.deepEqual(await asked(() => enterCode(pool, mfa, username, computeTestTotpCode(pool, secret)), byCode), [
      'challengeSessions.reserveAndSpend',
      'lockouts.countFailure',
      'lockouts.unlock',
    ]);
    const byPassword = () => loginByPassword(pool, name);
    assert.deepEqual(await asked(byPassword, /^lockouts|^authenticators/), [
      'lockouts.holdLocks',
      'authenticators.byState',
      'lockouts.unlock',
    ]);
  });

  it('is completely written before the response', async () => {
    const secret = await enrolled();
    const device = await createRememberedDevice(pool, await addOther());
    const asked = await startPasswordLogin(pool, name);
    for (const call of [
      () => loginByPassword(pool, name, 'no'),
      () => enterCode(pool, asked, username, computeWrongTotpCode(pool, secret)),
      () => enterCode(pool, asked, username, computeTestTotpCode(pool, secret)),
      () => enterCode(pool, asked, username, computeTestTotpCode(pool, secret)),
      () => loginInProcess(pool, `other-${name}`, PASSWORD, { DeviceKey: device.key }),
    ]) {
      await describeOutcome(call());
      assert.equal(underWay(), 0);
    }
  });

  async function addOther(): Promise<string> {
    await addUser(pool, `other-${name}`);
    return `other-${name}`;
  }
});

describe('the first request of a login', () => {
  let pool: TestPool;
  const name = 'ada@example.com';
  before(async () => {
    pool = await openTestPool('sqlite::memory:');
    await addUser(pool, name);
  });
  after(() => pool.close());

  it('is refused for an invalid flow, or one of another operation', async () => {
    const { operations, clientId: ClientId, userPoolId: UserPoolId } = pool;
    const unsupported = 'Initiate Auth method not supported';
    const AuthParameters = { USERNAME: name, PASSWORD };
    for (const AuthFlow of ['NONSENSE', 'constructor', 'ADMIN_USER_PASSWORD_AUTH'] as string[] as 'USER_AUTH'[]) {
      const refused = await assertRefused(
        operations.initiateAuth({ ClientId, AuthFlow, AuthParameters }, TEST_CALL),
        'InvalidParameterException',
        unsupported,
      );
      assert.equal(refused.reason, 'flow_disabled');
    }
    const admin = { ClientId, UserPoolId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters } as const;
    assert.equal(await describeOutcome(operations.adminInitiateAuth(admin, TEST_CALL)), unsupported);
  });

  it('treats an empty Session as missing, and accepts no answer to a challenge that was not issued', async () => {
    assert.equal((await startChoiceLogin(pool, name, {}, '')).ChallengeName, 'SELECT_CHALLENGE');
    const sent = pool.sent.length;
    const code = { PREFERRED_CHALLENGE: 'EMAIL_OTP', EMAIL_OTP_CODE: '00000000' };
    assert.equal((await startChoiceLogin(pool, name, code)).ChallengeName, 'EMAIL_OTP');
    assert.equal(pool.sent.length, sent + 1);
  });

  it('stores a device for later steps, and nothing that cannot be one', async () => {
    const carried = async (DEVICE_KEY: string) =>
      (await startChoiceLogin(pool, name, { DEVICE_KEY })).Session?.length ?? 0;
    const none = (await startChoiceLogin(pool, name)).Session?.length ?? 0;
    assert.equal(await carried('x'.repeat(2_000)), none);
    assert.ok((await carried(NOBODYS_KEY)) > none);
  });

  it('reports an unknown name before the response, if users are not hidden', async () => {
    const opened = await openTestEnvironment('sqlite::memory:');
    const { opened: counted, underWay } = countWrites(opened);
    const open = await openTestPoolOn(counted, { client: { preventUserExistenceErrors: false } });
    await assertRefused(loginByPassword(open, 'nobody@example.com'), 'UserNotFoundException');
    assert.equal(underWay(), 0);
    const { rows } = await opened.records.events.page({ userPoolId: open.userPoolId }, 1000, undefined);
    const failed = rows.filter(({ type }) => type === 'login.failed');
    assert.deepEqual(
      failed.map(({ outcome: end, clientId, user, details }) => [end, clientId, user, details]),
      [['failure', open.clientId, null, { challenge: 'USERNAME', reason: 'invalid_credentials' }]],
    );
    await open.close();
  });

  it('does not ask for an authenticator if the pool has no second factors', async () => {
    const { opened, takeEntries } = createCallJournal(await openTestEnvironment('sqlite::memory:'));
    const plain = await openTestPoolOn(opened, { pool: { mfaConfiguration: 'OFF' } });
    await addUser(plain, name);
    takeEntries();
    requireTokens(await loginByPassword(plain, name));
    assert.deepEqual((await startChoiceLogin(plain, name)).AvailableChallenges, [
      'PASSWORD_SRP',
      'PASSWORD',
      'EMAIL_OTP',
    ]);
    assert.deepEqual(
      takeEntries().filter((entry) => entry.startsWith('authenticators')),
      [],
    );
    await plain.close();
  });
});

describe('a code that a login sends', () => {
  const pools: TestPool[] = [];
  after(() => Promise.all(pools.map((pool) => pool.close())));

  it('is sent before it is requested; if too many went to its country, it is requested but not sent', async () => {
    const { opened } = countWrites(await openTestEnvironment('sqlite::memory:'));
    const sent: Message[] = [];
    const sms: Sender = {
      immediate: true,
      async send(message) {
        await nextTurn();
        sent.push(message);
      },
    };
    const senders = { ...opened.options.senders, sms };
    const messageLimits = { perDay: 1_000, smsPerCountryAndDay: 1 };
    const pool = await openTestPoolOn(
      { ...opened, options: { ...opened.options, senders, messageLimits } },
      { pool: { usernameAttributes: ['phone_number'], firstFactors: ['PASSWORD', 'SMS_OTP'], requiredAttributes: [] } },
    );
    pools.push(pool);
    for (const [number, messages] of [
      ['+15551234567', 1],
      ['+15557654321', 1],
      ['+33612345678', 2],
    ] as const) {
      await addUser(pool, number);
      const asked = await startChoiceLogin(pool, number, { PREFERRED_CHALLENGE: 'SMS_OTP' });
      assert.equal(asked.ChallengeName, 'SMS_OTP');
      assert.equal(sent.length, messages, number);
    }
  });

  it('still reaches the user who verified the address when others claim it', async () => {
    const mfa = { mfaMethods: ['EMAIL_OTP'], recovery: ['admin_only'] } as const;
    const settings = { usernameAttributes: [], aliasAttributes: ['email'], requiredAttributes: [] } as const;
    const pool = await openTestPool('sqlite::memory:', { pool: { ...mfa, ...settings } });
    pools.push(pool);
    for (const [who, email_verified] of [
      ['owner', 'true'],
      ['other', 'false'],
    ] as const) {
      await addUser(pool, who);
      const attributes = { email: 'owner@example.com', email_verified };
      const change = { mfaMethods: ['EMAIL_OTP'], preferredMfa: null, attributes } as const;
      await pool.store.write((transaction) =>
        transaction.users.update(pool.userPoolId, who, { ...change, modifiedAtMs: pool.clock.now() }),
      );
    }
    const codes = async (who: string) => {
      const ends: string[] = [];
      for (let logins = 0; logins < 6; logins++) ends.push(await describeOutcome(loginByPassword(pool, who)));
      return ends;
    };
    const five = Array(5).fill('EMAIL_OTP');
    assert.deepEqual(await codes('other'), [...five, LOCKED_CODE]);
    assert.deepEqual(await codes('owner'), [...five, LOCKED_CODE]);
    assert.equal(pool.sent.length, 10);
  });
});
