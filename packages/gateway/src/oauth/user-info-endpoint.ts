import { OAuthError } from '@poolgate/provider';
import { readBearerToken } from '../guards/authenticate-user.ts';
import { createJsonResponse, type OAuthEndpoint, readFormValue, requireOAuthServer } from './oauth-endpoint.ts';

/** GET and POST /oauth2/userInfo (OpenID Connect Core §5.3) */
export const userInfoEndpoint: OAuthEndpoint = async (runtime, request) => {
  const { call, headers } = request;
  const server = await requireOAuthServer(runtime, call);
  const inHeader = readBearerToken(headers.authorization);
  const inBody = request.method === 'POST' ? readFormValue(request, 'access_token') : undefined;
  if (inHeader !== undefined && inBody !== undefined) {
    throw new OAuthError('invalid_request', 'The access token was sent in more than one way.');
  }
  const AccessToken = inHeader ?? inBody;
  // Without a token, the response contains no error code (RFC 6750 §3.1).
  if (AccessToken === undefined)
    return createJsonResponse(401, { error: 'invalid_request' }, { 'www-authenticate': 'Bearer' });
  return createJsonResponse(200, await server.userInfo({ UserPoolId: runtime.userPoolId, AccessToken }, call));
};
