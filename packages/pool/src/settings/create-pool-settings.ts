import { type Input, ProviderError } from '@poolgate/provider';
import type {
  DeviceTracking,
  FirstFactor,
  MfaMethod,
  PasswordPolicy,
  PoolSettings,
  RecoveryMechanism,
  StoredOnlyPoolSettings,
} from '../store/pool-and-client-settings.ts';
import { formatAwsIssuer, formatUpdatedAwsIssuer } from './default-settings.ts';
import { parsePoolSchema } from './pool-schema.ts';
import { checkPoolSettingsInput, type PoolSettingsInput } from './pool-settings-input.ts';
import { type AcceptedUnsupportedSettings, checkUnsupportedSettings } from './unsupported-settings.ts';

const TEMPORARY_PASSWORD_DAYS = 7;

/** Cognito accepts a common password, and the temporary one as the new one. */
const COGNITO_NEW_PASSWORDS = { refuseCommon: false, refuseTemporaryAgain: false } as const;

/** Cognito's default for API requests: phone first, then email. */
const LEGACY_RECOVERY: readonly RecoveryMechanism[] = ['verified_phone_number', 'verified_email'];

/**
 * Creates the settings of a new pool. Omitted members get the API's defaults, which are stricter about names and more permissive about
 * factors than those of the service's own pool.
 * @throws {ProviderError} a value that no pool, or not this one, can have
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_CreateUserPool.html
 */
export function createPoolSettings(
  input: Input<'CreateUserPool'>,
  region: string,
  id: string,
  accepted: AcceptedUnsupportedSettings = 'none',
): PoolSettings {
  const { AliasAttributes = [], UsernameAttributes = [], UsernameConfiguration, Schema, ...members } = input;
  if (AliasAttributes.length > 0 && UsernameAttributes.length > 0) {
    throw invalidParameterError('Only one of AliasAttributes or UsernameAttributes can be set in a user pool.');
  }
  checkCodesBesideMfa(input);
  const lasting = {
    usernameAttributes: UsernameAttributes,
    aliasAttributes: AliasAttributes,
    usernamesAreCaseSensitive: UsernameConfiguration?.CaseSensitive ?? true,
    ...parsePoolSchema(Schema),
    webAuthn: null,
    verifierPasswords: false,
    notMeUrl: null,
    mfaMethods: [],
    newPasswords: COGNITO_NEW_PASSWORDS,
    recentLoginOnCognitoApi: true,
    issuer: formatAwsIssuer(region, id),
    kept: UsernameConfiguration === undefined ? {} : { UsernameConfiguration },
  } as const;
  return updatePoolSettings(lasting, members, region, id, accepted);
}

/**
 * An existing pool that changes to this simply stops offering the codes. Nothing is lost, and its description can be sent back unchanged.
 */
function checkCodesBesideMfa({ MfaConfiguration, Policies }: Input<'CreateUserPool'>): void {
  const factors = Policies?.SignInPolicy?.AllowedFirstAuthFactors ?? [];
  if (MfaConfiguration !== 'ON' || !factors.some((factor) => /_OTP$/.test(factor))) return;
  throw invalidParameterError('One-time passwords cannot be first factors where MFA is required.');
}

/** Settings that `UpdateUserPool` leaves unchanged. */
type UnchangeableSettings = Pick<
  PoolSettings,
  | 'usernameAttributes'
  | 'aliasAttributes'
  | 'usernamesAreCaseSensitive'
  | 'customAttributes'
  | 'standardAttributes'
  | 'requiredAttributes'
  | 'webAuthn'
  | 'verifierPasswords'
  | 'notMeUrl'
  | 'confirmUrl'
  | 'mfaMethods'
  | 'issuer'
  | 'messages'
  | 'tags'
  | 'sessions'
  | 'kept'
  | 'factorCensuses'
  | 'recentLoginOnCognitoApi'
> &
  Partial<
    Pick<PoolSettings, 'deletionProtection' | 'firstFactors' | 'mfaConfiguration' | 'newPasswords' | 'passwordPolicy'>
  >;

/**
 * Applies a request to a pool's settings. As in Cognito, omitted members return to their defaults. Names, schema, enrolled kinds of
 * factors, passkeys, tags and the issuer stay unless the request contains them. So do protective settings: required MFA, the policies (both
 * measured at AWS: cdkd issue 1968 and pull request 1982), and the deletion protection.
 * @throws {ProviderError} a value that no pool, or not this one, can have
 */
export function updatePoolSettings(
  before: UnchangeableSettings,
  members: PoolSettingsInput,
  region: string,
  id: string,
  accepted: AcceptedUnsupportedSettings = 'none',
): PoolSettings {
  checkUnsupportedSettings(members, accepted);
  checkPoolSettingsInput(members);
  const {
    MfaConfiguration = before.mfaConfiguration ?? 'OFF',
    AdminCreateUserConfig,
    UserAttributeUpdateSettings,
  } = members;
  const mfaMethods = parseMfaMethods(before, members);
  if (MfaConfiguration !== 'OFF' && mfaMethods.length === 0) {
    throw invalidParameterError(
      'SMS configuration and Auto verification for phone_number are required when MFA is required/optional',
    );
  }
  return {
    ...before,
    autoVerifiedAttributes: members.AutoVerifiedAttributes ?? [],
    onlyAdminsCreateUsers: AdminCreateUserConfig?.AllowAdminCreateUserOnly ?? false,
    passwordPolicy: parsePasswordPolicy(before, members),
    mfaConfiguration: MfaConfiguration,
    mfaMethods,
    deviceTracking: parseDeviceTracking(members),
    firstFactors: parseFirstFactors(before, members),
    recovery: parseRecoveryMechanisms(members),
    requireVerificationBeforeUpdate: UserAttributeUpdateSettings?.AttributesRequireVerificationBeforeUpdate ?? [],
    deletionProtection: parseDeletionProtection(before, members),
    tags: members.UserPoolTags ?? before.tags ?? {},
    issuer: parseIssuer(before, members, region, id),
    kept: pickStoredOnlyPoolSettings(before, members),
  };
}

function parseMfaMethods(
  { mfaMethods }: UnchangeableSettings,
  { MfaConfiguration, SmsConfiguration }: PoolSettingsInput,
): readonly MfaMethod[] {
  const addsSms = (MfaConfiguration ?? 'OFF') !== 'OFF' && SmsConfiguration !== undefined;
  return addsSms && !mfaMethods.includes('SMS_MFA') ? [...mfaMethods, 'SMS_MFA'] : mfaMethods;
}

/** A policy in a request is complete: what it omits is not required. A new pool without one requires everything. */
function parsePasswordPolicy(
  { passwordPolicy: before }: UnchangeableSettings,
  { Policies, AdminCreateUserConfig }: PoolSettingsInput,
): PasswordPolicy {
  const policy = Policies?.PasswordPolicy;
  if (policy === undefined && before !== undefined) {
    const days = AdminCreateUserConfig?.UnusedAccountValidityDays ?? before.temporaryPasswordValidityDays;
    return { ...before, temporaryPasswordValidityDays: days };
  }
  const isAsked = (asked: boolean | undefined) => asked ?? policy === undefined;
  return {
    minimumLength: policy?.MinimumLength ?? 8,
    requireUppercase: isAsked(policy?.RequireUppercase),
    requireLowercase: isAsked(policy?.RequireLowercase),
    requireNumbers: isAsked(policy?.RequireNumbers),
    requireSymbols: isAsked(policy?.RequireSymbols),
    temporaryPasswordValidityDays:
      policy?.TemporaryPasswordValidityDays ??
      AdminCreateUserConfig?.UnusedAccountValidityDays ??
      TEMPORARY_PASSWORD_DAYS,
    ...(policy?.PasswordHistorySize && { historySize: policy.PasswordHistorySize }),
  };
}

function parseFirstFactors(
  { firstFactors = ['PASSWORD'] }: UnchangeableSettings,
  { Policies }: PoolSettingsInput,
): readonly FirstFactor[] {
  return (Policies?.SignInPolicy?.AllowedFirstAuthFactors as readonly FirstFactor[] | undefined) ?? firstFactors;
}

function parseDeletionProtection(
  { deletionProtection = false }: UnchangeableSettings,
  { DeletionProtection }: PoolSettingsInput,
): boolean {
  return DeletionProtection === undefined ? deletionProtection : DeletionProtection === 'ACTIVE';
}

function parseDeviceTracking({ DeviceConfiguration: given }: PoolSettingsInput): DeviceTracking | null {
  return given === undefined
    ? null
    : {
        challengeRequiredOnNewDevice: given.ChallengeRequiredOnNewDevice ?? false,
        onlyRememberedOnUserPrompt: given.DeviceOnlyRememberedOnUserPrompt ?? false,
      };
}

function parseRecoveryMechanisms({ AccountRecoverySetting }: PoolSettingsInput): readonly RecoveryMechanism[] {
  const mechanisms = AccountRecoverySetting?.RecoveryMechanisms;
  if (mechanisms === undefined) return LEGACY_RECOVERY;
  return mechanisms.toSorted((one, other) => one.Priority - other.Priority).map(({ Name }) => Name);
}

/** Token verifiers check the issuer, so it changes only if a request says so. */
function parseIssuer(
  before: UnchangeableSettings,
  { IssuerConfiguration }: PoolSettingsInput,
  region: string,
  id: string,
): string {
  const type = IssuerConfiguration?.Type;
  if (type === undefined) return before.issuer;
  return type === 'UPDATED' ? formatUpdatedAwsIssuer(region, id) : formatAwsIssuer(region, id);
}

/** Of the stored-only members, `UpdateUserPool` contains these; the others stay. */
const STORED_ONLY = [
  'AcrConfiguration',
  'AdminCreateUserConfig',
  'EmailConfiguration',
  'EmailVerificationMessage',
  'EmailVerificationSubject',
  'KeyConfiguration',
  'LambdaConfig',
  'SmsAuthenticationMessage',
  'SmsConfiguration',
  'SmsVerificationMessage',
  'UserPoolAddOns',
  'UserPoolTier',
  'VerificationMessageTemplate',
] as const satisfies readonly (keyof StoredOnlyPoolSettings & keyof PoolSettingsInput)[];

function pickStoredOnlyPoolSettings(
  { kept = {} }: UnchangeableSettings,
  members: PoolSettingsInput,
): StoredOnlyPoolSettings {
  const { UsernameConfiguration, EmailMfaConfiguration, UserPoolTier } = kept;
  // If omitted, it stays unchanged.
  const DcrConfiguration = members.DcrConfiguration ?? kept.DcrConfiguration;
  const given = STORED_ONLY.filter((name) => members[name] !== undefined).map((name) => [name, members[name]]);
  return {
    ...(UsernameConfiguration && { UsernameConfiguration }),
    ...(EmailMfaConfiguration && { EmailMfaConfiguration }),
    ...(UserPoolTier && { UserPoolTier }),
    ...(DcrConfiguration && { DcrConfiguration }),
    ...Object.fromEntries(given),
  };
}

function invalidParameterError(message: string): ProviderError {
  return new ProviderError('InvalidParameterException', message);
}
