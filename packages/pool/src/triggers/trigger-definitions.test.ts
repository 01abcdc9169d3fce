import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type {
  PostAuthenticationTriggerEvent,
  PostConfirmationTriggerEvent,
  PreAuthenticationTriggerEvent,
  PreSignUpTriggerEvent,
  PreTokenGenerationTriggerEvent,
  PreTokenGenerationV2TriggerEvent,
} from 'aws-lambda';
import { decodeJwt } from 'jose/jwt/decode';
import { respondToChallenge, sentCode, startPasswordLogin } from '../testing/test-logins.ts';
import { addUser, inviteUser, PASSWORD, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import {
  computeSrpAnswer,
  describeOutcome,
  loginByPassword,
  loginBySrp,
  loginInProcess,
  startSrpLogin,
} from '../testing/test-srp-logins.ts';
import { createTestTriggers, formatTriggerArn, openTriggeredPool, type TestTrigger } from '../testing/test-triggers.ts';

const NAMES = ['PreSignUp', 'PostConfirmation', 'PreAuthentication', 'PostAuthentication'] as const;
const LAMBDA_CONFIG = {
  ...Object.fromEntries(NAMES.map((name) => [name, formatTriggerArn(name)])),
  PreTokenGenerationConfig: { LambdaVersion: 'V2_0', LambdaArn: formatTriggerArn('PreTokenGeneration') },
} as const;
const METADATA = { campaign: 'spring' };
const unchanged: TestTrigger = (event) => event;

describe('triggers', () => {
  const triggers = createTestTriggers();
  let pool: TestPool;
  before(async () => {
    pool = await openTriggeredPool('sqlite::memory:', triggers, LAMBDA_CONFIG);
  });
  after(() => pool.close());
  beforeEach(() => {
    for (const name of [...NAMES, 'PreTokenGeneration']) triggers.functions[name] = unchanged;
    triggers.takeEvents();
  });
  const sources = () => triggers.takeEvents().map(({ triggerSource }) => triggerSource);
  const common = (userName: string) => ({
    version: '1',
    region: 'us-east-1',
    userPoolId: pool.userPoolId,
    userName,
    callerContext: { awsSdkVersion: 'aws-sdk-unknown-unknown', clientId: pool.clientId },
  });
  const signUp = (Username: string, more: object = {}) =>
    pool.operations.signUp({ ClientId: pool.clientId, Username, Password: PASSWORD, ...more }, TEST_CALL);
  const get = (Username: string) => pool.operations.adminGetUser({ UserPoolId: pool.userPoolId, Username }, TEST_CALL);
  const confirm = (Username: string) =>
    pool.operations.confirmSignUp(
      {
        ClientId: pool.clientId,
        Username,
        ConfirmationCode: sentCode(pool, Username),
        ClientMetadata: METADATA,
      },
      TEST_CALL,
    );

  it("receive a sign-up and its confirmation, with the client's metadata", async () => {
    const email = 'ada@example.com';
    const { UserSub = '' } = await signUp(email, {
      UserAttributes: [{ Name: 'name', Value: 'Ada' }],
      ValidationData: [{ Name: 'captcha', Value: 'x' }],
      ClientMetadata: METADATA,
    });
    await confirm(email);
    const [preSignUp, postConfirmation] = triggers.takeEvents();
    const expected: PreSignUpTriggerEvent = {
      ...common(UserSub),
      triggerSource: 'PreSignUp_SignUp',
      request: {
        userAttributes: { name: 'Ada', email },
        validationData: { captcha: 'x' },
        clientMetadata: METADATA,
      },
      response: { autoConfirmUser: false, autoVerifyEmail: false, autoVerifyPhone: false },
    };
    assert.deepEqual(preSignUp, expected);
    const confirmed: PostConfirmationTriggerEvent = {
      ...common(UserSub),
      triggerSource: 'PostConfirmation_ConfirmSignUp',
      request: {
        userAttributes: {
          sub: UserSub,
          'cognito:user_status': 'CONFIRMED',
          name: 'Ada',
          email,
          email_verified: 'true',
        },
        clientMetadata: METADATA,
      },
      response: {},
    };
    assert.deepEqual(postConfirmation, confirmed);
  });

  it('receive users whom administrators create and confirm, without a client', async () => {
    await addUser(pool, 'made@example.com');
    await signUp('waits@example.com');
    triggers.takeEvents();
    await pool.operations.adminConfirmSignUp(
      { UserPoolId: pool.userPoolId, Username: 'waits@example.com', ClientMetadata: METADATA },
      TEST_CALL,
    );
    const [event] = triggers.takeEvents();
    assert.equal(event?.triggerSource, 'PostConfirmation_ConfirmSignUp');
    assert.equal(event.callerContext.clientId, 'CLIENT_ID_NOT_APPLICABLE');
    assert.deepEqual(event.request.clientMetadata, METADATA);
    await inviteUser(pool, 'invited@example.com');
    assert.deepEqual(sources(), ['PreSignUp_AdminCreateUser']);
  });

  it('let a user in without a code, and verify the address', async () => {
    triggers.functions.PreSignUp = (event) => ({
      ...event,
      response: { autoConfirmUser: true, autoVerifyEmail: true },
    });
    const email = 'vouched@example.com';
    const { UserConfirmed, CodeDeliveryDetails } = await signUp(email);
    assert.equal(UserConfirmed, true);
    assert.equal(CodeDeliveryDetails, undefined);
    assert.deepEqual(sources(), ['PreSignUp_SignUp', 'PostConfirmation_ConfirmSignUp']);
    const { UserStatus, UserAttributes } = await get(email);
    assert.equal(UserStatus, 'CONFIRMED');
    assert.equal(UserAttributes?.find(({ Name }) => Name === 'email_verified')?.Value, 'true');
    assert.equal(await describeOutcome(loginByPassword(pool, email)), 'tokens');
    assert.ok(!pool.sent.some(({ to }) => to === email));
  });

  it('let in no user with a taken name, and the response is the same', async () => {
    await addUser(pool, 'known@example.com', 'Another-Horse2!');
    triggers.functions.PreSignUp = (event) => ({ ...event, response: { autoConfirmUser: true } });
    const shape = async (name: string) => Object.keys(await signUp(name)).toSorted();
    assert.deepEqual(await shape('known@example.com'), await shape('unknown@example.com'));
    assert.notEqual(await describeOutcome(loginByPassword(pool, 'known@example.com')), 'tokens');
    assert.equal(await describeOutcome(loginByPassword(pool, 'known@example.com', 'Another-Horse2!')), 'tokens');
  });

  it('replace the registration of an unverified user by verifying', async () => {
    const email = 'squatted@example.com';
    await signUp(email, { Password: 'Squatter-Horse1!' });
    triggers.functions.PreSignUp = (event) => ({ ...event, response: { autoConfirmUser: true } });
    await signUp(email);
    assert.equal(await describeOutcome(loginByPassword(pool, email)), 'tokens');
    assert.notEqual(await describeOutcome(loginByPassword(pool, email, 'Squatter-Horse1!')), 'tokens');
  });

  it('cannot verify a missing address', async () => {
    triggers.functions.PreSignUp = (event) => ({
      ...event,
      response: { autoConfirmUser: true, autoVerifyPhone: true },
    });
    await assert.rejects(signUp('phoneless@example.com'), { code: 'InvalidLambdaResponseException' });
    await assert.rejects(get('phoneless@example.com'), { code: 'UserNotFoundException' });
  });

  it('run before and after every kind of login', async () => {
    const email = 'logins@example.com';
    await addUser(pool, email);
    const all = [
      'PreAuthentication_Authentication',
      'PostAuthentication_Authentication',
      'TokenGeneration_Authentication',
    ];
    for (const start of [loginByPassword, loginBySrp, loginInProcess]) {
      triggers.takeEvents();
      assert.equal(await describeOutcome(start(pool, email)), 'tokens');
      assert.deepEqual(sources(), all);
    }
  });

  it('receive exactly what starts a login before it, and what answers a challenge after it', async () => {
    const email = 'metadata@example.com';
    const sub = await addUser(pool, email);
    triggers.takeEvents();
    const { start, parameters } = await startSrpLogin(pool, email);
    const restarted = await pool.operations.initiateAuth(
      {
        ClientId: pool.clientId,
        AuthFlow: 'USER_SRP_AUTH',
        AuthParameters: { USERNAME: email, SRP_A: start.srpAHex },
        ClientMetadata: { step: 'one' },
      },
      TEST_CALL,
    );
    assert.ok(parameters.SRP_B);
    triggers.functions.PreTokenGeneration = unchanged;
    const answer = computeSrpAnswer(pool, {
      start,
      parameters: restarted.ChallengeParameters ?? {},
      output: restarted,
    });
    await pool.operations.respondToAuthChallenge({ ...answer, ClientMetadata: { step: 'two' } }, TEST_CALL);
    const [, pre, post, tokens] = triggers.takeEvents();
    const userAttributes = { sub, 'cognito:user_status': 'CONFIRMED', email, email_verified: 'true' };
    const before: PreAuthenticationTriggerEvent = {
      ...common(sub),
      triggerSource: 'PreAuthentication_Authentication',
      request: { userAttributes, validationData: { step: 'one' } },
      response: {},
    };
    assert.deepEqual(pre, before);
    const behind: PostAuthenticationTriggerEvent = {
      ...common(sub),
      triggerSource: 'PostAuthentication_Authentication',
      request: { userAttributes, newDeviceUsed: true, clientMetadata: { step: 'two' } },
      response: {},
    };
    assert.deepEqual(post, behind);
    const signed: Omit<PreTokenGenerationV2TriggerEvent, 'response' | 'request'> & {
      request: object;
      response: object;
    } = {
      ...common(sub),
      version: '2',
      triggerSource: 'TokenGeneration_Authentication',
      request: {
        userAttributes,
        groupConfiguration: { groupsToOverride: [], iamRolesToOverride: [], preferredRole: null },
        scopes: ['aws.cognito.signin.user.admin'],
        clientMetadata: { step: 'two' },
      },
      response: { claimsAndScopeOverrideDetails: null },
    };
    assert.deepEqual(tokens, signed);
  });

  it('receive which proof came last, and that tokens are refreshed', async () => {
    const name = 'invitee@example.com';
    await inviteUser(pool, name);
    const pending = await startPasswordLogin(pool, name);
    triggers.takeEvents();
    const { AuthenticationResult } = await respondToChallenge(pool, pending, name, {
      NEW_PASSWORD: 'Brand-New-Horse1!',
    });
    assert.deepEqual(sources(), ['PostAuthentication_Authentication', 'TokenGeneration_NewPasswordChallenge']);
    const refresh = {
      ClientId: pool.clientId,
      RefreshToken: AuthenticationResult?.RefreshToken ?? '',
      ClientMetadata: METADATA,
    };
    await pool.operations.getTokensFromRefreshToken(refresh, TEST_CALL);
    const [event] = triggers.takeEvents();
    assert.equal(event?.triggerSource, 'TokenGeneration_RefreshTokens');
    assert.deepEqual(event.request.clientMetadata, METADATA);
  });

  it('receive that a name is unknown when the login does not reveal it', async () => {
    assert.notEqual(await describeOutcome(loginByPassword(pool, 'nobody@example.com')), 'tokens');
    const [event] = triggers.takeEvents();
    assert.deepEqual(event?.request, { userAttributes: {}, validationData: {}, userNotFound: true });
  });

  it('refuse users with their own text', async () => {
    const email = 'refused@example.com';
    await addUser(pool, email);
    const no = () => {
      throw new Error('not today');
    };
    for (const name of ['PreAuthentication', 'PostAuthentication', 'PreTokenGeneration']) {
      triggers.functions[name] = no;
      const code = 'UserLambdaValidationException';
      await assert.rejects(loginByPassword(pool, email), { code, message: `${name} failed with error not today.` });
      triggers.functions[name] = unchanged;
    }
    triggers.functions.PreSignUp = no;
    await assert.rejects(signUp('kept-out@example.com'), { message: 'PreSignUp failed with error not today.' });
    await assert.rejects(get('kept-out@example.com'), { code: 'UserNotFoundException' });
    const create = { UserPoolId: pool.userPoolId, Username: 'kept-out@example.com' };
    await assert.rejects(pool.operations.adminCreateUser(create, TEST_CALL), {
      code: 'UserLambdaValidationException',
    });
  });

  it('leave no login behind that they refused', async () => {
    const email = 'trackless@example.com';
    await addUser(pool, email);
    triggers.functions.PreTokenGeneration = () => {
      throw new Error('no');
    };
    await assert.rejects(loginByPassword(pool, email));
    const sub = (await get(email)).Username ?? '';
    const { rows } = await pool.store.logins.listActive(pool.userPoolId, sub, pool.clock.now(), 10, undefined);
    assert.deepEqual(rows, []);
  });

  it('refuse a refresh, and its token stays valid', async () => {
    const email = 'refresher@example.com';
    await addUser(pool, email);
    const { AuthenticationResult } = await loginByPassword(pool, email);
    const refresh = { ClientId: pool.clientId, RefreshToken: AuthenticationResult?.RefreshToken ?? '' };
    triggers.functions.PreTokenGeneration = () => {
      throw new Error('no');
    };
    await assert.rejects(pool.operations.getTokensFromRefreshToken(refresh, TEST_CALL));
    triggers.functions.PreTokenGeneration = unchanged;
    const again = await pool.operations.getTokensFromRefreshToken(refresh, TEST_CALL);
    assert.ok(again.AuthenticationResult?.AccessToken);
  });

  it('distinguish a function that cannot be called from one with an invalid response', async () => {
    const email = 'nonsense@example.com';
    await addUser(pool, email);
    delete triggers.functions.PreAuthentication;
    await assert.rejects(loginByPassword(pool, email), {
      code: 'UnexpectedLambdaException',
      message: 'PreAuthentication invocation failed due to error AccessDeniedException.',
    });
    for (const answer of [null, 'yes', 7, [], {}, { response: null }, { response: [] }]) {
      triggers.functions.PreAuthentication = () => answer;
      await assert.rejects(loginByPassword(pool, email), {
        code: 'InvalidLambdaResponseException',
        message: 'Unrecognizable lambda output',
      });
    }
  });

  it('change the content of tokens, but not the user', async () => {
    const email = 'claims@example.com';
    const sub = await addUser(pool, email);
    triggers.functions.PreTokenGeneration = (event) => ({
      ...event,
      response: {
        claimsAndScopeOverrideDetails: {
          idTokenGeneration: {
            claimsToAddOrOverride: {
              tenant: { id: 7 },
              email: 'other@example.com',
              sub: 'x',
              'cognito:groups': ['a'],
            },
            claimsToSuppress: ['email_verified', 'iss', 'cognito:username'],
          },
          accessTokenGeneration: {
            claimsToAddOrOverride: { tenant: 'acme', username: 'x', scope: 'x', exp: 1, nothing: null },
            claimsToSuppress: ['client_id'],
            scopesToAdd: ['reports/read', 'aws.cognito.other'],
          },
          groupOverrideDetails: {
            groupsToOverride: ['admins'],
            iamRolesToOverride: ['arn:x'],
            preferredRole: 'arn:x',
          },
        },
      },
    });
    const { AuthenticationResult } = await loginByPassword(pool, email);
    const id = decodeJwt(AuthenticationResult?.IdToken ?? '');
    const access = decodeJwt(AuthenticationResult?.AccessToken ?? '');
    assert.deepEqual(id.tenant, { id: 7 });
    assert.equal(id.email, 'other@example.com');
    assert.equal(id.email_verified, undefined);
    for (const claims of [id, access]) {
      assert.equal(claims.sub, sub);
      assert.ok(claims.iss);
      assert.deepEqual(claims['cognito:groups'], ['admins']);
    }
    assert.equal(id['cognito:username'], sub);
    assert.deepEqual(id['cognito:roles'], ['arn:x']);
    assert.equal(id['cognito:preferred_role'], 'arn:x');
    assert.equal(access.tenant, 'acme');
    assert.equal(access.username, sub);
    assert.equal(access.client_id, pool.clientId);
    assert.equal(access.scope, 'aws.cognito.signin.user.admin reports/read');
    assert.ok((access.exp ?? 0) > 1);
    assert.ok(!('nothing' in access));
    const AccessToken = AuthenticationResult?.AccessToken ?? '';
    assert.equal((await pool.operations.getUser({ AccessToken }, TEST_CALL)).Username, sub);
  });

  it('return tokens that no longer allow the user’s own operations, if they remove that scope', async () => {
    const email = 'scopeless@example.com';
    await addUser(pool, email);
    triggers.functions.PreTokenGeneration = (event) => ({
      ...event,
      response: {
        claimsAndScopeOverrideDetails: {
          accessTokenGeneration: { scopesToSuppress: ['aws.cognito.signin.user.admin'] },
          groupOverrideDetails: {},
        },
      },
    });
    const { AuthenticationResult } = await loginByPassword(pool, email);
    const AccessToken = AuthenticationResult?.AccessToken ?? '';
    assert.ok(!('scope' in decodeJwt(AccessToken)));
    await assert.rejects(pool.operations.getUser({ AccessToken }, TEST_CALL), { code: 'NotAuthorizedException' });
  });

  it('cannot create tokens that are too large, or have another form', async () => {
    const email = 'large@example.com';
    await addUser(pool, email);
    const details: readonly unknown[] = [
      { idTokenGeneration: { claimsToAddOrOverride: { big: 'x'.repeat(8_200) } } },
      {
        accessTokenGeneration: {
          claimsToAddOrOverride: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`c${at}`, 1])),
        },
      },
      { accessTokenGeneration: { scopesToAdd: ['two words'] } },
      { accessTokenGeneration: { scopesToAdd: 'one' } },
      { idTokenGeneration: { claimsToAddOrOverride: ['x'] } },
      { idTokenGeneration: { claimsToSuppress: [7] } },
      { groupOverrideDetails: { groupsToOverride: [''] } },
      { groupOverrideDetails: 'admins' },
      'x',
    ];
    for (const claimsAndScopeOverrideDetails of details) {
      triggers.functions.PreTokenGeneration = (event) => ({ ...event, response: { claimsAndScopeOverrideDetails } });
      await assert.rejects(loginByPassword(pool, email), { code: 'InvalidLambdaResponseException' });
    }
  });
});

it(`version 1 changes only the ID token`, async () => {
  const triggers = createTestTriggers();
  const pool = await openTriggeredPool('sqlite::memory:', triggers, {
    PreTokenGeneration: formatTriggerArn('PreTokenGeneration'),
  });
  const email = 'v1@example.com';
  const sub = await addUser(pool, email);
  triggers.functions.PreTokenGeneration = (event) => ({
    ...event,
    response: { claimsOverrideDetails: { claimsToAddOrOverride: { plan: 'gold' }, claimsToSuppress: ['email'] } },
  });
  const { AuthenticationResult } = await loginByPassword(pool, email);
  const [event] = triggers.takeEvents();
  const expected: Omit<PreTokenGenerationTriggerEvent, 'response' | 'request'> & {
    request: object;
    response: object;
  } = {
    version: '1',
    triggerSource: 'TokenGeneration_Authentication',
    region: 'us-east-1',
    userPoolId: pool.userPoolId,
    userName: sub,
    callerContext: { awsSdkVersion: 'aws-sdk-unknown-unknown', clientId: pool.clientId },
    request: {
      userAttributes: { sub, 'cognito:user_status': 'CONFIRMED', email, email_verified: 'true' },
      groupConfiguration: { groupsToOverride: [], iamRolesToOverride: [], preferredRole: null },
    },
    response: { claimsOverrideDetails: null },
  };
  assert.deepEqual(event, expected);
  const id = decodeJwt(AuthenticationResult?.IdToken ?? '');
  assert.equal(id.plan, 'gold');
  assert.equal(id.email, undefined);
  assert.equal(decodeJwt(AuthenticationResult?.AccessToken ?? '').plan, undefined);
  await pool.close();
});
