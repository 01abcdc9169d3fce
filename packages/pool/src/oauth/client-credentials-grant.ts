import { type Output, ProviderError } from '@poolgate/provider';
import { generateUuid } from '../kernel/identifiers.ts';
import type { StoreReads } from '../kernel/ports.ts';
import { isConfidentialClient, readClientGrants } from '../settings/client-grants.ts';
import { findCachedResourceServerScopes, isPoolScope } from '../settings/oauth-scopes.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import type { SettingsCachePort } from '../settings/settings-ports.ts';
import { selectAccessTokenSigner, signJwts } from '../tokens/jwt.ts';
import { overrideClaims, overrideScopes } from '../tokens/override-claims.ts';
import { requireJwtSigners } from '../tokens/signing-keys.ts';
import { requestClientTokenOverrides } from '../tokens/token-changes.ts';
import type { Claims } from '../tokens/token-claims.ts';
import type { SigningPorts } from '../tokens/token-ports.ts';
import type { TriggerData } from '../triggers/trigger-definitions.ts';
import type { TriggerPorts } from '../triggers/trigger-ports.ts';

/** A machine's request for a token. */
export interface ClientTokenRequest extends PoolAndClient {
  /** None: all scopes that the client may request. */
  readonly scopes: readonly string[];
  /** The resource for which the token is issued (RFC 8707). */
  readonly audience: string | null;
  /** Whether the request comes through the API instead of the token endpoint. */
  readonly isByApi?: boolean;
  /** The request's metadata for the trigger. */
  readonly clientMetadata?: TriggerData | undefined;
}

/** The API's response, the audience of the token, and the scopes granted before a trigger changed them; both separated by spaces. */
type ClientToken = Required<NonNullable<Output<'GetClientToken'>['ClientAuthenticationResult']>> & {
  readonly scope: string;
  readonly granted: string;
};

/** Issues a machine's access token. It identifies the client itself, not a user. The client is already authenticated. */
export async function issueClientToken(
  ports: TriggerPorts & SigningPorts & SettingsCachePort & StoreReads<'resourceServers'>,
  { pool, client, scopes, audience, clientMetadata, isByApi = false }: ClientTokenRequest,
): Promise<ClientToken> {
  const isPublic = !isConfidentialClient(client);
  const grants = readClientGrants(client);
  const isAllowed = grants.flows.includes('client_credentials') || (isByApi && grants.issuesClientTokens);
  if (isPublic || !isAllowed) {
    throw new ProviderError('InvalidOAuthFlowException', 'The client may not use the client credentials grant.', {
      reason: 'flow_disabled',
    });
  }
  const granted = await resolveGrantedScopes(ports, pool.id, grants.scopes, scopes);
  const overrides = await requestClientTokenOverrides(ports, { pool, client }, granted, clientMetadata);
  const scope = overrideScopes(granted, overrides).join(' ');
  const keys = await requireJwtSigners(ports, pool);
  const nowSeconds = Math.floor(ports.clock.now() / 1000);
  const ExpiresIn = client.settings.accessTokenSeconds;
  const claims: Claims = {
    sub: client.id,
    ...(audience === null ? {} : { aud: audience }),
    token_use: 'access',
    scope,
    auth_time: nowSeconds,
    iss: pool.settings.issuer,
    exp: nowSeconds + ExpiresIn,
    iat: nowSeconds,
    version: 2,
    jti: generateUuid(ports.random),
    client_id: client.id,
  };
  const signer = selectAccessTokenSigner(keys.access, client);
  const signed = { signer, claims: overrides ? overrideClaims(claims, overrides.access) : claims };
  const [AccessToken = ''] = await signJwts(ports.signTexts, [signed]);
  return { AccessToken, ExpiresIn, TokenType: 'Bearer', scope, granted: granted.join(' ') };
}

/** The pool's own scopes concern users, so a machine never gets them, even if its client allows them. */
async function resolveGrantedScopes(
  ports: SettingsCachePort & StoreReads<'resourceServers'>,
  poolId: string,
  allowed: readonly string[],
  requested: readonly string[],
): Promise<readonly string[]> {
  const offered = allowed.filter((scope) => !isPoolScope(scope));
  const wanted = requested.length === 0 ? offered : [...new Set(requested)];
  const permitted = wanted.filter((scope) => offered.includes(scope));
  const existing = await findCachedResourceServerScopes(ports, poolId, permitted);
  const granted = permitted.filter((scope) => existing.has(scope));
  // If the request names no scopes, the client gets all allowed ones that exist. Every scope that it names must exist.
  const isWhole = requested.length === 0 || granted.length === wanted.length;
  if (granted.length > 0 && isWhole) return granted;
  throw new ProviderError(
    'ScopeDoesNotExistException',
    'A requested scope does not exist, or the client may not ask for it.',
  );
}
