import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as handlers from '../../../../examples/triggers/handlers.ts';
import { type LoginOutput, respondToChallenge, sentCode } from '../testing/test-logins.ts';
import {
  addUser,
  createCallFromNewAddress,
  createVerifiedEmail,
  PASSWORD,
  TEST_CALL,
  type TestPool,
} from '../testing/test-pool.ts';
import { loginByPassword } from '../testing/test-srp-logins.ts';
import { createTestTriggers, formatTriggerArn, openTriggeredPool, type TestTrigger } from '../testing/test-triggers.ts';
import { TRIGGER_DEFINITIONS } from './trigger-definitions.ts';
import type { TriggerEvent } from './trigger-invoker.ts';

const NAMES = [...new Set(Object.values(TRIGGER_DEFINITIONS).map(({ name }) => name))];
const EXAMPLES = {
  DefineAuthChallenge: handlers.defineAuthChallenge,
  CreateAuthChallenge: handlers.createAuthChallenge,
  VerifyAuthChallengeResponse: handlers.verifyAuthChallengeResponse,
} as unknown as Record<string, TestTrigger>;
const ClientMetadata = { told: 'by the client' };
const ValidationData = [{ Name: 'shown', Value: 'by the client' }];

let people = 0;
const newName = (): string => {
  people += 1;
  return `person-${people}@example.com`;
};

/** Where a trigger finds the request's data: as metadata, as validation data, or nowhere. */
type Told = 'clientMetadata' | 'validationData' | 'both' | 'nothing';

interface Row {
  /** Creates the prerequisites, and returns the operation to test. */
  readonly prepare: (pool: TestPool, functions: Record<string, TestTrigger>) => Promise<() => Promise<unknown>>;
  /** By trigger source, what Cognito passes to it from this request. */
  readonly told: Readonly<Record<string, Told>>;
}

const createClientInput = ({ clientId: ClientId }: TestPool, Username: string) => ({
  ClientId,
  Username,
  ClientMetadata,
});
const createAdminInput = ({ userPoolId: UserPoolId }: TestPool, Username: string) => ({
  UserPoolId,
  Username,
  ClientMetadata,
});

const signUp = (pool: TestPool, name: string, more: object = {}) =>
  pool.operations.signUp({ ...createClientInput(pool, name), Password: PASSWORD, ...more }, createCallFromNewAddress());

async function signedUp(pool: TestPool): Promise<string> {
  const name = newName();
  await signUp(pool, name);
  return name;
}

async function known(pool: TestPool): Promise<string> {
  const name = newName();
  await addUser(pool, name);
  return name;
}

type Flow = 'CUSTOM_AUTH' | 'USER_AUTH' | 'USER_PASSWORD_AUTH';

const start = (
  pool: TestPool,
  AuthFlow: Flow,
  AuthParameters: Readonly<Record<string, string>>,
): Promise<LoginOutput> =>
  pool.operations.initiateAuth({ ClientId: pool.clientId, AuthFlow, AuthParameters, ClientMetadata }, TEST_CALL);

const logInForAccessToken = async (pool: TestPool, name: string): Promise<string> =>
  (await loginByPassword(pool, name)).AuthenticationResult?.AccessToken ?? '';

const logInForRefreshToken = async (pool: TestPool): Promise<string> =>
  (await loginByPassword(pool, await known(pool))).AuthenticationResult?.RefreshToken ?? '';

const AFTER_LOGIN = {
  PostAuthentication_Authentication: 'nothing',
  TokenGeneration_Authentication: 'nothing',
} as const;

/** What the reference of each operation says about its `ClientMetadata`. */
const OPERATIONS: Readonly<Record<string, Row>> = {
  SignUp: {
    prepare: async (pool) => () => signUp(pool, newName(), { ValidationData }),
    told: { PreSignUp_SignUp: 'both', CustomMessage_SignUp: 'clientMetadata' },
  },
  'SignUp of somebody who is confirmed by it': {
    async prepare(pool, functions) {
      functions.PreSignUp = (event) => ({ ...event, response: { autoConfirmUser: true } });
      return () => signUp(pool, newName());
    },
    told: { PreSignUp_SignUp: 'clientMetadata', PostConfirmation_ConfirmSignUp: 'clientMetadata' },
  },
  ConfirmSignUp: {
    async prepare(pool) {
      const name = await signedUp(pool);
      const ConfirmationCode = sentCode(pool, name);
      return () => pool.operations.confirmSignUp({ ...createClientInput(pool, name), ConfirmationCode }, TEST_CALL);
    },
    told: { PostConfirmation_ConfirmSignUp: 'clientMetadata' },
  },
  ResendConfirmationCode: {
    async prepare(pool) {
      const name = await signedUp(pool);
      return () => pool.operations.resendConfirmationCode(createClientInput(pool, name), createCallFromNewAddress());
    },
    told: { CustomMessage_ResendCode: 'clientMetadata' },
  },
  ForgotPassword: {
    async prepare(pool) {
      const name = await known(pool);
      return () => pool.operations.forgotPassword(createClientInput(pool, name), createCallFromNewAddress());
    },
    told: { UserMigration_ForgotPassword: 'clientMetadata', CustomMessage_ForgotPassword: 'clientMetadata' },
  },
  ConfirmForgotPassword: {
    async prepare(pool) {
      const name = await known(pool);
      await pool.operations.forgotPassword(createClientInput(pool, name), createCallFromNewAddress());
      const answer = { ConfirmationCode: sentCode(pool, name), Password: 'Brand-New-Horse1!' };
      return () => pool.operations.confirmForgotPassword({ ...createClientInput(pool, name), ...answer }, TEST_CALL);
    },
    told: { PostConfirmation_ConfirmForgotPassword: 'clientMetadata' },
  },
  'InitiateAuth, USER_PASSWORD_AUTH': {
    async prepare(pool) {
      const name = await known(pool);
      return () => start(pool, 'USER_PASSWORD_AUTH', { USERNAME: name, PASSWORD });
    },
    told: { PreAuthentication_Authentication: 'validationData', ...AFTER_LOGIN },
  },
  'InitiateAuth, by somebody from an older system': {
    async prepare(pool, functions) {
      const name = newName();
      const userAttributes = { email: name, email_verified: 'true' };
      functions.UserMigration = (event) => ({ ...event, response: { userAttributes, finalUserStatus: 'CONFIRMED' } });
      return () => start(pool, 'USER_PASSWORD_AUTH', { USERNAME: name, PASSWORD });
    },
    told: {
      PreAuthentication_Authentication: 'validationData',
      UserMigration_Authentication: 'validationData',
      ...AFTER_LOGIN,
    },
  },
  'InitiateAuth, USER_AUTH by a code': {
    async prepare(pool) {
      const USERNAME = await known(pool);
      return () => start(pool, 'USER_AUTH', { USERNAME, PREFERRED_CHALLENGE: 'EMAIL_OTP' });
    },
    told: { PreAuthentication_Authentication: 'validationData', CustomMessage_Authentication: 'nothing' },
  },
  'InitiateAuth, CUSTOM_AUTH': {
    async prepare(pool) {
      const USERNAME = await known(pool);
      return () => start(pool, 'CUSTOM_AUTH', { USERNAME });
    },
    told: {
      PreAuthentication_Authentication: 'validationData',
      DefineAuthChallenge_Authentication: 'nothing',
      CreateAuthChallenge_Authentication: 'nothing',
    },
  },
  'InitiateAuth, REFRESH_TOKEN_AUTH': {
    async prepare(pool) {
      const AuthParameters = { REFRESH_TOKEN: await logInForRefreshToken(pool) };
      const asked = {
        ClientId: pool.clientId,
        AuthFlow: 'REFRESH_TOKEN_AUTH',
        AuthParameters,
        ClientMetadata,
      } as const;
      return () => pool.operations.initiateAuth(asked, TEST_CALL);
    },
    told: { TokenGeneration_RefreshTokens: 'nothing' },
  },
  GetTokensFromRefreshToken: {
    async prepare(pool) {
      const asked = { ClientId: pool.clientId, RefreshToken: await logInForRefreshToken(pool), ClientMetadata };
      return () => pool.operations.getTokensFromRefreshToken(asked, TEST_CALL);
    },
    told: { TokenGeneration_RefreshTokens: 'clientMetadata' },
  },
  RespondToAuthChallenge: {
    async prepare(pool) {
      const USERNAME = await known(pool);
      const { ChallengeName, Session = '' } = await start(pool, 'CUSTOM_AUTH', { USERNAME });
      assert.equal(ChallengeName, 'CUSTOM_CHALLENGE');
      const answer = { ChallengeName, Session, ChallengeResponses: { USERNAME, ANSWER: 'blue' } } as const;
      return () =>
        pool.operations.respondToAuthChallenge({ ClientId: pool.clientId, ...answer, ClientMetadata }, TEST_CALL);
    },
    told: {
      VerifyAuthChallengeResponse_Authentication: 'clientMetadata',
      DefineAuthChallenge_Authentication: 'clientMetadata',
      PostAuthentication_Authentication: 'clientMetadata',
      TokenGeneration_Authentication: 'clientMetadata',
    },
  },
  'RespondToAuthChallenge, which says nothing for triggers': {
    async prepare(pool) {
      const USERNAME = await known(pool);
      const begun = await start(pool, 'CUSTOM_AUTH', { USERNAME });
      return () => respondToChallenge(pool, begun, USERNAME, { ANSWER: 'red' });
    },
    told: {
      VerifyAuthChallengeResponse_Authentication: 'nothing',
      DefineAuthChallenge_Authentication: 'nothing',
      CreateAuthChallenge_Authentication: 'nothing',
    },
  },
  AdminInitiateAuth: {
    async prepare(pool) {
      const { userPoolId: UserPoolId, clientId: ClientId } = pool;
      const AuthParameters = { USERNAME: await known(pool), PASSWORD };
      const asked = { UserPoolId, ClientId, AuthFlow: 'ADMIN_USER_PASSWORD_AUTH', AuthParameters } as const;
      return () => pool.operations.adminInitiateAuth({ ...asked, ClientMetadata }, TEST_CALL);
    },
    told: { PreAuthentication_Authentication: 'validationData', ...AFTER_LOGIN },
  },
  AdminCreateUser: {
    prepare: async (pool) => () => {
      const name = newName();
      const UserAttributes = createVerifiedEmail(name);
      return pool.operations.adminCreateUser(
        { ...createAdminInput(pool, name), UserAttributes, ValidationData },
        TEST_CALL,
      );
    },
    told: { PreSignUp_AdminCreateUser: 'both', CustomMessage_AdminCreateUser: 'clientMetadata' },
  },
  AdminConfirmSignUp: {
    async prepare(pool) {
      const name = await signedUp(pool);
      return () => pool.operations.adminConfirmSignUp(createAdminInput(pool, name), TEST_CALL);
    },
    told: { PostConfirmation_ConfirmSignUp: 'clientMetadata' },
  },
  AdminResetUserPassword: {
    async prepare(pool) {
      const name = await known(pool);
      return () => pool.operations.adminResetUserPassword(createAdminInput(pool, name), TEST_CALL);
    },
    told: { CustomMessage_ForgotPassword: 'clientMetadata' },
  },
  GetUserAttributeVerificationCode: {
    async prepare(pool) {
      const asked = {
        AccessToken: await logInForAccessToken(pool, await known(pool)),
        AttributeName: 'email',
        ClientMetadata,
      };
      return () => pool.operations.getUserAttributeVerificationCode(asked, TEST_CALL);
    },
    told: { CustomMessage_VerifyUserAttribute: 'clientMetadata' },
  },
  UpdateUserAttributes: {
    async prepare(pool) {
      const UserAttributes = [{ Name: 'email', Value: newName() }];
      const asked = { AccessToken: await logInForAccessToken(pool, await known(pool)), UserAttributes, ClientMetadata };
      return () => pool.operations.updateUserAttributes(asked, TEST_CALL);
    },
    told: { CustomMessage_UpdateUserAttribute: 'clientMetadata' },
  },
};

function toldTo({ request }: TriggerEvent): Told {
  const isMetadata = 'clientMetadata' in request;
  const isValidation = Object.keys((request.validationData as object | null | undefined) ?? {}).length > 0;
  if (isMetadata) assert.deepEqual(request.clientMetadata, ClientMetadata);
  if (isMetadata && isValidation) return 'both';
  return isMetadata ? 'clientMetadata' : isValidation ? 'validationData' : 'nothing';
}

describe('the client data for triggers reach exactly those that get them at Cognito, with', () => {
  const triggers = createTestTriggers();
  let pool: TestPool;
  before(async () => {
    const lambdaConfig = Object.fromEntries(NAMES.map((name) => [name, formatTriggerArn(name)]));
    const allowedFlows = ['CUSTOM_AUTH', 'USER_AUTH', 'USER_PASSWORD_AUTH', 'ADMIN_USER_PASSWORD_AUTH'] as const;
    const client = { allowedFlows: [...allowedFlows, 'REFRESH_TOKEN_AUTH' as const] };
    pool = await openTriggeredPool('sqlite::memory:', triggers, lambdaConfig, { client });
  });
  after(() => pool.close());

  for (const [operation, { prepare, told }] of Object.entries(OPERATIONS)) {
    it(operation, async () => {
      for (const name of NAMES) triggers.functions[name] = EXAMPLES[name] ?? ((event) => event);
      const act = await prepare(pool, triggers.functions);
      triggers.takeEvents();
      await act();
      const found = triggers.takeEvents().map((event) => [event.triggerSource, toldTo(event)] as const);
      assert.deepEqual(Object.fromEntries(found), told);
      assert.equal(found.length, Object.keys(told).length, 'each is asked once');
    });
  }
});
