import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { secureRandom, startClient } from '@poolgate/srp';
import { openSslEngine } from '@poolgate/srp/openssl';
import type {
  CreateAuthChallengeTriggerEvent,
  DefineAuthChallengeTriggerEvent,
  VerifyAuthChallengeResponseTriggerEvent,
} from 'aws-lambda';
import * as handlers from '../../../../examples/triggers/handlers.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import { openTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import { type LoginOutput, respondToChallenge } from '../testing/test-logins.ts';
import { addUser, inviteUser, openTestPoolOn, PASSWORD, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { computeSrpAnswer, describeOutcome, loginByPassword } from '../testing/test-srp-logins.ts';
import { enrolTotp } from '../testing/test-totp.ts';
import { createTestTriggers, formatTriggerArn, openTriggeredPool, type TestTrigger } from '../testing/test-triggers.ts';
import { countWrites } from '../testing/write-counter.ts';
import { extendCustomAuthHistory } from './custom-auth-login.ts';

const KINDS = ['DefineAuthChallenge', 'CreateAuthChallenge', 'VerifyAuthChallengeResponse'] as const;
const LAMBDA_CONFIG = Object.fromEntries(KINDS.map((name) => [name, formatTriggerArn(name)]));
const WRONG = 'Incorrect username or password.';
const EXAMPLES = {
  DefineAuthChallenge: handlers.defineAuthChallenge,
  CreateAuthChallenge: handlers.createAuthChallenge,
  VerifyAuthChallengeResponse: handlers.verifyAuthChallengeResponse,
} as unknown as Record<string, TestTrigger>;

type Texts = Readonly<Record<string, string>>;

forEachDatabase((database) => {
  describe(`a custom login flow, on ${database.name}`, () => {
    const triggers = createTestTriggers();
    let pool: TestPool;
    before(async () => {
      const client = {
        allowedFlows: ['CUSTOM_AUTH', 'USER_SRP_AUTH', 'USER_PASSWORD_AUTH', 'REFRESH_TOKEN_AUTH'],
      } as const;
      pool = await openTriggeredPool(await database.create(), triggers, LAMBDA_CONFIG, { client });
    });
    after(() => pool.close());
    beforeEach(() => {
      Object.assign(triggers.functions, EXAMPLES);
      triggers.takeEvents();
    });
    const begin = (USERNAME: string, more: Texts = {}): Promise<LoginOutput> =>
      pool.operations.initiateAuth(
        { ClientId: pool.clientId, AuthFlow: 'CUSTOM_AUTH', AuthParameters: { USERNAME, ...more } },
        TEST_CALL,
      );
    const answer = (step: LoginOutput, name: string, ANSWER: string) =>
      respondToChallenge(pool, step, name, { ANSWER });
    const define = (response: object): void => {
      triggers.functions.DefineAuthChallenge = (event) => ({ ...event, response });
    };
    const beginWithPassword = async (name: string, password = PASSWORD) => {
      const start = startClient({ engine: openSslEngine, random: secureRandom });
      const step = await begin(name, { CHALLENGE_NAME: 'SRP_A', SRP_A: start.srpAHex });
      assert.equal(step.ChallengeName, 'PASSWORD_VERIFIER');
      return computeSrpAnswer(pool, { start, parameters: step.ChallengeParameters ?? {}, output: step }, password);
    };

    database.itOnSqlite('asks what the triggers ask, and ends in tokens when they say so', async () => {
      const name = 'ada@example.com';
      const sub = await addUser(pool, name);
      const asked = await begin(name);
      assert.equal(asked.ChallengeName, 'CUSTOM_CHALLENGE');
      assert.deepEqual(asked.ChallengeParameters, { question: 'The color of the sky?', USERNAME: sub });
      const [first, made] = triggers.takeEvents();
      const userAttributes = { sub, 'cognito:user_status': 'CONFIRMED', email: name, email_verified: 'true' };
      const common = {
        version: '1',
        region: 'us-east-1',
        userPoolId: pool.userPoolId,
        userName: sub,
        callerContext: { awsSdkVersion: 'aws-sdk-unknown-unknown', clientId: pool.clientId },
      };
      const define: Omit<DefineAuthChallengeTriggerEvent, 'response'> = {
        ...common,
        triggerSource: 'DefineAuthChallenge_Authentication',
        request: { userAttributes, session: [] },
      };
      const none = { challengeName: null, issueTokens: null, failAuthentication: null };
      assert.deepEqual(first, { ...define, response: none });
      const create: Omit<CreateAuthChallengeTriggerEvent, 'response'> = {
        ...common,
        triggerSource: 'CreateAuthChallenge_Authentication',
        request: { userAttributes, challengeName: 'CUSTOM_CHALLENGE', session: [] },
      };
      const empty = { publicChallengeParameters: null, privateChallengeParameters: null, challengeMetadata: null };
      assert.deepEqual(made, { ...create, response: empty });
      const done = await pool.operations.respondToAuthChallenge(
        {
          ClientId: pool.clientId,
          ChallengeName: 'CUSTOM_CHALLENGE',
          Session: asked.Session ?? '',
          ChallengeResponses: { USERNAME: name, ANSWER: 'blue' },
          ClientMetadata: { from: 'test' },
        },
        TEST_CALL,
      );
      assert.ok(done.AuthenticationResult?.AccessToken);
      assert.ok(done.AuthenticationResult.NewDeviceMetadata);
      const [verified, last] = triggers.takeEvents();
      const verify: Omit<VerifyAuthChallengeResponseTriggerEvent, 'response'> = {
        ...common,
        triggerSource: 'VerifyAuthChallengeResponse_Authentication',
        request: {
          userAttributes,
          privateChallengeParameters: { answer: 'blue' },
          challengeAnswer: 'blue',
          clientMetadata: { from: 'test' },
        },
      };
      assert.deepEqual(verified, { ...verify, response: { answerCorrect: null } });
      const session = [{ challengeName: 'CUSTOM_CHALLENGE', challengeResult: true, challengeMetadata: 'COLOR' }];
      assert.deepEqual(last?.request.session, session);
    });

    database.itOnSqlite('asks again after a wrong answer, as often as the triggers want', async () => {
      const name = 'bob@example.com';
      await addUser(pool, name);
      const second = await answer(await begin(name), name, 'red');
      const third = await answer(second, name, 'green');
      assert.equal(await describeOutcome(answer(third, name, 'blue')), 'tokens');
      const again = await answer(await answer(await begin(name), name, 'red'), name, 'red');
      assert.equal(await describeOutcome(answer(again, name, 'red')), WRONG);
    });

    it('accepts an answer once, of any number in parallel', async () => {
      const name = 'once@example.com';
      await addUser(pool, name);
      const asked = await begin(name);
      const outcomes = await Promise.all(Array.from({ length: 5 }, () => describeOutcome(answer(asked, name, 'blue'))));
      assert.equal(outcomes.filter((one) => one === 'tokens').length, 1);
      const verified = triggers.takeEvents().filter(({ triggerSource }) => triggerSource.startsWith('Verify'));
      assert.equal(verified.length, 1);
    });

    database.itOnSqlite('starts with the password if the client requests it, and counts wrong ones', async () => {
      const name = 'srp@example.com';
      await addUser(pool, name);
      const asked = await pool.operations.respondToAuthChallenge(await beginWithPassword(name), TEST_CALL);
      assert.equal(asked.ChallengeName, 'CUSTOM_CHALLENGE');
      const history = triggers.takeEvents().findLast(({ triggerSource }) => triggerSource.startsWith('Define'));
      assert.deepEqual(history?.request.session, [
        { challengeName: 'SRP_A', challengeResult: true },
        { challengeName: 'PASSWORD_VERIFIER', challengeResult: true },
      ]);
      assert.equal(await describeOutcome(answer(asked, name, 'blue')), 'tokens');
      const wrong = await beginWithPassword(name, 'Wrong-Horse1!');
      assert.equal(await describeOutcome(pool.operations.respondToAuthChallenge(wrong, TEST_CALL)), WRONG);
    });

    database.itOnSqlite(
      'challenges unknown names alike, and lets none of them in, whatever the triggers say',
      async () => {
        const asked = await begin('nobody@example.com');
        assert.equal(asked.ChallengeName, 'CUSTOM_CHALLENGE');
        const [event] = triggers.takeEvents();
        assert.equal(event?.request.userNotFound, true);
        assert.deepEqual(event.request.userAttributes, {});
        define({ issueTokens: true, failAuthentication: false });
        triggers.functions.VerifyAuthChallengeResponse = (given) => ({ ...given, response: { answerCorrect: true } });
        assert.equal(await describeOutcome(answer(asked, 'nobody@example.com', 'blue')), WRONG);
      },
    );

    database.itOnSqlite('lets no user in who answered nothing correctly', async () => {
      const name = 'nothing@example.com';
      await addUser(pool, name);
      define({ issueTokens: true });
      assert.equal(await describeOutcome(begin(name)), WRONG);
      Object.assign(triggers.functions, EXAMPLES);
      const asked = await begin(name);
      define({ issueTokens: true });
      assert.equal(await describeOutcome(answer(asked, name, 'red')), WRONG);
    });

    database.itOnSqlite('ends if the triggers never end it', async () => {
      const name = 'endless@example.com';
      await addUser(pool, name);
      define({ challengeName: 'CUSTOM_CHALLENGE' });
      let step = await begin(name);
      let answers = 0;
      let ended = '';
      while (ended === '') {
        answers += 1;
        const given = answer(step, name, 'red');
        ended = await describeOutcome(given).then((text) => (text === 'CUSTOM_CHALLENGE' ? '' : text));
        if (ended === '') step = await given;
      }
      assert.equal(ended, WRONG);
      assert.equal(answers, 20);
    });

    database.itOnSqlite('hides private parameters from the client, and refuses what does not match', async () => {
      const name = 'private@example.com';
      await addUser(pool, name);
      const create = (response: object): void => {
        triggers.functions.CreateAuthChallenge = (event) => ({ ...event, response });
      };
      create({
        publicChallengeParameters: { a: '1', USERNAME: 'x' },
        privateChallengeParameters: { secret: 'S3CRET' },
      });
      const asked = await begin(name);
      assert.ok(!JSON.stringify(asked).includes('S3CRET'));
      assert.notEqual(asked.ChallengeParameters?.USERNAME, 'x');
      const bad: readonly object[] = [
        { privateChallengeParameters: { secret: 'x'.repeat(2_048) } },
        { publicChallengeParameters: { a: 'x'.repeat(20_000) } },
        { publicChallengeParameters: { a: 1 } },
        { privateChallengeParameters: 'x' },
        { challengeMetadata: {} },
      ];
      for (const response of bad) {
        create(response);
        await assert.rejects(begin(name), { code: 'InvalidLambdaResponseException' });
      }
      for (const response of [
        {},
        { challengeName: 'PASSWORD_VERIFIER' },
        { challengeName: 'SMS_MFA' },
        { issueTokens: 'yes' },
      ]) {
        define(response);
        await assert.rejects(begin(name), { code: 'InvalidLambdaResponseException' });
      }
    });

    database.itOnSqlite('is refused if the triggers refuse, fail, or are missing', async () => {
      const name = 'refused@example.com';
      await addUser(pool, name);
      const asked = await begin(name);
      triggers.functions.VerifyAuthChallengeResponse = () => {
        throw new Error('no');
      };
      await assert.rejects(answer(asked, name, 'blue'), { code: 'UserLambdaValidationException' });
      delete triggers.functions.DefineAuthChallenge;
      await assert.rejects(begin(name), { code: 'UnexpectedLambdaException' });
      await assert.rejects(begin(name, { CHALLENGE_NAME: 'SRP_A' }), { code: 'InvalidParameterException' });
    });

    database.itOnSqlite('gives no tokens to a user who was disabled or has another password meanwhile', async () => {
      const name = 'gone@example.com';
      const Username = await addUser(pool, name);
      const user = { UserPoolId: pool.userPoolId, Username };
      const asked = await begin(name);
      await pool.operations.adminDisableUser(user, TEST_CALL);
      assert.equal(await describeOutcome(answer(asked, name, 'blue')), 'User is disabled.');
      await pool.operations.adminEnableUser(user, TEST_CALL);
      const { ChallengeResponses, ...rest } = await beginWithPassword(name);
      const second = await pool.operations.respondToAuthChallenge({ ...rest, ChallengeResponses }, TEST_CALL);
      await pool.operations.adminSetUserPassword({ ...user, Password: 'Another-Horse2!', Permanent: true }, TEST_CALL);
      assert.notEqual(await describeOutcome(answer(second, name, 'blue')), 'tokens');
    });

    database.itOnSqlite('does not change a temporary password without it', async () => {
      const name = 'invited@example.com';
      await inviteUser(pool, name);
      assert.equal(await describeOutcome(answer(await begin(name), name, 'blue')), WRONG);
      const pending = await pool.operations.respondToAuthChallenge(await beginWithPassword(name), TEST_CALL);
      assert.equal(pending.ChallengeName, 'NEW_PASSWORD_REQUIRED');
      const asked = await respondToChallenge(pool, pending, name, { NEW_PASSWORD: 'Brand-New-Horse1!' });
      assert.equal(asked.ChallengeName, 'CUSTOM_CHALLENGE');
      assert.equal(await describeOutcome(answer(asked, name, 'blue')), 'tokens');
    });

    database.itOnSqlite("requires the user's second factor after the triggers have finished", async () => {
      const name = 'totp@example.com';
      await addUser(pool, name);
      const { AuthenticationResult } = await loginByPassword(pool, name);
      await enrolTotp(pool, AuthenticationResult?.AccessToken ?? '');
      assert.equal(await describeOutcome(answer(await begin(name), name, 'blue')), 'SOFTWARE_TOKEN_MFA');
    });
  });
});

describe('the decision of triggers about a login', () => {
  const NAME = 'ada@example.com';
  const triggers = createTestTriggers();
  let opened: TestEnvironment;
  let pool: TestPool;
  let underWay: () => number;
  before(async () => {
    opened = await openTestEnvironment('sqlite::memory:');
    const counting = countWrites(opened);
    underWay = counting.underWay;
    const { keyRing } = opened.options;
    // One character longer, like the service's sessions, so that their lengths are closer to each other.
    const longer: typeof keyRing = {
      encrypt: (...given) => `k${keyRing.encrypt(...given)}`,
      decrypt: (purpose, encrypted, data) => keyRing.decrypt(purpose, encrypted.replace(/^k/, ''), data),
    };
    const ports = { ...counting.opened.options, keyRing: longer, triggers: triggers.invoker };
    const client = { allowedFlows: ['CUSTOM_AUTH'] } as const;
    const kept = { LambdaConfig: LAMBDA_CONFIG };
    pool = await openTestPoolOn({ ...counting.opened, options: ports }, { client, pool: { kept } });
    await addUser(pool, NAME);
  });
  after(() => pool.close());
  beforeEach(() => {
    Object.assign(triggers.functions, EXAMPLES);
  });
  const say = (name: (typeof KINDS)[number], response: object): void => {
    triggers.functions[name] = (event) => ({ ...event, response });
  };
  const begin = (more: Texts = {}) =>
    pool.operations.initiateAuth(
      { ClientId: pool.clientId, AuthFlow: 'CUSTOM_AUTH', AuthParameters: { USERNAME: NAME, ...more } },
      TEST_CALL,
    );
  const withPassword = () => {
    const { srpAHex } = startClient({ engine: openSslEngine, random: secureRandom });
    return { CHALLENGE_NAME: 'SRP_A', SRP_A: srpAHex };
  };

  it('lets no user in who has only started SRP, and asks for the password only when they say so', async () => {
    say('DefineAuthChallenge', { issueTokens: true });
    assert.equal(await describeOutcome(begin(withPassword())), WRONG);
    say('DefineAuthChallenge', {});
    await assert.rejects(begin(withPassword()), { code: 'InvalidLambdaResponseException' });
    say('DefineAuthChallenge', { challengeName: 'PASSWORD_VERIFIER' });
    assert.equal((await begin(withPassword())).ChallengeName, 'PASSWORD_VERIFIER');
    await assert.rejects(begin({ CHALLENGE_NAME: 'SRP_A', SRP_A: '0' }), { code: 'InvalidParameterException' });
    await assert.rejects(begin({ CHALLENGE_NAME: 'SRP_A' }), { message: 'Missing required parameter SRP_A' });
  });

  it('is reported if they refuse, after everything is written', async () => {
    pool.clock.advance(1);
    say('DefineAuthChallenge', { failAuthentication: true });
    assert.equal(await describeOutcome(begin()), WRONG);
    assert.equal(underWay(), 0);
    const { rows } = await opened.records.events.page({ userPoolId: pool.userPoolId }, 1000, undefined);
    const told = rows.filter(({ atMs }) => atMs === pool.clock.now());
    const refused = ['login.failed', pool.clientId, { challenge: 'CUSTOM_AUTH', reason: 'invalid_credentials' }];
    assert.deepEqual(
      told.map(({ type, clientId, details }) => [type, clientId, details]),
      [refused],
    );
  });

  it('fits into a session of 2,048 characters, or is refused', async () => {
    const keep = (length: number) => {
      say('CreateAuthChallenge', { privateChallengeParameters: { secret: 'x'.repeat(length) } });
      return begin();
    };
    const { Session = '' } = await keep(100);
    // Four characters contain three bytes.
    const longest = 100 + Math.floor((2_047 * 3) / 4) - Math.floor(((Session.length - 1) * 3) / 4);
    assert.equal((await keep(longest)).Session?.length, 2_048);
    await assert.rejects(keep(longest + 1), { code: 'InvalidLambdaResponseException' });
  });

  it('adds the password to its history where it was proven, once', () => {
    const begun = [{ challengeName: 'SRP_A', challengeResult: true }] as const;
    const proven = { challengeName: 'PASSWORD_VERIFIER', challengeResult: true } as const;
    assert.deepEqual(extendCustomAuthHistory(begun, ['PASSWORD_VERIFIER']), [...begun, proven]);
    assert.deepEqual(extendCustomAuthHistory([...begun, proven], ['PASSWORD_VERIFIER']), [...begun, proven]);
    assert.deepEqual(extendCustomAuthHistory(begun, ['EMAIL_OTP']), begun);
  });
});
