import type { ROUTES, Static } from '@poolgate/contract';
import type { CallContext, IdentityProvider, Output } from '@poolgate/provider';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { formatIsoTime } from '../kernel/times.ts';
import { presentClientExtensions } from './client-extensions.ts';
import { readClientLifetimes } from './client-settings.ts';

/** An app client in routes and commands. */
export type ClientBody = Static<(typeof ROUTES)['adminClientGet']['responses'][200]['schema']>['client'];

type ClientDescription = Output<'DescribeUserPoolClient'>['UserPoolClient'];
type SecretDescription = NonNullable<Output<'ListUserPoolClientSecrets'>['ClientSecrets']>[number];

/**
 * Presents an app client with the ids of its secrets, but without their values.
 * @throws {GatewayError} provider_error if the provider returns none
 */
export async function presentClient(
  provider: IdentityProvider,
  client: ClientDescription,
  call: CallContext,
): Promise<ClientBody> {
  if (client?.ClientId === undefined || client.UserPoolId === undefined) throw new GatewayError('provider_error');
  const { UserPoolId, ClientId } = client;
  // A public client has none, and Amazon Cognito refuses to list them.
  const { ClientSecrets = [] } =
    client.ClientSecret === undefined
      ? {}
      : await provider.operations.listUserPoolClientSecrets({ UserPoolId, ClientId }, call);
  return {
    client_id: ClientId,
    client_name: client.ClientName ?? '',
    secrets: ClientSecrets.map(presentSecret),
    ...readOAuthSettings(client),
    auth_flows: client.ExplicitAuthFlows ?? [],
    refresh_token_rotation: readRotation(client),
    ...readClientLifetimes(client),
    prevent_user_existence_errors: client.PreventUserExistenceErrors === 'ENABLED',
    extensions: await presentClientExtensions(provider, { UserPoolId, ClientId }, call),
    created_at: formatIsoTime(client.CreationDate) ?? null,
    updated_at: formatIsoTime(client.LastModifiedDate) ?? null,
  };
}

/** A secret without its value. */
export function presentSecret({ ClientSecretId = '', ClientSecretCreateDate }: SecretDescription) {
  return { secret_id: ClientSecretId, created_at: formatIsoTime(ClientSecretCreateDate) ?? null };
}

function readOAuthSettings(client: NonNullable<ClientDescription>) {
  return {
    callback_urls: client.CallbackURLs ?? [],
    logout_urls: client.LogoutURLs ?? [],
    default_redirect_uri: client.DefaultRedirectURI ?? null,
    oauth_flows: client.AllowedOAuthFlowsUserPoolClient === true ? (client.AllowedOAuthFlows ?? []) : [],
    scopes: client.AllowedOAuthScopes ?? [],
    identity_providers: client.SupportedIdentityProviders ?? [],
  };
}

function readRotation({ RefreshTokenRotation: rotation }: NonNullable<ClientDescription>) {
  return { enabled: rotation?.Feature === 'ENABLED', grace_seconds: rotation?.RetryGracePeriodSeconds ?? 0 };
}
