import type { ClientRecord } from '../store/records.ts';

/** A grant of the OAuth endpoints (Cognito `AllowedOAuthFlows`). */
export type OAuthFlow = 'code' | 'implicit' | 'client_credentials';

/** What an app client may do at the OAuth endpoints. */
export interface ClientGrants {
  /** Empty if the client may not use the endpoints at all (Cognito `AllowedOAuthFlowsUserPoolClient`). */
  readonly flows: readonly OAuthFlow[];
  readonly scopes: readonly string[];
  /** Whether machines can get its tokens from the API (`ALLOW_CLIENT_TOKEN_AUTH`). */
  readonly issuesClientTokens: boolean;
  readonly callbackUrls: readonly string[];
  readonly logoutUrls: readonly string[];
  readonly defaultRedirectUri: string | undefined;
  /** Whether the pool's own users may log in (`COGNITO` in `SupportedIdentityProviders`). */
  readonly admitsLocalUsers: boolean;
  /** The maximum age of a login that this client may reuse (Cognito `SSOSession`). */
  readonly ssoSeconds: number;
  /** Whether devices may request a sign-in (RFC 8628). */
  readonly allowsDevices: boolean;
  /** Whether its requests must be pushed (RFC 9126). */
  readonly requiresPushedRequests: boolean;
}

/** The default time in minutes for which a managed login session can be reused, as in Cognito. */
export const DEFAULT_SSO_MINUTES = 60;

/** Reads what a client's settings allow at the OAuth endpoints. */
export function readClientGrants({ settings }: Pick<ClientRecord, 'settings'>): ClientGrants {
  const { kept = {}, ssoMinutes = DEFAULT_SSO_MINUTES, extensions = {} } = settings;
  return {
    flows: kept.AllowedOAuthFlowsUserPoolClient === true ? (kept.AllowedOAuthFlows ?? []) : [],
    scopes: kept.AllowedOAuthScopes ?? [],
    issuesClientTokens: kept.ExplicitAuthFlows?.includes('ALLOW_CLIENT_TOKEN_AUTH') ?? false,
    callbackUrls: kept.CallbackURLs ?? [],
    logoutUrls: kept.LogoutURLs ?? [],
    defaultRedirectUri: kept.DefaultRedirectURI,
    admitsLocalUsers: kept.SupportedIdentityProviders?.includes('COGNITO') ?? false,
    ssoSeconds: ssoMinutes * 60,
    allowsDevices: extensions.deviceGrant ?? false,
    requiresPushedRequests: extensions.requirePushedRequests ?? false,
  };
}

/** Whether a client authenticates at the OAuth endpoints with a key. */
export function hasClientKeys({ settings: { extensions = {} } }: Pick<ClientRecord, 'settings'>): boolean {
  return extensions.jwks !== undefined || extensions.jwksUri !== undefined;
}

/** Whether a client can authenticate, with a secret or a key (RFC 6749 §2.1). */
export function isConfidentialClient(client: Pick<ClientRecord, 'settings' | 'secretsEncrypted'>): boolean {
  return client.secretsEncrypted.length > 0 || hasClientKeys(client);
}
