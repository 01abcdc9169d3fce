import {
  type CallContext,
  hasDuplicateMembers,
  OAuthError,
  type OAuthServer,
  type OAuthTokens,
  parseScopes,
} from '@poolgate/provider';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { type AuthenticatedClient, authenticateClient } from './authenticated-client.ts';
import { exchangeDeviceCode } from './device-endpoints.ts';
import {
  createJsonResponse,
  type OAuthEndpoint,
  type OAuthRequest,
  readFormValue,
  requireForm,
  requireFormValue,
  requireOAuthServer,
} from './oauth-endpoint.ts';

type Grant = (
  server: OAuthServer,
  asking: AuthenticatedClient,
  request: OAuthRequest,
  call: CallContext,
  runtime: GatewayRuntime,
) => Promise<OAuthTokens>;

const GRANTS: Readonly<Record<string, Grant>> = {
  authorization_code: (server, asking, request, call) => {
    const RedirectUri = readFormValue(request, 'redirect_uri');
    const CodeVerifier = readFormValue(request, 'code_verifier');
    const optional = {
      ...(RedirectUri !== undefined && { RedirectUri }),
      ...(CodeVerifier !== undefined && { CodeVerifier }),
      ...readResource(request),
    };
    return server.exchangeCode({ ...asking, Code: requireFormValue(request, 'code'), ...optional }, call);
  },
  refresh_token: (server, asking, request, call) => {
    const Scopes = parseScopes(readFormValue(request, 'scope'));
    const RefreshToken = requireFormValue(request, 'refresh_token');
    return server.refresh({ ...asking, RefreshToken, Scopes, ...readResource(request) }, call);
  },
  'urn:ietf:params:oauth:grant-type:device_code': (server, asking, request, _call, runtime) =>
    exchangeDeviceCode(runtime, server, asking, request),
  client_credentials: (server, asking, request, call) => {
    const Scopes = parseScopes(readFormValue(request, 'scope'));
    const ClientMetadata = parseClientMetadata(readFormValue(request, 'aws_client_metadata'));
    const optional = { ...readResource(request), ...(ClientMetadata && { ClientMetadata }) };
    return server.clientCredentials({ ...asking, Scopes, ...optional }, call);
  },
};

/** Reads the resource for which the token is issued (RFC 8707). */
function readResource(request: OAuthRequest): { readonly Resource?: string } {
  const Resource = readFormValue(request, 'resource');
  return Resource === undefined ? {} : { Resource };
}

/** Reads the JSON metadata for the pre-token trigger. */
function parseClientMetadata(json: string | undefined): Readonly<Record<string, string>> | undefined {
  if (json === undefined) return undefined;
  const given = parseJsonOrUndefined(json);
  const isOfTexts = (value: object) => Object.values(value).every((one) => typeof one === 'string');
  if (typeof given === 'object' && given !== null && !Array.isArray(given) && isOfTexts(given)) {
    if (hasDuplicateMembers(json, given)) {
      throw new OAuthError('invalid_request', 'The aws_client_metadata must not contain duplicate members.');
    }
    return given as Readonly<Record<string, string>>;
  }
  throw new OAuthError('invalid_request', 'The aws_client_metadata must be a JSON object with string values.');
}

function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** POST /oauth2/token */
export const tokenEndpoint: OAuthEndpoint = async (runtime, request) => {
  const { call } = request;
  const server = await requireOAuthServer(runtime, call);
  requireForm(request);
  const type = requireFormValue(request, 'grant_type');
  const grant = Object.hasOwn(GRANTS, type) ? GRANTS[type] : undefined;
  if (grant === undefined) {
    throw new OAuthError('unsupported_grant_type', `The grant_type must be ${Object.keys(GRANTS).join(' or ')}.`);
  }
  // As steps of logins, over all replicas. By client only once it is proven who asks.
  const step = { address: call.sourceAddress, username: undefined, clientId: undefined };
  await runtime.sharedLimit.admit(step);
  const asking = await authenticateClient(runtime, server, request);
  const tokens = await grant(server, asking, request, call, runtime);
  return createJsonResponse(200, toTokenResponse(tokens, readFormValue(request, 'scope') !== undefined));
};

/** POST /oauth2/revoke (RFC 7009) */
export const revocationEndpoint: OAuthEndpoint = async (runtime, request) => {
  const { call } = request;
  const server = await requireOAuthServer(runtime, call);
  requireForm(request);
  const asking = await authenticateClient(runtime, server, request);
  await server.revoke({ ...asking, Token: requireFormValue(request, 'token') }, call);
  // Some clients refuse an answer that is not JSON.
  return createJsonResponse(200, {});
};

/** Formats tokens as JSON, without absent members. It includes the scope if the client named one, or if the granted scope differs (RFC 6749 §5.1). */
function toTokenResponse(tokens: OAuthTokens, namesScope: boolean): object {
  const { AccessToken, IdToken, RefreshToken, ExpiresIn, Scope, IsScopeChanged } = tokens;
  return {
    access_token: AccessToken,
    id_token: IdToken,
    refresh_token: RefreshToken,
    expires_in: ExpiresIn,
    token_type: 'Bearer',
    ...((namesScope || IsScopeChanged) && { scope: Scope }),
  };
}
