import type { CallContext, Output, ProviderOperations } from '@poolgate/provider';
import { CommandError } from '../../command-line/command.ts';
import type { AppliedStack } from '../apply/apply-plan.ts';
import type { ResourceIds } from '../resources/resource-type.ts';
import type { Stack } from '../templates/stack.ts';

/** The newest version of the schema that the Amplify libraries of 2025 also know. */
const VERSION = '1.4';

type UserPool = NonNullable<Output<'DescribeUserPool'>['UserPool']>;
type Client = NonNullable<Output<'DescribeUserPoolClient'>['UserPoolClient']>;

interface Result {
  readonly stack: Pick<Stack, 'declarations'>;
  readonly applied: Pick<AppliedStack, 'ids'>;
}

function listIds(results: readonly Result[], type: string): readonly ResourceIds[] {
  return results.flatMap(({ stack, applied }) =>
    stack.declarations
      .filter((declaration) => declaration.type.name === type)
      .flatMap(({ logicalId }) => applied.ids.get(logicalId) ?? []),
  );
}

const PROVIDERS: Readonly<Record<string, string>> = {
  Facebook: 'FACEBOOK',
  Google: 'GOOGLE',
  LoginWithAmazon: 'LOGIN_WITH_AMAZON',
  SignInWithApple: 'SIGN_IN_WITH_APPLE',
};

function toPasswordPolicy({ Policies }: UserPool): object {
  const policy = Policies?.PasswordPolicy ?? {};
  return {
    min_length: policy.MinimumLength ?? 8,
    require_lowercase: policy.RequireLowercase ?? false,
    require_numbers: policy.RequireNumbers ?? false,
    require_symbols: policy.RequireSymbols ?? false,
    require_uppercase: policy.RequireUppercase ?? false,
  };
}

function toOAuth({ Domain, CustomDomain }: UserPool, client: Client): object | undefined {
  const domain = CustomDomain ?? Domain;
  const { CallbackURLs = [], AllowedOAuthFlows = [] } = client;
  if (domain === undefined || CallbackURLs.length === 0) return undefined;
  return {
    domain,
    identity_providers: (client.SupportedIdentityProviders ?? []).flatMap((name) => PROVIDERS[name] ?? []),
    redirect_sign_in_uri: CallbackURLs,
    redirect_sign_out_uri: client.LogoutURLs ?? [],
    response_type: AllowedOAuthFlows.includes('code') ? 'code' : 'token',
    scopes: client.AllowedOAuthScopes ?? [],
  };
}

const MFA: Readonly<Record<string, string>> = { OFF: 'NONE', ON: 'REQUIRED', OPTIONAL: 'OPTIONAL' };

function toMfa(mfa: Output<'GetUserPoolMfaConfig'>): object {
  const methods = [
    ...(mfa.SmsMfaConfiguration ? ['SMS'] : []),
    ...(mfa.SoftwareTokenMfaConfiguration?.Enabled ? ['TOTP'] : []),
  ];
  return {
    mfa_configuration: MFA[mfa.MfaConfiguration ?? 'OFF'],
    ...(methods.length > 0 && { mfa_methods: methods }),
  };
}

function toPasswordless({ Policies }: UserPool, mfa: Output<'GetUserPoolMfaConfig'>): object | undefined {
  const factors: readonly string[] = Policies?.SignInPolicy?.AllowedFirstAuthFactors ?? [];
  if (!factors.some((factor) => factor !== 'PASSWORD')) return undefined;
  const passkeys = mfa.WebAuthnConfiguration;
  return {
    email_otp_enabled: factors.includes('EMAIL_OTP'),
    sms_otp_enabled: factors.includes('SMS_OTP'),
    ...(factors.includes('WEB_AUTHN') &&
      passkeys && {
        web_authn: { relying_party_id: passkeys.RelyingPartyId, user_verification: passkeys.UserVerification },
      }),
  };
}

/**
 * Creates an `amplify_outputs.json` for the first pool of some stacks and its first client without a secret, which browsers can use.
 * @throws {CommandError} there is no such pool or client
 */
export async function createAmplifyOutputs(
  results: readonly Result[],
  operations: ProviderOperations,
  call: CallContext,
): Promise<object> {
  const [pool] = listIds(results, 'UserPool');
  if (pool === undefined) throw new CommandError('the files have no user pool that Amplify could use');
  const UserPoolId = pool.poolId;
  const { UserPool = {} } = await operations.describeUserPool({ UserPoolId }, call);
  const mfa = await operations.getUserPoolMfaConfig({ UserPoolId }, call);
  const client = await findPublicClient(results, UserPoolId, operations, call);
  const oauth = toOAuth(UserPool, client);
  const passwordless = toPasswordless(UserPool, mfa);
  const required = (UserPool.SchemaAttributes ?? []).filter(
    (attribute) => attribute.Required && attribute.Name !== 'sub',
  );
  const groups = listIds(results, 'UserPoolGroup').filter(({ poolId }) => poolId === UserPoolId);
  return {
    version: VERSION,
    auth: {
      aws_region: UserPoolId.slice(0, UserPoolId.indexOf('_')),
      user_pool_id: UserPoolId,
      user_pool_client_id: client.ClientId,
      password_policy: toPasswordPolicy(UserPool),
      ...(oauth && { oauth }),
      standard_required_attributes: required.map(({ Name }) => Name),
      username_attributes: UserPool.UsernameAttributes ?? [],
      user_verification_types: UserPool.AutoVerifiedAttributes ?? [],
      unauthenticated_identities_enabled: false,
      ...toMfa(mfa),
      ...(passwordless && { passwordless }),
      ...(groups.length > 0 && {
        groups: groups.map(({ physicalId }, precedence) => ({ [physicalId]: { precedence } })),
      }),
    },
  };
}

async function findPublicClient(
  results: readonly Result[],
  UserPoolId: string,
  operations: ProviderOperations,
  call: CallContext,
): Promise<Client> {
  for (const { poolId, physicalId: ClientId } of listIds(results, 'UserPoolClient')) {
    if (poolId !== UserPoolId) continue;
    const { UserPoolClient } = await operations.describeUserPoolClient({ UserPoolId, ClientId }, call);
    if (UserPoolClient !== undefined && UserPoolClient.ClientSecret === undefined) return UserPoolClient;
  }
  throw new CommandError('the pool has no client without a secret, which Amplify needs');
}
