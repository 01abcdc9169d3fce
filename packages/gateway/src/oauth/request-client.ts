import { readBearerToken } from '../guards/authenticate-user.ts';
import { readUnverifiedClaims } from '../kernel/token-claims.ts';
import { readClientCredentials } from './client-authentication.ts';
import type { OAuthRequest } from './oauth-endpoint.ts';

/**
 * Reads which app client a request is about, before anything is checked: it selects the pool that then checks the request. Undefined where
 * the request names none; then the pool that the routes log in on answers.
 */
export type ReadRequestClient = (request: OAuthRequest) => string | undefined;

/** A program that authenticates as a client. */
export const readAuthenticatingClient: ReadRequestClient = (request) => {
  try {
    return readClientCredentials(request).ClientId;
  } catch {
    // The endpoint reads the same again, and says what is wrong with it.
    return undefined;
  }
};

/** A browser that a client sent, by the address or by a form. */
export const readSendingClient: ReadRequestClient = ({ query, form }) => (form?.client_id ?? query.client_id)?.[0];

/** A browser that a client sent to sign out: an ID token stands for its client. */
export const readSignOutClient: ReadRequestClient = (request) => {
  const named = readSendingClient(request);
  if (named) return named;
  const [hint] = request.form?.id_token_hint ?? request.query.id_token_hint ?? [];
  const { aud } = (hint === undefined ? undefined : readUnverifiedClaims(hint)) ?? {};
  return typeof aud === 'string' ? aud : undefined;
};

/** Whoever shows an access token, as its header or in the body. */
export const readTokenClient: ReadRequestClient = ({ headers, form }) => {
  const token = readBearerToken(headers.authorization) ?? form?.access_token?.[0];
  const { client_id: clientId } = (token === undefined ? undefined : readUnverifiedClaims(token)) ?? {};
  return typeof clientId === 'string' ? clientId : undefined;
};
