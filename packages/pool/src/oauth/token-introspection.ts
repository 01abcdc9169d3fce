import { OAuthError, ProviderError, parseScopes } from '@poolgate/provider';
import { isActiveUser } from '../identity/active-user.ts';
import type { ClockPort, MacPorts, StoreReads } from '../kernel/ports.ts';
import { isConfidentialClient } from '../settings/client-grants.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import { requireAccessTokenClaims } from '../tokens/access-tokens.ts';
import { createAuthenticationClaims } from '../tokens/authentication-methods.ts';
import { hasRefreshTokenFormat, verifyRefreshToken } from '../tokens/refresh-token.ts';
import type { AccessTokenPorts } from '../tokens/token-ports.ts';
import { classifyRefreshToken } from '../tokens/token-refresh.ts';
import type { VerifiedClaims } from '../tokens/verify-access-token.ts';
import { type ClientCredentials, type ClientProofPorts, requireAuthenticatedClient } from './client-authentication.ts';
import { readGrantedScope } from './oauth-tokens.ts';

/** A response of the introspection endpoint (RFC 7662 §2.2). */
export type Introspection = Readonly<Record<string, unknown>> & { readonly active: boolean };

const INACTIVE: Introspection = { active: false };

/**
 * Returns a token's state to the client that it was issued to, and to a resource server's client that it was issued for. Every other client
 * gets the same response as for an invalid token.
 */
export async function introspectToken(
  ports: AccessTokenPorts & MacPorts & ClientProofPorts & StoreReads<'logins'>,
  { Token, ...credentials }: ClientCredentials & { readonly Token: string },
): Promise<Introspection> {
  const asking = await requireAuthenticatedClient(ports, credentials);
  if (!isConfidentialClient(asking.client)) {
    throw new OAuthError('unauthorized_client', 'Only an app client with a secret or key may introspect tokens.');
  }
  if (hasRefreshTokenFormat(Token)) return introspectRefreshToken(ports, asking, Token);
  return introspectAccessToken(ports, asking, Token);
}

async function introspectAccessToken(
  ports: AccessTokenPorts,
  asking: PoolAndClient,
  token: string,
): Promise<Introspection> {
  const verified = await requireAccessTokenClaims(ports, token).catch((error: unknown) => {
    if (error instanceof ProviderError) return undefined;
    throw error;
  });
  if (verified?.pool.id !== asking.pool.id) return INACTIVE;
  const scopes = selectVisibleScopes(asking, verified);
  if (scopes === undefined) return INACTIVE;
  const { sub, username, aud, iss, exp, iat, jti, auth_time, acr, amr } = verified.payload;
  const level = acr === undefined ? {} : { acr, amr };
  const claims = { sub, username, aud, iss, exp, iat, jti, auth_time, ...level };
  const scope = scopes.length === 0 ? {} : { scope: scopes.join(' ') };
  return { active: true, ...scope, client_id: verified.client.id, token_type: 'Bearer', ...claims };
}

/**
 * Returns the scopes of a token that a client may see. Of its tokens, it sees all. Of another client's, it sees those of its resource servers,
 * or all if the token is bound to one of them. Undefined: the client may not see the token.
 */
function selectVisibleScopes({ client }: PoolAndClient, token: VerifiedClaims): readonly string[] | undefined {
  const scopes = parseScopes(token.payload.scope);
  if (token.client.id === client.id) return scopes;
  const servers = client.settings.extensions?.resourceServers ?? [];
  const { aud } = token.payload;
  if (aud !== undefined) return [aud].flat().some((one) => servers.includes(one)) ? scopes : undefined;
  const visible = scopes.filter((scope) => servers.includes(scope.slice(0, Math.max(0, scope.lastIndexOf('/')))));
  return visible.length === 0 ? undefined : visible;
}

async function introspectRefreshToken(
  ports: ClockPort & MacPorts & StoreReads<'logins'>,
  { pool, client }: PoolAndClient,
  text: string,
): Promise<Introspection> {
  const token = verifyRefreshToken(ports, pool, text);
  const { login, user } = (token && (await ports.store.logins.byIdWithUser(token.loginId))) ?? {};
  if (token === undefined || user === undefined || login?.clientId !== client.id) return INACTIVE;
  const nowMs = ports.clock.now();
  const freshness = classifyRefreshToken(login, token, client.settings.refreshRotation?.graceSeconds ?? 0, nowMs);
  const isFresh = freshness === 'current' || freshness === 'within_grace';
  const isLoginActive = login.revokedAtMs === null && login.refreshExpiresAtMs > nowMs;
  const isUserActive = isActiveUser(user) && user.status !== 'RESET_REQUIRED';
  if (!isFresh || !isLoginActive || !isUserActive) return INACTIVE;
  return {
    active: true,
    scope: readGrantedScope(login),
    client_id: client.id,
    sub: user.sub,
    username: user.username,
    iss: pool.settings.issuer,
    exp: Math.floor(login.refreshExpiresAtMs / 1000),
    iat: Math.floor((login.rotatedAtMs ?? login.createdAtMs) / 1000),
    auth_time: login.authTimeSeconds,
    ...createAuthenticationClaims(login),
  };
}
