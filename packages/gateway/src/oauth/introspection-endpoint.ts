import { authenticateClient } from './authenticated-client.ts';
import {
  createJsonResponse,
  type OAuthEndpoint,
  requireForm,
  requireFormValue,
  requireOAuthServer,
} from './oauth-endpoint.ts';

/** POST /oauth2/introspect (RFC 7662). A `token_type_hint` is not needed: the formats of the tokens differ. */
export const introspectionEndpoint: OAuthEndpoint = async (runtime, request) => {
  const { call } = request;
  const server = await requireOAuthServer(runtime, call);
  requireForm(request);
  const asking = await authenticateClient(runtime, server, request);
  return createJsonResponse(
    200,
    await server.introspect({ ...asking, Token: requireFormValue(request, 'token') }, call),
  );
};
