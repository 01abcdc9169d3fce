import { type CognitoReply, createErrorReply, createSuccessReply, type ReceivedRequest } from './cognito-server.ts';

/** The responses of a pool with everything that the service supports. */
export const FULL_POOL = {
  DescribeUserPool: {
    UserPool: {
      Id: 'us-east-1_TestPool1',
      UserPoolTier: 'ESSENTIALS',
      MfaConfiguration: 'OPTIONAL',
      UsernameAttributes: ['email'],
      UsernameConfiguration: { CaseSensitive: false },
      AutoVerifiedAttributes: ['email'],
      Policies: { SignInPolicy: { AllowedFirstAuthFactors: ['PASSWORD', 'WEB_AUTHN', 'EMAIL_OTP'] } },
      DeviceConfiguration: { ChallengeRequiredOnNewDevice: true, DeviceOnlyRememberedOnUserPrompt: true },
      AccountRecoverySetting: { RecoveryMechanisms: [{ Name: 'verified_email', Priority: 1 }] },
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: false },
    },
  },
  DescribeUserPoolClient: {
    UserPoolClient: {
      ClientId: '1example23456789',
      ClientSecret: 'the-secret-of-the-client',
      ExplicitAuthFlows: ['ALLOW_USER_SRP_AUTH', 'ALLOW_USER_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'],
      PreventUserExistenceErrors: 'ENABLED',
      EnableTokenRevocation: true,
      RefreshTokenRotation: { Feature: 'ENABLED', RetryGracePeriodSeconds: 10 },
    },
  },
  GetUserPoolMfaConfig: {
    MfaConfiguration: 'OPTIONAL',
    SoftwareTokenMfaConfiguration: { Enabled: true },
    WebAuthnConfiguration: {
      RelyingPartyId: 'example.com',
      UserVerification: 'preferred',
      FactorConfiguration: 'MULTI_FACTOR_WITH_USER_VERIFICATION',
    },
  },
} as const;

/** Responds as a pool whose settings may be read. */
export function replyAsFullPool({ operation }: ReceivedRequest): CognitoReply {
  return createSuccessReply(FULL_POOL[operation as keyof typeof FULL_POOL] ?? {});
}

/** Responds as a pool whose settings may not be read. */
export function replyAsClosedPool({ operation }: ReceivedRequest): CognitoReply {
  return operation in FULL_POOL
    ? createErrorReply('AccessDeniedException', 'User: arn:aws:iam::1:user/x may not')
    : createSuccessReply({});
}
