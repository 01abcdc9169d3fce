import type { ResolvedOptions } from '../options/cognito-options.ts';
import type { CallOperation } from '../upstream/caller.ts';
import { SETTINGS_COMMANDS } from '../upstream/commands.ts';
import { type FailureKind, UpstreamFailure } from '../upstream/upstream-failure.ts';

/** The relevant parts of `DescribeUserPool`'s `UserPool`. */
export interface UserPoolSettings {
  readonly UserPoolTier?: string;
  readonly MfaConfiguration?: string;
  readonly UsernameAttributes?: readonly string[];
  readonly AliasAttributes?: readonly string[];
  readonly UsernameConfiguration?: { readonly CaseSensitive?: boolean };
  readonly AutoVerifiedAttributes?: readonly string[];
  readonly UserAttributeUpdateSettings?: { readonly AttributesRequireVerificationBeforeUpdate?: readonly string[] };
  readonly Domain?: string;
  readonly CustomDomain?: string;
  readonly Policies?: {
    readonly SignInPolicy?: { readonly AllowedFirstAuthFactors?: readonly string[] };
    readonly PasswordPolicy?: {
      readonly MinimumLength?: number;
      readonly RequireUppercase?: boolean;
      readonly RequireLowercase?: boolean;
      readonly RequireNumbers?: boolean;
      readonly RequireSymbols?: boolean;
    };
  };
  readonly DeviceConfiguration?: {
    readonly ChallengeRequiredOnNewDevice?: boolean;
    readonly DeviceOnlyRememberedOnUserPrompt?: boolean;
  };
  readonly AccountRecoverySetting?: {
    readonly RecoveryMechanisms?: readonly { readonly Name?: string; readonly Priority?: number }[];
  };
  readonly AdminCreateUserConfig?: { readonly AllowAdminCreateUserOnly?: boolean };
  readonly IssuerConfiguration?: { readonly Type?: string };
  readonly LambdaConfig?: { readonly DefineAuthChallenge?: string; readonly PreSignUp?: string };
}

/** The relevant parts of `DescribeUserPoolClient`'s `UserPoolClient`, including whether it has a secret. */
export interface UserPoolClientSettings {
  readonly hasSecret: boolean;
  readonly ExplicitAuthFlows?: readonly string[];
  readonly PreventUserExistenceErrors?: string;
  readonly EnableTokenRevocation?: boolean;
  readonly RefreshTokenRotation?: { readonly Feature?: string; readonly RetryGracePeriodSeconds?: number };
}

/** The relevant parts of the `GetUserPoolMfaConfig` response. */
export interface MfaSettings {
  readonly MfaConfiguration?: string;
  readonly SmsMfaConfiguration?: object;
  readonly EmailMfaConfiguration?: object;
  readonly SoftwareTokenMfaConfiguration?: { readonly Enabled?: boolean };
  readonly WebAuthnConfiguration?: {
    readonly RelyingPartyId?: string;
    readonly UserVerification?: string;
    readonly FactorConfiguration?: string;
  };
}

/** The name of an operation that returns settings. */
export type SettingsOperation = keyof typeof SETTINGS_COMMANDS;

/** The settings of a pool and its app client, as far as they could be read. */
export interface CognitoSettings {
  readonly region: string;
  readonly userPool?: UserPoolSettings;
  readonly userPoolClient?: UserPoolClientSettings;
  readonly mfa?: MfaSettings;
  readonly unread: readonly UnreadSettings[];
}

/** Settings that could not be read. */
export interface UnreadSettings {
  readonly operation: SettingsOperation;
  readonly kind: FailureKind;
  /** The kind, and AWS's error name if there is one. */
  readonly why: string;
}

/** Reads everything that AWS permits. Rejects only for defects. */
export async function readSettings(
  { region, userPoolId, clientId }: ResolvedOptions,
  call: CallOperation,
): Promise<CognitoSettings> {
  const pool = { UserPoolId: userPoolId };
  const [described, client, mfa] = await Promise.all([
    tryReadSettings(call, 'DescribeUserPool', pool),
    tryReadSettings(call, 'DescribeUserPoolClient', { ...pool, ClientId: clientId }),
    tryReadSettings(call, 'GetUserPoolMfaConfig', pool),
  ]);
  return {
    region,
    ...(described.answer && { userPool: (described.answer.UserPool ?? {}) as UserPoolSettings }),
    ...(client.answer && { userPoolClient: omitSecret(client.answer.UserPoolClient ?? {}) }),
    ...(mfa.answer && { mfa: mfa.answer as MfaSettings }),
    unread: [described, client, mfa].flatMap(({ unread }) => unread ?? []),
  };
}

interface SettingsReadResult {
  readonly answer?: Readonly<Record<string, unknown>>;
  readonly unread?: UnreadSettings;
}

async function tryReadSettings(
  call: CallOperation,
  operation: SettingsOperation,
  request: Readonly<Record<string, string>>,
): Promise<SettingsReadResult> {
  try {
    return { answer: await call(operation, SETTINGS_COMMANDS[operation], request) };
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error;
    return { unread: { operation, kind: error.kind, why: error.message } };
  }
}

function omitSecret(client: object): UserPoolClientSettings {
  const { ClientSecret, ...rest } = client as { readonly ClientSecret?: string };
  return { ...rest, hasSecret: ClientSecret !== undefined };
}
