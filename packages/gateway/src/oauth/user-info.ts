import { OAuthError } from '@poolgate/provider';
import { bearerToken } from '../guards/bearer.ts';
import { formValue, json, type OAuthEndpoint, requireServer } from './endpoint.ts';

/** GET and POST /oauth2/userInfo (OpenID Connect Core §5.3) */
export const userInfo: OAuthEndpoint = async (runtime, request) => {
  const { context, headers } = request;
  const server = await requireServer(runtime, context);
  const inHeader = bearerToken(headers.authorization);
  const inBody = request.method === 'POST' ? formValue(request, 'access_token') : undefined;
  if (inHeader !== undefined && inBody !== undefined) {
    throw new OAuthError('invalid_request', 'The access token came in more than one way.');
  }
  const AccessToken = inHeader ?? inBody;
  // Where no token came there is nothing to say about it (RFC 6750 §3.1).
  if (AccessToken === undefined) return json(401, { error: 'invalid_request' }, { 'www-authenticate': 'Bearer' });
  return json(200, await server.userInfo({ UserPoolId: runtime.userPoolId, AccessToken }, context));
};
