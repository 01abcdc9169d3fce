import type {
  ClientSettings,
  MfaConfiguration,
  NewPasswordRules,
  PoolSettings,
} from '../store/pool-and-client-settings.ts';

/** The password requirements of the service's own pool. */
export const STRICT_NEW_PASSWORDS: NewPasswordRules = { refuseCommon: true, refuseTemporaryAgain: true };

/** The default maximum number of a user's active logins, as in Cognito. */
export const DEFAULT_MAX_SESSIONS = 20;

/** The default settings of a pool: sign-in by email, ignoring case. */
export function createDefaultPoolSettings(issuer: string, mfaConfiguration: MfaConfiguration): PoolSettings {
  return {
    usernameAttributes: ['email'],
    aliasAttributes: [],
    usernamesAreCaseSensitive: false,
    autoVerifiedAttributes: ['email'],
    onlyAdminsCreateUsers: false,
    passwordPolicy: {
      minimumLength: 8,
      requireUppercase: true,
      requireLowercase: true,
      requireNumbers: true,
      requireSymbols: true,
      temporaryPasswordValidityDays: 7,
    },
    newPasswords: STRICT_NEW_PASSWORDS,
    mfaConfiguration,
    mfaMethods: ['SOFTWARE_TOKEN_MFA'],
    deviceTracking: { challengeRequiredOnNewDevice: true, onlyRememberedOnUserPrompt: true },
    firstFactors: ['PASSWORD', 'WEB_AUTHN', 'EMAIL_OTP'],
    webAuthn: null,
    recovery: ['verified_email'],
    customAttributes: {},
    requiredAttributes: ['email'],
    requireVerificationBeforeUpdate: ['email', 'phone_number'],
    verifierPasswords: true,
    notMeUrl: null,
    confirmUrl: null,
    issuer,
    sessions: { tracked: true, mostPerUser: DEFAULT_MAX_SESSIONS },
  };
}

/** The default settings of a client. Rotation has a grace period, because browsers refresh in many tabs at once. */
export const DEFAULT_CLIENT_SETTINGS: ClientSettings = {
  allowedFlows: ['USER_SRP_AUTH', 'USER_PASSWORD_AUTH', 'ADMIN_USER_PASSWORD_AUTH', 'USER_AUTH', 'REFRESH_TOKEN_AUTH'],
  preventUserExistenceErrors: true,
  accessTokenSeconds: 3_600,
  idTokenSeconds: 3_600,
  refreshTokenSeconds: 30 * 86_400,
  authSessionSeconds: 180,
  tokenRevocation: true,
  refreshRotation: { graceSeconds: 10 },
  readAttributes: null,
  writeAttributes: null,
};

/** AWS's issuer format, which verifiers of Cognito tokens expect. */
export function formatAwsIssuer(region: string, poolId: string): string {
  return `https://cognito-idp.${region}.amazonaws.com/${poolId}`;
}

/** AWS's newer issuer format (Cognito `IssuerConfiguration`). */
export function formatUpdatedAwsIssuer(region: string, poolId: string): string {
  return `https://issuer-cognito-idp.${region}.amazonaws.com/${poolId}`;
}
