import { OAuthError, type OAuthServer } from '@poolgate/provider';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { authenticateClient } from './authenticated-client.ts';
import {
  createJsonResponse,
  type OAuthEndpoint,
  type OAuthRequest,
  requireForm,
  requireOAuthServer,
} from './oauth-endpoint.ts';

/** POST /oauth2/par (RFC 9126). */
export const pushedRequestEndpoint: OAuthEndpoint = async (runtime, request) => {
  const { call, form = {} } = request;
  const server = await requireOAuthServer(runtime, call);
  requireForm(request);
  const asking = await authenticateClient(runtime, server, request);
  const RequiresPkce = runtime.settings.pkce === 'required';
  const pushed = await server.pushAuthorizationRequest({ ...asking, Parameters: form, RequiresPkce }, call);
  return createJsonResponse(201, { request_uri: pushed.RequestUri, expires_in: pushed.ExpiresIn });
};

/** Whether a request refers to a pushed request. If it does, only its client id counts. */
export function isPushedRequest({ query }: OAuthRequest): boolean {
  return query.request_uri?.[0]?.startsWith('urn:') ?? false;
}

/** Returns the request with the parameters that its client pushed instead of those of the address. This uses them up. */
export async function redeemPushedRequest(
  runtime: GatewayRuntime,
  server: OAuthServer,
  request: OAuthRequest,
): Promise<OAuthRequest> {
  const { query, call } = request;
  const [RequestUri = '', ...moreUris] = query.request_uri ?? [];
  const [ClientId, ...moreIds] = query.client_id ?? [];
  if (!ClientId) throw new OAuthError('invalid_request', 'The parameter client_id is missing.');
  if (moreUris.length + moreIds.length > 0) {
    throw new OAuthError('invalid_request', 'Send client_id and request_uri exactly once.');
  }
  const { userPoolId: UserPoolId } = runtime;
  const { Parameters } = await server.redeemPushedRequest({ UserPoolId, ClientId, RequestUri }, call);
  return { ...request, query: Parameters };
}
