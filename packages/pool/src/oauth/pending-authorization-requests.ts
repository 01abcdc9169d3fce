import {
  type OAuthAuthorizationRequest,
  OAuthError,
  type PendingAuthorizationRequest,
  parseScopes,
} from '@poolgate/provider';
import type { ClockPort, KeyRingPort, RandomPort, StoreReads, StoreWrites } from '../kernel/ports.ts';
import { type ClientGrants, readClientGrants } from '../settings/client-grants.ts';
import { listProvidersOfClient } from '../settings/identity-providers.ts';
import { isRegisteredRedirectUri } from '../settings/redirect-uris.ts';
import type { SettingsPorts } from '../settings/settings-ports.ts';
import { findClientOfPool } from './client-authentication.ts';
import { createPageError } from './oauth-parameters.ts';
import { digestOAuthSecret, generateOAuthSecret } from './oauth-secrets.ts';

/** Long enough for a sign-up in between, including an emailed code. */
const LIFE_MS = 60 * 60_000;

const PURPOSE = 'authorization-request';

/** It is part of the pages' addresses: with the rest of a request it is within the limits of servers and proxies. */
const MAX_HANDLE_LENGTH = 6_144;

/** A request that waits for its user's login. Its id is used up with it. */
interface AuthorizationRequestContent {
  readonly id: string;
  readonly poolId: string;
  readonly clientId: string;
  readonly request: OAuthAuthorizationRequest;
  readonly createdAtMs: number;
}

/** A request and its handle. */
interface AuthorizationHandle {
  readonly UserPoolId: string;
  readonly Handle: string;
  readonly Browser: string;
}

/** Encrypts a request for the browser that sent it. Nothing is stored, because anyone can send requests, and their parameters are long. */
export function encryptAuthorizationRequest(
  ports: ClockPort & RandomPort & KeyRingPort,
  {
    browser,
    ...requested
  }: Pick<AuthorizationRequestContent, 'poolId' | 'clientId' | 'request'> & {
    readonly browser: string;
  },
): string {
  const content: AuthorizationRequestContent = {
    id: generateOAuthSecret(ports),
    ...requested,
    createdAtMs: ports.clock.now(),
  };
  const handle = ports.keyRing.encrypt(PURPOSE, Buffer.from(JSON.stringify(content)), digestOAuthSecret(browser));
  if (handle.length > MAX_HANDLE_LENGTH) throw createPageError('invalid_request', 'The request is too long.');
  return handle;
}

/**
 * Decrypts the request of a handle, only for the browser that sent it and while its client may make the request.
 * @throws {OAuthError} `invalid_request`: expired, unknown, of another browser, or no longer allowed
 */
export async function decryptAuthorizationRequest(
  ports: SettingsPorts & ClockPort & KeyRingPort & StoreReads<'identityProviders'>,
  holder: AuthorizationHandle,
): Promise<PendingAuthorizationRequest> {
  const { clientId, request, createdAtMs } = decryptRequestContent(ports, holder);
  const owner = await findClientOfPool(ports, holder.UserPoolId, clientId);
  if (owner === undefined) throw authorizationRequestExpiredError();
  const grants = readClientGrants(owner.client);
  const IdentityProviders = (await listProvidersOfClient(ports, owner)).map(({ name }) => name);
  const isOffered = grants.admitsLocalUsers || IdentityProviders.length > 0;
  if (!isOffered || !isStillAllowed(grants, request)) throw authorizationRequestExpiredError();
  return {
    ClientId: owner.client.id,
    ClientName: owner.client.name,
    Issuer: owner.pool.settings.issuer,
    SsoSeconds: grants.ssoSeconds,
    AdmitsLocalUsers: grants.admitsLocalUsers,
    IdentityProviders,
    Request: request,
    RequestedAt: Math.floor(createdAtMs / 1000),
  };
}

/** An administrator may have taken something from the client since, an address that is no longer its own for one. */
function isStillAllowed(
  { flows, scopes, callbackUrls }: ClientGrants,
  { responseType, redirectUri, scope }: OAuthAuthorizationRequest,
): boolean {
  const isFlowAllowed = flows.includes(responseType === 'token' ? 'implicit' : 'code');
  const areScopesAllowed = parseScopes(scope).every((one) => scopes.includes(one));
  return isFlowAllowed && areScopesAllowed && isRegisteredRedirectUri(callbackUrls, redirectUri);
}

function decryptRequestContent(
  { keyRing, clock }: ClockPort & KeyRingPort,
  { UserPoolId, Handle, Browser }: AuthorizationHandle,
): AuthorizationRequestContent {
  const bytes = keyRing.decrypt(PURPOSE, Handle, digestOAuthSecret(Browser));
  if (bytes === undefined) throw authorizationRequestExpiredError();
  const content = JSON.parse(Buffer.from(bytes).toString('utf8')) as AuthorizationRequestContent;
  if (content.poolId !== UserPoolId || content.createdAtMs + LIFE_MS <= clock.now())
    throw authorizationRequestExpiredError();
  return content;
}

/**
 * Consumes a request with one statement that inserts its row. The row prevents a second use.
 * @throws {OAuthError} `invalid_request`: a concurrent call has already consumed it
 */
export async function consumeAuthorizationRequest(
  ports: ClockPort & KeyRingPort & StoreWrites<'challengeSessions'>,
  holder: AuthorizationHandle,
): Promise<void> {
  const { id, createdAtMs } = decryptRequestContent(ports, holder);
  const isMine = await ports.store.write(
    (transaction) => transaction.challengeSessions.reserveAndSpend(id, createdAtMs + LIFE_MS),
    { isIssuedAtOnce: true },
  );
  if (isMine === undefined) throw authorizationRequestExpiredError();
}

function authorizationRequestExpiredError(): OAuthError {
  return new OAuthError('invalid_request', 'The request has expired or was answered. Go back to the application.');
}
