import type { CognitoSettings, UserPoolSettings } from './pool/cognito-settings.ts';
import { findRelyingParty, isFirstFactorAllowed, isFlowAllowed, listMfaTypes } from './pool/pool-description.ts';
import type { FailureKind } from './upstream/upstream-failure.ts';

/** The parts of the service's configuration that the pool must match. */
export interface ExpectedPoolSettings {
  /** `srp`: the service does not pass on passwords. */
  readonly loginFlow: 'srp' | 'password';
  readonly mfaSetup: 'OFF' | 'OPTIONAL' | 'ON';
  /** Second factors in Cognito's names. */
  readonly mfaTypes: readonly string[];
  readonly passkeys: boolean;
  /** The relying party of the passkeys, compared only if passkeys are used. */
  readonly relyingPartyId: string;
  /** The number of configured client secrets. */
  readonly clientSecrets: number;
  /** The expected `iss` of tokens. */
  readonly issuer: string;
}

/** A finding about a pool. */
export interface SettingsFinding {
  /** A stable id. */
  readonly id: string;
  /** `fault`: a configured feature does not work. `advice`: it works, but could be improved. */
  readonly severity: 'fault' | 'advice';
  /** The finding itself. */
  readonly finding: string;
  /** The suggested fix. */
  readonly advice: string;
}

interface SettingsCheck extends SettingsFinding {
  /** True if the finding applies. Settings that cannot be read never count against a pool. */
  readonly applies: (settings: CognitoSettings, expected: ExpectedPoolSettings) => boolean;
}

const CHECKS: readonly SettingsCheck[] = [
  {
    id: 'srp_flow_off',
    severity: 'fault',
    finding: 'The app client does not allow SRP logins.',
    advice: 'Add ALLOW_USER_SRP_AUTH to the ExplicitAuthFlows of the app client.',
    applies: (settings, { loginFlow }) => loginFlow === 'srp' && !isFlowAllowed(settings, 'USER_SRP_AUTH'),
  },
  {
    id: 'password_flow_off',
    severity: 'fault',
    finding: 'IDP_LOGIN_FLOW is password, but the app client does not allow that flow.',
    advice: 'Set IDP_LOGIN_FLOW to srp, or add ALLOW_USER_PASSWORD_AUTH to the ExplicitAuthFlows of the app client.',
    applies: (settings, { loginFlow }) => loginFlow === 'password' && !isFlowAllowed(settings, 'USER_PASSWORD_AUTH'),
  },
  {
    id: 'password_flow_on',
    severity: 'advice',
    finding: 'The app client allows logins that send the password in plain text, which this service does not need.',
    advice: 'Remove ALLOW_USER_PASSWORD_AUTH from the ExplicitAuthFlows of the app client.',
    applies: (settings, { loginFlow }) =>
      settings.userPoolClient !== undefined && loginFlow === 'srp' && isFlowAllowed(settings, 'USER_PASSWORD_AUTH'),
  },
  {
    id: 'refresh_off',
    severity: 'fault',
    finding:
      'The app client allows neither refresh tokens nor their rotation, so every login ends with its first access token.',
    advice: 'Set RefreshTokenRotation to ENABLED, or add ALLOW_REFRESH_TOKEN_AUTH to the ExplicitAuthFlows.',
    applies: (settings) => !isFlowAllowed(settings, 'REFRESH_TOKEN_AUTH') && !rotatesRefreshTokens(settings),
  },
  {
    id: 'rotation_off',
    severity: 'advice',
    finding: 'Refresh tokens are not rotated, so a stolen one works until the session ends.',
    advice: 'Set RefreshTokenRotation of the app client to ENABLED with a RetryGracePeriodSeconds of 10.',
    applies: (settings) => settings.userPoolClient !== undefined && !rotatesRefreshTokens(settings),
  },
  {
    id: 'rotation_without_grace',
    severity: 'advice',
    finding:
      'Refresh tokens are rotated without a grace period, so two tabs that refresh at once sign one of them out.',
    advice: 'Set RetryGracePeriodSeconds of RefreshTokenRotation to 10.',
    applies: ({ userPoolClient }) => {
      const { Feature, RetryGracePeriodSeconds = 0 } = userPoolClient?.RefreshTokenRotation ?? {};
      return Feature === 'ENABLED' && RetryGracePeriodSeconds === 0;
    },
  },
  {
    id: 'revocation_off',
    severity: 'fault',
    finding: 'Token revocation is turned off for the app client, so a logout cannot end a session.',
    advice: 'Set EnableTokenRevocation of the app client to true.',
    applies: ({ userPoolClient }) => userPoolClient?.EnableTokenRevocation === false,
  },
  {
    id: 'user_existence_shown',
    severity: 'advice',
    finding: 'Cognito tells callers whether a user exists.',
    advice: 'Set PreventUserExistenceErrors of the app client to ENABLED.',
    applies: ({ userPoolClient }) =>
      userPoolClient !== undefined && userPoolClient.PreventUserExistenceErrors !== 'ENABLED',
  },
  {
    id: 'client_secret_missing',
    severity: 'fault',
    finding: 'The app client has a secret, but IDP_CLIENT_SECRET is not set.',
    advice: 'Set IDP_CLIENT_SECRET.',
    applies: ({ userPoolClient }, { clientSecrets }) => userPoolClient?.hasSecret === true && clientSecrets === 0,
  },
  {
    id: 'client_secret_needless',
    severity: 'fault',
    finding: 'IDP_CLIENT_SECRET is set, but the app client has no secret.',
    advice: 'Unset IDP_CLIENT_SECRET, or set IDP_CLIENT_ID to the app client that it belongs to.',
    applies: ({ userPoolClient }, { clientSecrets }) => userPoolClient?.hasSecret === false && clientSecrets > 0,
  },
  {
    id: 'email_is_no_name',
    severity: 'fault',
    finding:
      'The pool does not accept email addresses as usernames, so users without another username cannot register or be created.',
    advice: 'Use a pool that was created with email in its UsernameAttributes. This cannot be changed later.',
    applies: ({ userPool }) => userPool !== undefined && refusesEmailNames(userPool),
  },
  {
    id: 'names_with_case',
    severity: 'advice',
    finding: 'Usernames in the pool are case-sensitive, so Ada@example.com and ada@example.com are two users.',
    advice:
      'Use a pool that was created with CaseSensitive false in its UsernameConfiguration. This cannot be changed later.',
    applies: ({ userPool }) => userPool !== undefined && userPool.UsernameConfiguration?.CaseSensitive !== false,
  },
  {
    id: 'sign_up_sends_nothing',
    severity: 'fault',
    finding: 'The pool does not email codes to users who sign up, so they cannot confirm their address.',
    advice: 'Add email to the AutoVerifiedAttributes of the pool.',
    applies: ({ userPool }) =>
      userPool !== undefined &&
      userPool.AdminCreateUserConfig?.AllowAdminCreateUserOnly !== true &&
      // A trigger may confirm users automatically.
      userPool.LambdaConfig?.PreSignUp === undefined &&
      !(userPool.AutoVerifiedAttributes ?? []).includes('email'),
  },
  {
    id: 'devices_off',
    severity: 'fault',
    finding: 'The pool does not track devices, so devices cannot be registered or remembered.',
    advice: "Set both members of the pool's DeviceConfiguration to true.",
    applies: ({ userPool }) => userPool !== undefined && userPool.DeviceConfiguration === undefined,
  },
  {
    id: 'devices_do_not_spare_mfa',
    severity: 'advice',
    finding: 'A remembered device does not replace the second factor.',
    advice: 'Set ChallengeRequiredOnNewDevice in the DeviceConfiguration of the pool to true.',
    applies: ({ userPool }) => userPool?.DeviceConfiguration?.ChallengeRequiredOnNewDevice === false,
  },
  {
    id: 'devices_remembered_unasked',
    severity: 'advice',
    finding: 'Every registered device is remembered without asking the user.',
    advice: 'Set DeviceOnlyRememberedOnUserPrompt in the DeviceConfiguration of the pool to true.',
    applies: ({ userPool }) => userPool?.DeviceConfiguration?.DeviceOnlyRememberedOnUserPrompt === false,
  },
  {
    id: 'mfa_differs',
    severity: 'fault',
    finding: "IDP_MFA_SETUP differs from the pool's MfaConfiguration, which takes precedence.",
    advice: 'Set both to the same value.',
    applies: ({ mfa }, { mfaSetup }) => mfa !== undefined && (mfa.MfaConfiguration ?? 'OFF') !== mfaSetup,
  },
  {
    id: 'mfa_type_off',
    severity: 'fault',
    finding: 'IDP_MFA_TYPE contains a second factor that is turned off in the pool.',
    advice: 'Turn it on in the MFA configuration of the pool, or remove it from IDP_MFA_TYPE.',
    applies: ({ mfa }, { mfaSetup, mfaTypes: wanted }) =>
      mfa !== undefined && mfaSetup !== 'OFF' && wanted.some((type) => !listMfaTypes(mfa).includes(type)),
  },
  {
    id: 'mfa_is_recovery',
    severity: 'fault',
    finding:
      'The same kind of message is a second factor and recovers accounts. Cognito allows each user only one of the two.',
    advice: 'Recover accounts with the other kind of message or by administrators only (AccountRecoverySetting).',
    applies: ({ userPool, mfa }, { mfaSetup, mfaTypes: wanted }) =>
      userPool !== undefined &&
      mfa !== undefined &&
      mfaSetup !== 'OFF' &&
      wanted.some((type) => listMfaTypes(mfa).includes(type) && RECOVERY_OF[type] === findFirstRecovery(userPool)),
  },
  {
    id: 'tier_too_low',
    severity: 'fault',
    finding: 'The pool is in the LITE tier, which has no passkeys, no email codes and no choice of factors.',
    advice:
      'Move the pool to ESSENTIALS or PLUS, or set IDP_ALLOW_PASSKEYS to false and remove EMAIL_OTP from IDP_MFA_TYPE.',
    applies: ({ userPool }, { passkeys, mfaTypes: wanted }) =>
      userPool?.UserPoolTier === 'LITE' && (passkeys || wanted.includes('EMAIL_OTP')),
  },
  {
    id: 'choice_flow_off',
    severity: 'fault',
    finding: 'Passkeys are turned on here, but the app client does not allow the flow that they need.',
    advice: 'Add ALLOW_USER_AUTH to the ExplicitAuthFlows of the app client, or set IDP_ALLOW_PASSKEYS to false.',
    applies: (settings, { passkeys }) => passkeys && !isFlowAllowed(settings, 'USER_AUTH'),
  },
  {
    id: 'passkeys_off',
    severity: 'fault',
    finding: 'Passkeys are turned on here, but the pool does not accept them as a first factor.',
    advice:
      'Add WEB_AUTHN to AllowedFirstAuthFactors of the sign-in policy of the pool, or set IDP_ALLOW_PASSKEYS to false.',
    applies: (settings, { passkeys }) =>
      passkeys && isFlowAllowed(settings, 'USER_AUTH') && !isFirstFactorAllowed(settings, 'WEB_AUTHN'),
  },
  {
    id: 'relying_party_differs',
    severity: 'fault',
    finding: 'The relying party of the pool differs from IDP_RP_ID, so browsers refuse its passkeys.',
    advice: 'Set RelyingPartyId in the WebAuthnConfiguration of the pool and IDP_RP_ID to the same domain.',
    applies: (settings, { passkeys, relyingPartyId }) =>
      passkeys &&
      settings.mfa !== undefined &&
      settings.userPool !== undefined &&
      findRelyingParty(settings) !== relyingPartyId,
  },
  {
    id: 'passkeys_do_not_spare_mfa',
    severity: 'fault',
    finding:
      'The pool requires a second factor and counts a passkey as only one, so no login can start with a passkey.',
    advice: 'Set FactorConfiguration in the WebAuthnConfiguration of the pool to MULTI_FACTOR_WITH_USER_VERIFICATION.',
    applies: ({ mfa }, { passkeys }) =>
      passkeys &&
      mfa?.MfaConfiguration === 'ON' &&
      mfa.WebAuthnConfiguration?.FactorConfiguration !== 'MULTI_FACTOR_WITH_USER_VERIFICATION',
  },
  {
    id: 'passkeys_only_without_mfa',
    severity: 'advice',
    finding:
      'The pool counts a passkey as only one factor, so users with a second factor cannot start a login with one.',
    advice: 'Set FactorConfiguration in the WebAuthnConfiguration of the pool to MULTI_FACTOR_WITH_USER_VERIFICATION.',
    applies: ({ mfa }, { passkeys }) =>
      passkeys &&
      mfa?.MfaConfiguration === 'OPTIONAL' &&
      mfa.WebAuthnConfiguration?.FactorConfiguration !== 'MULTI_FACTOR_WITH_USER_VERIFICATION',
  },
  {
    id: 'issuer_differs',
    severity: 'fault',
    finding: "The pool's tokens have its newer issuer, but this service expects the older one and refuses every token.",
    advice: 'Set IDP_ISSUER to https://issuer-cognito-idp.<region>.amazonaws.com/<user pool id>.',
    applies: ({ userPool }, { issuer }) =>
      userPool?.IssuerConfiguration?.Type === 'UPDATED' && !issuer.includes('//issuer-cognito-idp.'),
  },
  {
    id: 'sign_up_closed',
    severity: 'advice',
    finding: 'Only administrators can create users in this pool. Users cannot sign up.',
    advice: 'If this is not intended, set AllowAdminCreateUserOnly of the pool to false.',
    applies: ({ userPool }) => userPool?.AdminCreateUserConfig?.AllowAdminCreateUserOnly === true,
  },
];

/** A pool without either kind of names accepts any text, including an address. */
function refusesEmailNames({ UsernameAttributes = [], AliasAttributes = [] }: UserPoolSettings): boolean {
  if (UsernameAttributes.length > 0) return !UsernameAttributes.includes('email');
  return AliasAttributes.includes('email');
}

/** The recovery contact that conflicts with each message factor. */
const RECOVERY_OF: Readonly<Record<string, string>> = { EMAIL_OTP: 'verified_email', SMS_MFA: 'verified_phone_number' };

function findFirstRecovery(userPool: UserPoolSettings): string {
  const mechanisms = userPool.AccountRecoverySetting?.RecoveryMechanisms ?? [];
  const [first] = mechanisms.toSorted((one, other) => (one.Priority ?? 0) - (other.Priority ?? 0));
  // A pool without a setting recovers by phone if the user has a number.
  return first?.Name ?? 'verified_phone_number';
}

function rotatesRefreshTokens({ userPoolClient }: CognitoSettings): boolean {
  return userPoolClient === undefined || userPoolClient.RefreshTokenRotation?.Feature === 'ENABLED';
}

const CHECK_CONNECTION = 'Check IDP_ENDPOINT and IDP_REGION, and that this machine can connect to them.';

/** Advice for failures that do not concern credentials. */
const UNREAD_ADVICE: Readonly<Partial<Record<FailureKind, string>>> = {
  unsent: CHECK_CONNECTION,
  lost: CHECK_CONNECTION,
  slow: `${CHECK_CONNECTION} A proxy in between may hold the request.`,
  broken: 'The endpoint returned a server error. Try again later.',
  throttled: 'The endpoint is throttling requests. Try again later.',
  nonsense: 'Check that IDP_ENDPOINT is the user pools API.',
  limited: 'This start sent too many requests at once. Try again later.',
  open: 'Fix the other failures first. They prevented this request.',
};

/** Compares a pool's settings with the service's configuration. It lists faults first, and what could not be checked. */
export function checkSettings(settings: CognitoSettings, expected: ExpectedPoolSettings): readonly SettingsFinding[] {
  const found = CHECKS.filter(({ applies }) => applies(settings, expected)).map(
    ({ id, severity, finding, advice }) => ({
      id,
      severity,
      finding,
      advice,
    }),
  );
  const unread = settings.unread.map(({ operation, kind, why }) => ({
    id: 'unread',
    severity: 'advice' as const,
    finding: `${operation} failed (${why}), so its settings were not checked.`,
    advice: UNREAD_ADVICE[kind] ?? `Provide AWS credentials that allow cognito-idp:${operation} on the pool.`,
  }));
  return [
    ...found.filter(({ severity }) => severity === 'fault'),
    ...found.filter(({ severity }) => severity === 'advice'),
    ...unread,
  ];
}
