import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type {
  CreateAuthChallengeTriggerEvent,
  CustomMessageTriggerEvent,
  DefineAuthChallengeTriggerEvent,
  InboundFederationTriggerEvent,
  PostAuthenticationTriggerEvent,
  PostConfirmationTriggerEvent,
  PreAuthenticationTriggerEvent,
  PreSignUpTriggerEvent,
  PreTokenGenerationTriggerEvent,
  PreTokenGenerationV2TriggerEvent,
  PreTokenGenerationV3TriggerEvent,
  UserMigrationTriggerEvent,
  VerifyAuthChallengeResponseTriggerEvent,
} from 'aws-lambda';
import { addUser, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { loginByPassword } from '../testing/test-srp-logins.ts';
import { createTestTriggers, formatTriggerArn, openTriggeredPool } from '../testing/test-triggers.ts';
import { runTriggerTour, TOUR_CLIENT, TOUR_CONFIG, TOUR_FUNCTIONS } from '../testing/trigger-tour.ts';
import { TRIGGER_DEFINITIONS } from './trigger-definitions.ts';
import type { TriggerEvent } from './trigger-invoker.ts';

/** A member of an event with string values under arbitrary names. */
const TEXTS = { name: 'text' };
const COMMON = {
  version: '1',
  region: 'us-east-1',
  userPoolId: 'us-east-1_EXAMPLE',
  userName: 'testuser',
  callerContext: { awsSdkVersion: 'aws-sdk-unknown-unknown', clientId: '1example23456789' },
} as const;
const GROUPS = {
  groupsToOverride: ['group'],
  iamRolesToOverride: ['arn:aws:iam::123456789012:role/one'],
  preferredRole: 'arn:aws:iam::123456789012:role/one',
};
const HISTORY = [{ challengeName: 'CUSTOM_CHALLENGE' as const, challengeResult: true, challengeMetadata: 'text' }];
const CLAIMS = { claimsToAddOrOverride: TEXTS, claimsToSuppress: ['email'] };
const ASKED = { userAttributes: TEXTS, clientMetadata: TEXTS };

/** Responses of the kinds whose events differ only in their source. */
const CODE_EVENT = {
  ...COMMON,
  request: { ...ASKED, codeParameter: '{####}', linkParameter: '{##Click Here##}', usernameParameter: null },
  response: { smsMessage: 'text', emailMessage: 'text', emailSubject: 'text' },
};
const MIGRATED = {
  userAttributes: TEXTS,
  finalUserStatus: 'CONFIRMED' as const,
  messageAction: 'SUPPRESS' as const,
  desiredDeliveryMediums: ['EMAIL' as const],
  forceAliasCreation: false,
  enableSMSMFA: false,
};
const BOTH_TOKENS = {
  request: { ...ASKED, groupConfiguration: GROUPS, scopes: ['openid'] },
  response: {
    claimsAndScopeOverrideDetails: {
      idTokenGeneration: CLAIMS,
      accessTokenGeneration: { ...CLAIMS, scopesToAdd: ['a'], scopesToSuppress: ['b'] },
      groupOverrideDetails: GROUPS,
    },
  },
};

type Event = {
  readonly triggerSource: string;
  readonly version: string;
  readonly request: object;
  readonly response: object;
};

/** The events in the developer guide, by page. `@types/aws-lambda` confirms them. */
const GUIDE: Readonly<Record<string, readonly Event[]>> = {
  'user-pool-lambda-pre-sign-up': [
    ...(['PreSignUp_SignUp', 'PreSignUp_AdminCreateUser'] as const).map(
      (triggerSource): PreSignUpTriggerEvent => ({
        ...COMMON,
        triggerSource,
        request: { ...ASKED, validationData: TEXTS },
        response: { autoConfirmUser: false, autoVerifyEmail: false, autoVerifyPhone: false },
      }),
    ),
  ],
  'user-pool-lambda-post-confirmation': [
    ...(['PostConfirmation_ConfirmSignUp', 'PostConfirmation_ConfirmForgotPassword'] as const).map(
      (triggerSource): PostConfirmationTriggerEvent => ({ ...COMMON, triggerSource, request: ASKED, response: {} }),
    ),
  ],
  'user-pool-lambda-inbound-federation': [
    {
      ...COMMON,
      triggerSource: 'InboundFederation_ExternalProvider',
      request: {
        providerName: 'provider',
        providerType: 'OIDC',
        attributes: { tokenResponse: TEXTS, idToken: TEXTS, userInfo: TEXTS },
      },
      response: { userAttributesToMap: TEXTS },
    } satisfies InboundFederationTriggerEvent,
  ],
  'user-pool-lambda-pre-authentication': [
    {
      ...COMMON,
      triggerSource: 'PreAuthentication_Authentication',
      request: { userAttributes: TEXTS, validationData: TEXTS, userNotFound: false },
      response: {},
    } satisfies PreAuthenticationTriggerEvent,
  ],
  'user-pool-lambda-post-authentication': [
    {
      ...COMMON,
      triggerSource: 'PostAuthentication_Authentication',
      request: { ...ASKED, newDeviceUsed: true },
      response: {},
    } satisfies PostAuthenticationTriggerEvent,
  ],
  'user-pool-lambda-define-auth-challenge': [
    {
      ...COMMON,
      triggerSource: 'DefineAuthChallenge_Authentication',
      request: { ...ASKED, session: HISTORY, userNotFound: false },
      response: { challengeName: 'CUSTOM_CHALLENGE', issueTokens: false, failAuthentication: false },
    } satisfies DefineAuthChallengeTriggerEvent,
  ],
  'user-pool-lambda-create-auth-challenge': [
    {
      ...COMMON,
      triggerSource: 'CreateAuthChallenge_Authentication',
      request: { ...ASKED, challengeName: 'CUSTOM_CHALLENGE', session: HISTORY, userNotFound: false },
      response: {
        publicChallengeParameters: TEXTS,
        privateChallengeParameters: TEXTS,
        challengeMetadata: 'text',
      },
    } satisfies CreateAuthChallengeTriggerEvent,
  ],
  'user-pool-lambda-verify-auth-challenge-response': [
    {
      ...COMMON,
      triggerSource: 'VerifyAuthChallengeResponse_Authentication',
      request: { ...ASKED, privateChallengeParameters: TEXTS, challengeAnswer: 'text', userNotFound: false },
      response: { answerCorrect: true },
    } satisfies VerifyAuthChallengeResponseTriggerEvent,
  ],
  'user-pool-lambda-migrate-user': [
    {
      ...COMMON,
      triggerSource: 'UserMigration_Authentication',
      request: { password: 'text', validationData: TEXTS },
      response: MIGRATED,
    } satisfies UserMigrationTriggerEvent,
    // The types also require a password here, which no example shows.
    {
      ...COMMON,
      triggerSource: 'UserMigration_ForgotPassword',
      request: { validationData: TEXTS, clientMetadata: TEXTS },
      response: MIGRATED,
    },
  ],
  'user-pool-lambda-custom-message': [
    ...(
      [
        'CustomMessage_SignUp',
        'CustomMessage_ResendCode',
        'CustomMessage_ForgotPassword',
        'CustomMessage_UpdateUserAttribute',
        'CustomMessage_VerifyUserAttribute',
        'CustomMessage_AdminCreateUser',
        'CustomMessage_Authentication',
      ] as const
    ).map((triggerSource): CustomMessageTriggerEvent => ({ ...CODE_EVENT, triggerSource })),
  ],
  'user-pool-lambda-pre-token-generation': [
    {
      ...COMMON,
      triggerSource: 'TokenGeneration_Authentication',
      request: { ...ASKED, groupConfiguration: GROUPS },
      response: { claimsOverrideDetails: { ...CLAIMS, groupOverrideDetails: GROUPS } },
    } satisfies PreTokenGenerationTriggerEvent,
    {
      ...COMMON,
      version: '2',
      triggerSource: 'TokenGeneration_Authentication',
      ...BOTH_TOKENS,
    } satisfies PreTokenGenerationV2TriggerEvent,
    {
      ...COMMON,
      version: '3',
      triggerSource: 'TokenGeneration_ClientCredentials',
      ...BOTH_TOKENS,
    } satisfies PreTokenGenerationV3TriggerEvent,
  ],
};

/** Where arbitrary names are allowed. */
const OPEN = new Set([
  'userAttributes',
  'validationData',
  'clientMetadata',
  'publicChallengeParameters',
  'privateChallengeParameters',
  'tokenResponse',
  'idToken',
  'userInfo',
  'userAttributesToMap',
]);

/** Members that are present only when needed: for unknown users, and for clients' data. */
const OPTIONAL = new Set(['userNotFound', 'clientMetadata', 'challengeMetadata']);

/** Requires exactly the members that the guide shows, each with the same type. */
function assertShape(ours: unknown, shown: unknown, at: string): void {
  if (ours === null || shown === null) return;
  if (Array.isArray(shown)) {
    assert.ok(Array.isArray(ours), at);
    for (const one of ours) assertShape(one, shown[0], `${at}[]`);
    return;
  }
  assert.equal(typeof ours, typeof shown, at);
  if (typeof shown === 'object') assertMembers(ours as object, shown as object, at);
}

function assertMembers(ours: object, shown: object, at: string): void {
  if (OPEN.has(at.split('.').at(-1) ?? '')) {
    for (const value of Object.values(ours)) assert.equal(typeof value, 'string', at);
    return;
  }
  const required = (name: string) => name in ours || !OPTIONAL.has(name);
  assert.deepEqual(Object.keys(ours).toSorted(), Object.keys(shown).filter(required).toSorted(), at);
  for (const [name, value] of Object.entries(ours)) {
    assertShape(value, shown[name as keyof typeof shown], `${at}.${name}`);
  }
}

describe('the events of the developer guide', () => {
  const triggers = createTestTriggers(TOUR_FUNCTIONS);
  const found: TriggerEvent[] = [];
  const pools: TestPool[] = [];
  const open = async (LambdaVersion: 'V1_0' | 'V2_0' | 'V3_0'): Promise<TestPool> => {
    const PreTokenGenerationConfig = { LambdaVersion, LambdaArn: formatTriggerArn('PreTokenGeneration') };
    const config = { ...TOUR_CONFIG, PreTokenGenerationConfig };
    const pool = await openTriggeredPool('sqlite::memory:', triggers, config, TOUR_CLIENT);
    pools.push(pool);
    return pool;
  };
  before(async () => {
    await runTriggerTour(await open('V1_0'));
    const second = await open('V2_0');
    await addUser(second, 'eve@example.com');
    await loginByPassword(second, 'eve@example.com');
    found.push(...triggers.takeEvents());
    const { operations, userPoolId: UserPoolId } = await open('V3_0');
    const Scopes = [{ ScopeName: 'read', ScopeDescription: 'read' }];
    await operations.createResourceServer({ UserPoolId, Identifier: 'things', Name: 'Things', Scopes }, TEST_CALL);
    const { UserPoolClient } = await operations.createUserPoolClient(
      {
        UserPoolId,
        ClientName: 'machine',
        GenerateSecret: true,
        AllowedOAuthFlowsUserPoolClient: true,
        AllowedOAuthFlows: ['client_credentials'],
        AllowedOAuthScopes: ['things/read'],
      },
      TEST_CALL,
    );
    const { ClientId = '', ClientSecret: Secret = '' } = UserPoolClient ?? {};
    await operations.getClientToken({ ClientId, Secret, ClientMetadata: { told: 'by the client' } }, TEST_CALL);
    found.push(...triggers.takeEvents());
  });
  after(() => Promise.all(pools.map((pool) => pool.close())));

  for (const [page, events] of Object.entries(GUIDE)) {
    for (const shown of events) {
      it(`${page}: ${shown.triggerSource}, version ${shown.version}`, () => {
        const ours = found.filter((one) => one.triggerSource === shown.triggerSource && one.version === shown.version);
        assert.ok(ours.length > 0, 'it must have been sent');
        for (const event of ours) assertShape(event, shown, 'event');
      });
    }
  }

  it('cover every kind that this pool has', () => {
    const kinds = Object.values(TRIGGER_DEFINITIONS).map(({ name, version }) => `${name} ${version}`);
    const shown = Object.values(GUIDE).flatMap((events) =>
      events.map(({ triggerSource, version }) => `${triggerSource.split('_')[0]} ${version}`),
    );
    const names = shown.map((one) => one.replace(/^TokenGeneration/, 'PreTokenGeneration'));
    assert.deepEqual([...new Set(names)].toSorted(), [...new Set(kinds)].toSorted());
  });
});
