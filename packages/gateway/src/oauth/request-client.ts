import { readBearerToken } from '../guards/authenticate-user.ts';
import { readUnverifiedClaims } from '../kernel/token-claims.ts';
import { readClientCredentials } from './client-authentication.ts';
import type { OAuthRequest } from './oauth-endpoint.ts';

/**
 * Reads the app client of a request before anything is checked: it selects the pool that then checks the request. Undefined if the request
 * names no client; then the pool of the login routes handles it.
 */
export type ReadRequestClient = (request: OAuthRequest) => string | undefined;

/** For a program that authenticates as a client. */
export const readAuthenticatingClient: ReadRequestClient = (request) => {
  try {
    return readClientCredentials(request).ClientId;
  } catch {
    // The endpoint reads the same again and reports the error.
    return undefined;
  }
};

/** For a browser that a client redirected or that submitted a client's form. */
export const readSendingClient: ReadRequestClient = ({ query, form }) => (form?.client_id ?? query.client_id)?.[0];

/** For a browser that a client redirected to sign out: an ID token identifies its client. */
export const readSignOutClient: ReadRequestClient = (request) => {
  const named = readSendingClient(request);
  if (named) return named;
  const [hint] = request.form?.id_token_hint ?? request.query.id_token_hint ?? [];
  const { aud } = (hint === undefined ? undefined : readUnverifiedClaims(hint)) ?? {};
  return typeof aud === 'string' ? aud : undefined;
};

/** For a caller with an access token in the header or in the body. */
export const readTokenClient: ReadRequestClient = ({ headers, form }) => {
  const token = readBearerToken(headers.authorization) ?? form?.access_token?.[0];
  const { client_id: clientId } = (token === undefined ? undefined : readUnverifiedClaims(token)) ?? {};
  return typeof clientId === 'string' ? clientId : undefined;
};
