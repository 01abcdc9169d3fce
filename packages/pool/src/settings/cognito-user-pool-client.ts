import type { Output } from '@poolgate/provider';
import type { AllowedFlow, ClientSettings, StoredOnlyClientSettings } from '../store/pool-and-client-settings.ts';
import type { ClientRecord } from '../store/records.ts';

type CognitoClient = NonNullable<Output<'DescribeUserPoolClient'>['UserPoolClient']>;

/** Members that a description always contains. */
const ALWAYS_PRESENT = {
  TokenValidityUnits: {},
  AllowedOAuthFlowsUserPoolClient: false,
  EnablePropagateAdditionalUserContextData: false,
} as const satisfies Partial<CognitoClient>;

/**
 * An app client in Cognito's shape.
 * @param secret the secret to show; undefined for none
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_UserPoolClientType.html
 */
export function toCognitoClient(client: ClientRecord, secret: string | undefined): CognitoClient {
  const { settings } = client;
  const rotation = settings.refreshRotation;
  return {
    ...ALWAYS_PRESENT,
    ...(settings.kept ?? toSettingsInput(settings)),
    UserPoolId: client.poolId,
    ClientName: client.name,
    ClientId: client.id,
    ClientType: 'REGULAR',
    ...(secret !== undefined && { ClientSecret: secret }),
    LastModifiedDate: client.modifiedAtMs / 1_000,
    CreationDate: client.createdAtMs / 1_000,
    PreventUserExistenceErrors: settings.preventUserExistenceErrors ? 'ENABLED' : 'LEGACY',
    EnableTokenRevocation: settings.tokenRevocation,
    AuthSessionValidity: Math.ceil(settings.authSessionSeconds / 60),
    ...(rotation !== null && {
      RefreshTokenRotation: { Feature: 'ENABLED', RetryGracePeriodSeconds: rotation.graceSeconds },
    }),
  };
}

/** The request that would have created a client that the service created itself. */
function toSettingsInput(settings: ClientSettings): StoredOnlyClientSettings {
  const { readAttributes, writeAttributes } = settings;
  return {
    ExplicitAuthFlows: settings.allowedFlows.map((flow: AllowedFlow) => `ALLOW_${flow}` as const),
    AccessTokenValidity: settings.accessTokenSeconds,
    IdTokenValidity: settings.idTokenSeconds,
    RefreshTokenValidity: settings.refreshTokenSeconds,
    TokenValidityUnits: { AccessToken: 'seconds', IdToken: 'seconds', RefreshToken: 'seconds' },
    ...(readAttributes !== null && { ReadAttributes: readAttributes }),
    ...(writeAttributes !== null && { WriteAttributes: writeAttributes }),
  };
}
