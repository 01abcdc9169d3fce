import type { Output } from '@poolgate/provider';
import type { PoolSettings } from '../store/pool-and-client-settings.ts';
import type { PoolRecord } from '../store/records.ts';
import { completeAcrConfiguration } from './acr-levels.ts';
import { formatArnPrefix } from './arns.ts';
import { formatAwsIssuer, formatUpdatedAwsIssuer } from './default-settings.ts';
import { toCognitoSchema } from './pool-schema.ts';

type CognitoUserPool = NonNullable<Output<'DescribeUserPool'>['UserPool']>;

/** The ARN of a pool in an AWS account, which tags refer to. */
export function formatPoolArn({ id, region }: Pick<PoolRecord, 'id' | 'region'>, account: string): string {
  return `${formatArnPrefix(region, account)}:userpool/${id}`;
}

/** A pool in a list. */
export function toCognitoUserPoolSummary({ id, name, settings, createdAtMs, modifiedAtMs }: PoolRecord) {
  return {
    Id: id,
    Name: name,
    LambdaConfig: settings.kept?.LambdaConfig ?? {},
    LastModifiedDate: modifiedAtMs / 1_000,
    CreationDate: createdAtMs / 1_000,
  };
}

/**
 * A pool in Cognito's shape.
 * @param account the AWS account in its ARN
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_UserPoolType.html
 */
export function toCognitoUserPool(pool: PoolRecord, users: number, account: string): CognitoUserPool {
  const { settings } = pool;
  const { UsernameConfiguration, EmailMfaConfiguration, ...kept } = settings.kept ?? {};
  return {
    ...toCognitoUserPoolSummary(pool),
    Arn: formatPoolArn(pool, account),
    EstimatedNumberOfUsers: users,
    EmailConfiguration: { EmailSendingAccount: 'COGNITO_DEFAULT' },
    UserPoolTier: 'ESSENTIALS',
    VerificationMessageTemplate: { DefaultEmailOption: 'CONFIRM_WITH_CODE' },
    ...kept,
    AcrConfiguration: completeAcrConfiguration(kept.AcrConfiguration ?? {}),
    SchemaAttributes: toCognitoSchema(settings),
    Policies: toCognitoPolicies(settings),
    DeletionProtection: settings.deletionProtection ? 'ACTIVE' : 'INACTIVE',
    MfaConfiguration: settings.mfaConfiguration,
    UserPoolTags: settings.tags ?? {},
    AdminCreateUserConfig: {
      ...kept.AdminCreateUserConfig,
      AllowAdminCreateUserOnly: settings.onlyAdminsCreateUsers,
      UnusedAccountValidityDays: settings.passwordPolicy.temporaryPasswordValidityDays,
    },
    AccountRecoverySetting: {
      RecoveryMechanisms: settings.recovery.map((Name, index) => ({ Priority: index + 1, Name })),
    },
    UserAttributeUpdateSettings: {
      AttributesRequireVerificationBeforeUpdate: settings.requireVerificationBeforeUpdate,
    },
    ...toCognitoUsernameSettings(settings, UsernameConfiguration),
    ...toCognitoDeviceConfiguration(settings),
    ...toCognitoIssuerConfiguration(pool),
  };
}

function toCognitoPolicies({ passwordPolicy: policy, firstFactors }: PoolSettings) {
  return {
    PasswordPolicy: {
      MinimumLength: policy.minimumLength,
      RequireUppercase: policy.requireUppercase,
      RequireLowercase: policy.requireLowercase,
      RequireNumbers: policy.requireNumbers,
      RequireSymbols: policy.requireSymbols,
      TemporaryPasswordValidityDays: policy.temporaryPasswordValidityDays,
      ...(policy.historySize !== undefined && { PasswordHistorySize: policy.historySize }),
    },
    SignInPolicy: { AllowedFirstAuthFactors: firstFactors },
  };
}

/** Cognito omits an empty value, and the case sensitivity if it was never set. */
function toCognitoUsernameSettings(
  settings: PoolSettings,
  usernameConfiguration: { readonly CaseSensitive: boolean } | undefined,
): Partial<CognitoUserPool> {
  const { usernameAttributes, aliasAttributes, autoVerifiedAttributes, usernamesAreCaseSensitive } = settings;
  return {
    ...(usernameAttributes.length > 0 && { UsernameAttributes: usernameAttributes }),
    ...(aliasAttributes.length > 0 && { AliasAttributes: aliasAttributes }),
    ...(autoVerifiedAttributes.length > 0 && { AutoVerifiedAttributes: autoVerifiedAttributes }),
    ...((usernameConfiguration !== undefined || !usernamesAreCaseSensitive) && {
      UsernameConfiguration: { CaseSensitive: usernamesAreCaseSensitive },
    }),
  };
}

function toCognitoDeviceConfiguration({ deviceTracking: tracking }: PoolSettings): Partial<CognitoUserPool> {
  if (tracking === null) return {};
  return {
    DeviceConfiguration: {
      ChallengeRequiredOnNewDevice: tracking.challengeRequiredOnNewDevice,
      DeviceOnlyRememberedOnUserPrompt: tracking.onlyRememberedOnUserPrompt,
    },
  };
}

/** Cognito has no name for an operator's own issuer. */
function toCognitoIssuerConfiguration({ id, region, settings }: PoolRecord): Partial<CognitoUserPool> {
  if (settings.issuer === formatAwsIssuer(region, id)) return { IssuerConfiguration: { Type: 'ORIGINAL' } };
  return settings.issuer === formatUpdatedAwsIssuer(region, id) ? { IssuerConfiguration: { Type: 'UPDATED' } } : {};
}
