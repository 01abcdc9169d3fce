import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSettings, type ExpectedPoolSettings } from './check-settings.ts';
import type {
  CognitoSettings,
  MfaSettings,
  UserPoolClientSettings,
  UserPoolSettings,
} from './pool/cognito-settings.ts';
import { startCognitoServer } from './testing/cognito-server.ts';
import { FULL_POOL, replyAsClosedPool, replyAsFullPool } from './testing/pool-settings-replies.ts';
import { openTestProvider } from './testing/test-provider.ts';

const POOL: UserPoolSettings = FULL_POOL.DescribeUserPool.UserPool;
const CLIENT: UserPoolClientSettings = { ...FULL_POOL.DescribeUserPoolClient.UserPoolClient, hasSecret: true };
const MFA: MfaSettings = FULL_POOL.GetUserPoolMfaConfig;
const EXPECTED: ExpectedPoolSettings = {
  loginFlow: 'srp',
  mfaSetup: 'OPTIONAL',
  mfaTypes: ['SOFTWARE_TOKEN_MFA'],
  passkeys: true,
  relyingPartyId: 'example.com',
  clientSecrets: 1,
  issuer: 'https://cognito-idp.us-east-1.amazonaws.com/us-east-1_TestPool1',
};

interface Change {
  readonly pool?: UserPoolSettings;
  readonly client?: Partial<UserPoolClientSettings>;
  readonly mfa?: MfaSettings;
  readonly expected?: Partial<ExpectedPoolSettings>;
}

function listFindingIds({ pool = {}, client = {}, mfa = {}, expected = {} }: Change): readonly string[] {
  const settings: CognitoSettings = {
    region: 'us-east-1',
    userPool: { ...POOL, ...pool },
    userPoolClient: { ...CLIENT, ...client },
    mfa: { ...MFA, ...mfa },
    unread: [],
  };
  return checkSettings(settings, { ...EXPECTED, ...expected }).map(({ id }) => id);
}

const flows = (...names: string[]) => names.map((name) => `ALLOW_${name}`);
const SRP = 'USER_SRP_AUTH';
const CHOICE = 'USER_AUTH';
const REFRESH = 'REFRESH_TOKEN_AUTH';

/** One change to a complete pool, and the only finding then. */
const CASES: readonly [Change, readonly string[]][] = [
  [{}, []],
  [{ client: { ExplicitAuthFlows: flows(CHOICE, REFRESH) } }, ['srp_flow_off']],
  [{ expected: { loginFlow: 'password' } }, ['password_flow_off']],
  [{ client: { ExplicitAuthFlows: flows(SRP, CHOICE, REFRESH, 'USER_PASSWORD_AUTH') } }, ['password_flow_on']],
  [
    { client: { ExplicitAuthFlows: flows(SRP, CHOICE), RefreshTokenRotation: { Feature: 'DISABLED' } } },
    ['refresh_off', 'rotation_off'],
  ],
  [{ client: { RefreshTokenRotation: { Feature: 'ENABLED' } } }, ['rotation_without_grace']],
  [{ client: { EnableTokenRevocation: false } }, ['revocation_off']],
  [{ client: { PreventUserExistenceErrors: 'LEGACY' } }, ['user_existence_shown']],
  [{ expected: { clientSecrets: 0 } }, ['client_secret_missing']],
  [{ client: { hasSecret: false } }, ['client_secret_needless']],
  [{ pool: { UsernameAttributes: ['phone_number'] } }, ['email_is_no_name']],
  [{ pool: { UsernameAttributes: [], AliasAttributes: ['email'] } }, ['email_is_no_name']],
  [{ pool: { UsernameAttributes: [] } }, []],
  [{ pool: { UsernameConfiguration: { CaseSensitive: true } } }, ['names_with_case']],
  [{ pool: { AutoVerifiedAttributes: ['phone_number'] } }, ['sign_up_sends_nothing']],
  [{ pool: { AutoVerifiedAttributes: [], LambdaConfig: { PreSignUp: 'arn:aws:lambda:x' } } }, []],
  [{ mfa: { WebAuthnConfiguration: { RelyingPartyId: 'example.com' } } }, ['passkeys_only_without_mfa']],
  [{ pool: { DeviceConfiguration: { ChallengeRequiredOnNewDevice: false } } }, ['devices_do_not_spare_mfa']],
  [{ pool: { DeviceConfiguration: { DeviceOnlyRememberedOnUserPrompt: false } } }, ['devices_remembered_unasked']],
  [{ expected: { mfaSetup: 'ON' } }, ['mfa_differs']],
  [{ expected: { mfaTypes: ['SMS_MFA'] } }, ['mfa_type_off']],
  [{ mfa: { EmailMfaConfiguration: {} }, expected: { mfaTypes: ['EMAIL_OTP'] } }, ['mfa_is_recovery']],
  [{ pool: { UserPoolTier: 'LITE' } }, ['tier_too_low']],
  [{ client: { ExplicitAuthFlows: flows(SRP, REFRESH) } }, ['choice_flow_off']],
  [{ pool: { Policies: { SignInPolicy: { AllowedFirstAuthFactors: ['PASSWORD'] } } } }, ['passkeys_off']],
  [{ expected: { relyingPartyId: 'login.example' } }, ['relying_party_differs']],
  [
    {
      mfa: { MfaConfiguration: 'ON', WebAuthnConfiguration: { RelyingPartyId: 'example.com' } },
      expected: { mfaSetup: 'ON' },
    },
    ['passkeys_do_not_spare_mfa'],
  ],
  [{ pool: { IssuerConfiguration: { Type: 'UPDATED' } } }, ['issuer_differs']],
  [{ pool: { AdminCreateUserConfig: { AllowAdminCreateUserOnly: true } } }, ['sign_up_closed']],
];

test('each setting that interferes is found, and nothing else with it', () => {
  for (const [change, ids] of CASES) assert.deepEqual(listFindingIds(change), ids, JSON.stringify(change));
});

test('a pool without devices is found', () => {
  const { DeviceConfiguration, ...userPool } = POOL;
  const settings = { region: 'us-east-1', userPool, userPoolClient: CLIENT, mfa: MFA, unread: [] };
  assert.deepEqual(
    checkSettings(settings, EXPECTED).map(({ id }) => id),
    ['devices_off'],
  );
});

test('a good pool has no faults, and every finding says what to change', async () => {
  await using server = await startCognitoServer(replyAsFullPool);
  using provider = openTestProvider(server.url);
  assert.deepEqual(checkSettings(await provider.readSettings(), EXPECTED), []);
  const settings = { region: 'us-east-1', userPool: {}, userPoolClient: { hasSecret: true }, mfa: {}, unread: [] };
  const findings = checkSettings(settings, { ...EXPECTED, clientSecrets: 0 });
  assert.ok(findings.length >= 8);
  for (const { finding, advice } of findings) assert.ok(finding.length > 20 && advice.length > 10);
  const weights = findings.map(({ severity }) => severity);
  assert.deepEqual(weights, weights.toSorted().toReversed());
});

test('settings without permission are reported with the missing permission, and are no fault', async () => {
  await using server = await startCognitoServer(replyAsClosedPool);
  using provider = openTestProvider(server.url);
  const findings = checkSettings(await provider.readSettings(), EXPECTED);
  assert.deepEqual(
    findings.map(({ id }) => id),
    ['unread', 'unread', 'unread'],
  );
  assert.match(findings[0]?.advice ?? '', /cognito-idp:DescribeUserPool/);
  assert.doesNotMatch(JSON.stringify(findings), /arn:aws/);
});

test('settings that fail because of the endpoint are not reported as missing credentials', () => {
  const advise = (kind: CognitoSettings['unread'][number]['kind']) => {
    const unread = [{ operation: 'DescribeUserPool', kind, why: kind } as const];
    const findings = checkSettings({ region: 'us-east-1', unread }, EXPECTED);
    return findings.find(({ id }) => id === 'unread')?.advice ?? '';
  };
  for (const kind of ['unsent', 'lost', 'slow', 'broken', 'throttled', 'nonsense', 'limited', 'open'] as const) {
    assert.ok(advise(kind).length > 20, kind);
    assert.doesNotMatch(advise(kind), /credentials/, kind);
  }
  for (const kind of ['unsigned', 'no_credentials', 'unknown', 'refused'] as const) {
    assert.match(advise(kind), /credentials that allow cognito-idp:DescribeUserPool/, kind);
  }
});
