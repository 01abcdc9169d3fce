import type { Output } from '@poolgate/provider';
import type { PoolSettings } from '../settings.ts';
import type { PoolRecord } from '../store/records.ts';
import { arnPrefix } from './arns.ts';
import { awsIssuer, awsUpdatedIssuer } from './default-settings.ts';
import { schemaView } from './pool-schema.ts';

type PoolView = NonNullable<Output<'DescribeUserPool'>['UserPool']>;

/** The ARN of a pool in an AWS account: what tags are put on. */
export function poolArn({ id, region }: Pick<PoolRecord, 'id' | 'region'>, account: string): string {
  return `${arnPrefix(region, account)}:userpool/${id}`;
}

/** A pool as a list shows it. */
export function poolSummary({ id, name, settings, createdAtMs, modifiedAtMs }: PoolRecord) {
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
export function poolView(pool: PoolRecord, users: number, account: string): PoolView {
  const { settings } = pool;
  const { UsernameConfiguration, EmailMfaConfiguration, ...kept } = settings.kept ?? {};
  return {
    ...poolSummary(pool),
    Arn: poolArn(pool, account),
    EstimatedNumberOfUsers: users,
    EmailConfiguration: { EmailSendingAccount: 'COGNITO_DEFAULT' },
    UserPoolTier: 'ESSENTIALS',
    VerificationMessageTemplate: { DefaultEmailOption: 'CONFIRM_WITH_CODE' },
    ...kept,
    SchemaAttributes: schemaView(settings),
    Policies: policiesView(settings),
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
    ...namesView(settings, UsernameConfiguration),
    ...deviceView(settings),
    ...issuerView(pool),
  };
}

function policiesView({ passwordPolicy: policy, firstFactors }: PoolSettings) {
  return {
    PasswordPolicy: {
      MinimumLength: policy.minimumLength,
      RequireUppercase: policy.requireUppercase,
      RequireLowercase: policy.requireLowercase,
      RequireNumbers: policy.requireNumbers,
      RequireSymbols: policy.requireSymbols,
      TemporaryPasswordValidityDays: policy.temporaryPasswordValidityDays,
    },
    SignInPolicy: { AllowedFirstAuthFactors: firstFactors },
  };
}

/** Cognito leaves out what is empty, and the case where nobody spoke of it. */
function namesView(
  settings: PoolSettings,
  usernameConfiguration: { readonly CaseSensitive: boolean } | undefined,
): Partial<PoolView> {
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

function deviceView({ deviceTracking: tracking }: PoolSettings): Partial<PoolView> {
  if (tracking === null) return {};
  return {
    DeviceConfiguration: {
      ChallengeRequiredOnNewDevice: tracking.challengeRequiredOnNewDevice,
      DeviceOnlyRememberedOnUserPrompt: tracking.onlyRememberedOnUserPrompt,
    },
  };
}

/** An issuer of the operator's own has no name in Cognito. */
function issuerView({ id, region, settings }: PoolRecord): Partial<PoolView> {
  if (settings.issuer === awsIssuer(region, id)) return { IssuerConfiguration: { Type: 'ORIGINAL' } };
  return settings.issuer === awsUpdatedIssuer(region, id) ? { IssuerConfiguration: { Type: 'UPDATED' } } : {};
}
