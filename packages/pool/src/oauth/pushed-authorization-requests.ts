import type { OAuthError } from '@poolgate/provider';
import type { ClockPort, KeyRingPort, RandomPort, StoreReads, StoreWrites } from '../kernel/ports.ts';
import type { PublishedKeyPorts } from '../tokens/token-ports.ts';
import { type AuthorizationEndpointInput, parseAuthorizationRequest } from './authorization-endpoint.ts';
import { type ClientCredentials, type ClientProofPorts, requireAuthenticatedClient } from './client-authentication.ts';
import { createPageError, type OAuthParameters } from './oauth-parameters.ts';
import { generateOAuthSecret } from './oauth-secrets.ts';

/** Long enough to redirect the browser here. */
const LIFE_SECONDS = 60;

const PURPOSE = 'pushed-authorization-request';
const PREFIX = 'urn:ietf:params:oauth:request_uri:';

/** The encrypted content of a request URI. Nothing is stored, because anyone can name a client without a secret. */
interface PushedRequest {
  readonly id: string;
  readonly poolId: string;
  readonly parameters: OAuthParameters;
  readonly createdAtMs: number;
}

/** Parameters that authenticate a client. They are not part of its request. */
const CREDENTIALS = ['client_secret', 'client_assertion', 'client_assertion_type'];

/** Accepts a request directly from its client instead of through a browser (RFC 9126). */
export async function pushAuthorizationRequest(
  ports: ClientProofPorts & RandomPort & PublishedKeyPorts & StoreReads<'identityProviders' | 'resourceServers'>,
  { Parameters, RequiresPkce, ...credentials }: ClientCredentials & Omit<AuthorizationEndpointInput, 'IsPushed'>,
): Promise<{ readonly RequestUri: string; readonly ExpiresIn: number }> {
  const { pool, client } = await requireAuthenticatedClient(ports, credentials);
  const entries = Object.entries(Parameters).filter(([name]) => !CREDENTIALS.includes(name));
  const parameters: OAuthParameters = { ...Object.fromEntries(entries), client_id: [client.id] };
  await parseAuthorizationRequest(ports, { UserPoolId: pool.id, Parameters: parameters, RequiresPkce, IsPushed: true });
  const createdAtMs = ports.clock.now();
  const request: PushedRequest = { id: generateOAuthSecret(ports), poolId: pool.id, parameters, createdAtMs };
  const handle = ports.keyRing.encrypt(PURPOSE, Buffer.from(JSON.stringify(request)), client.id);
  return { RequestUri: `${PREFIX}${handle}`, ExpiresIn: LIFE_SECONDS };
}

/**
 * The parameters of a pushed request, for its client and once: the write that notes its use decides.
 * @throws {OAuthError} `invalid_request`: unknown, expired, used, or of another client
 */
export async function redeemPushedRequest(
  ports: ClockPort & KeyRingPort & StoreWrites<'challengeSessions'>,
  { UserPoolId, ClientId, RequestUri }: Pick<ClientCredentials, 'UserPoolId' | 'ClientId'> & { RequestUri: string },
): Promise<{ readonly Parameters: OAuthParameters }> {
  const { id, parameters, createdAtMs } = decryptPushedRequest(ports, UserPoolId, ClientId, RequestUri);
  const expiresAtMs = createdAtMs + LIFE_SECONDS * 1000;
  if (expiresAtMs <= ports.clock.now()) throw unknownRequestUriError();
  const uses = await ports.store.write(({ challengeSessions }) => challengeSessions.reserveAndSpend(id, expiresAtMs));
  if (uses === undefined) throw unknownRequestUriError();
  return { Parameters: parameters };
}

function decryptPushedRequest(
  { keyRing }: KeyRingPort,
  poolId: string,
  clientId: string,
  requestUri: string,
): PushedRequest {
  const handle = requestUri.startsWith(PREFIX) ? requestUri.slice(PREFIX.length) : '';
  const bytes = keyRing.decrypt(PURPOSE, handle, clientId);
  if (bytes === undefined) throw unknownRequestUriError();
  const request = JSON.parse(Buffer.from(bytes).toString('utf8')) as PushedRequest;
  if (request.poolId !== poolId) throw unknownRequestUriError();
  return request;
}

function unknownRequestUriError(): OAuthError {
  return createPageError('invalid_request', 'The request_uri has expired or was used. Go back to the application.');
}
