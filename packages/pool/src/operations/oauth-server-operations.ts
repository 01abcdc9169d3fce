import {
  type AuthorizationResponse,
  createAuthorizationResponse,
  type OAuthAuthorizationRequest,
  OAuthError,
  type OAuthErrorCode,
  type OAuthTokens,
  ProviderError,
  type ProviderErrorCode,
  parseScopes,
} from '@poolgate/provider';
import type { StorePort, StoreReads, StoreWrites } from '../kernel/ports.ts';
import {
  type AuthorizingUser,
  exchangeAuthorizationCode,
  issueAuthorizationCode,
} from '../oauth/authorization-codes.ts';
import { parseAuthorizationRequest } from '../oauth/authorization-endpoint.ts';
import { checkLevel } from '../oauth/check-level.ts';
import {
  type ClientProofPorts,
  findClientOfPool,
  requireAuthenticatedClient,
  verifyClientCredentials,
} from '../oauth/client-authentication.ts';
import { issueClientToken } from '../oauth/client-credentials-grant.ts';
import { readSessionId } from '../oauth/client-sessions.ts';
import { authorizeDevice, requireDeviceGrant } from '../oauth/device-grant.ts';
import { readIdTokenHint } from '../oauth/id-token-hint.ts';
import { identifyTokenUser } from '../oauth/identify-token-user.ts';
import { createLogoutToken } from '../oauth/logout-tokens.ts';
import { createPageError } from '../oauth/oauth-parameters.ts';
import {
  createApplicationLogin,
  createHostedAuthTriggerInput,
  readGrantedScope,
  signOAuthTokens,
  toOAuthTokens,
  toScopeResponse,
} from '../oauth/oauth-tokens.ts';
import {
  consumeAuthorizationRequest,
  decryptAuthorizationRequest,
  encryptAuthorizationRequest,
} from '../oauth/pending-authorization-requests.ts';
import { pushAuthorizationRequest, redeemPushedRequest } from '../oauth/pushed-authorization-requests.ts';
import { narrowAudience, parseAudience } from '../oauth/resource-audience.ts';
import { revokeOAuthToken } from '../oauth/revoke-oauth-token.ts';
import { introspectToken } from '../oauth/token-introspection.ts';
import { readUserInfo } from '../oauth/user-info.ts';
import { readClientGrants } from '../settings/client-grants.ts';
import { toManagedLoginClientId } from '../settings/managed-login-client.ts';
import { findPoolIdByDomain, hasDomain } from '../settings/pool-domains.ts';
import { type PoolAndClient, readPagePolicy, requirePool } from '../settings/pools-and-clients.ts';
import { isRegisteredRedirectUri } from '../settings/redirect-uris.ts';
import type { SettingsPorts } from '../settings/settings-ports.ts';
import type { AuthorizationGrant } from '../store/records.ts';
import { lockAuthorizedUser, requireAccessToken } from '../tokens/access-tokens.ts';
import { inheritAuthentication } from '../tokens/authentication-methods.ts';
import { verifyRefreshToken } from '../tokens/refresh-token.ts';
import { requestTokenChanges } from '../tokens/token-changes.ts';
import type { AccessTokenPorts, SigningPorts, TokenPorts } from '../tokens/token-ports.ts';
import { refreshTokens } from '../tokens/token-refresh.ts';
import type { TriggerPorts } from '../triggers/trigger-ports.ts';
import type { ExtensionFunctions } from './operation-table.ts';

type Server = ExtensionFunctions<'oauth'>;

/** The authorization server of the embedded pool. */
export const oauthServerExtension: Server = {
  isOpen: (ports, { UserPoolId }) => hasDomain(ports, UserPoolId),
  async findSite(ports, input) {
    const poolId = 'Domain' in input ? await findPoolIdByDomain(ports, input.Domain) : input.UserPoolId;
    if (poolId === undefined || !(await hasDomain(ports, poolId))) return undefined;
    const { hasPages, admitsLocalUsers } = await readPagePolicy(ports, poolId);
    return {
      UserPoolId: poolId,
      ClientId: toManagedLoginClientId(poolId),
      HasPages: hasPages,
      AdmitsLocalUsers: admitsLocalUsers,
    };
  },
  authorize: parseAuthorizationRequest,
  pushAuthorizationRequest: pushAuthorizationRequest,
  redeemPushedRequest: redeemPushedRequest,
  async encryptAuthorizationRequest(
    ports,
    { UserPoolId: poolId, ClientId: clientId, Request: request, Browser: browser },
  ) {
    return { Handle: encryptAuthorizationRequest(ports, { poolId, clientId, request, browser }) };
  },
  decryptAuthorizationRequest: decryptAuthorizationRequest,
  consumeAuthorizationRequest: consumeAuthorizationRequest,
  checkLevel,
  grant: grantAuthorization,
  proveClient: async (ports, input) => ({ Proof: await verifyClientCredentials(ports, input) }),
  async exchangeCode(ports, input) {
    const owner = await requireAuthenticatedClient(ports, input);
    requireFlow(owner, 'code');
    const { Code: code, RedirectUri: redirectUri, CodeVerifier: codeVerifier } = input;
    const resource = parseAudience(input.Resource, createPageError);
    return exchangeAuthorizationCode(ports, { ...owner, code, redirectUri, codeVerifier, resource });
  },
  authorizeDevice: authorizeDevice,
  async grantDevice(ports, { Request: request, ...input }) {
    const { owner, user } = await requireAuthorizingUser(ports, input);
    requireDeviceGrant(owner);
    return { Code: await issueAuthorizationCode(ports, owner, user, toAuthorizationGrant(request, user)) };
  },
  async exchangeDeviceCode(ports, input) {
    const owner = await requireAuthenticatedClient(ports, input);
    requireDeviceGrant(owner);
    const resource = parseAudience(input.Resource, createPageError);
    const nothing = { redirectUri: undefined, codeVerifier: undefined };
    return exchangeAuthorizationCode(ports, { ...owner, code: input.Code, ...nothing, resource });
  },
  refresh: refreshOAuthTokens,
  clientCredentials: issueClientCredentialsToken,
  async revoke(ports, input) {
    await revokeOAuthToken(ports, await requireAuthenticatedClient(ports, input), input.Token);
  },
  introspect: introspectToken,
  identifyUser: identifyTokenUser,
  userInfo: readUserInfo,
  readIdTokenHint: async (ports, { UserPoolId, Hint }) =>
    readIdTokenHint(ports, await requirePool(ports, UserPoolId), Hint),
  async continueSession(ports, { FromLoginId, ToLoginId }) {
    await ports.store.write(({ logins }) => logins.continueSession(FromLoginId, ToLoginId));
  },
  createLogoutToken,
  async isUriRegistered(ports, { UserPoolId, ClientId, Uri, For }) {
    const owner = await findClientOfPool(ports, UserPoolId, ClientId);
    if (owner === undefined) return false;
    const { logoutUrls, callbackUrls } = readClientGrants(owner.client);
    return isRegisteredRedirectUri(For === 'logout' ? logoutUrls : callbackUrls, Uri);
  },
};

function requireFlow({ client }: PoolAndClient, flow: 'code'): void {
  if (readClientGrants(client).flows.includes(flow)) return;
  throw new OAuthError('unauthorized_client', `The app client does not allow the flow ${flow}.`);
}

type OAuthErrorTable = Partial<Readonly<Record<ProviderErrorCode, OAuthErrorCode>>>;

const REFRESH_ERRORS: OAuthErrorTable = {
  NotAuthorizedException: 'invalid_grant',
  PasswordResetRequiredException: 'invalid_grant',
  RefreshTokenReuseException: 'invalid_grant',
};

const CLIENT_CREDENTIALS_ERRORS: OAuthErrorTable = {
  InvalidOAuthFlowException: 'unauthorized_client',
  ScopeDoesNotExistException: 'invalid_scope',
};

/** Awaits an operation of the pool and converts its errors to those of the protocol. */
async function withOAuthErrors<Result>(called: Promise<Result>, errors: OAuthErrorTable): Promise<Result> {
  try {
    return await called;
  } catch (cause) {
    throw cause instanceof ProviderError ? toOAuthError(cause, errors) : cause;
  }
}

function toOAuthError(cause: ProviderError, errors: OAuthErrorTable): OAuthError | ProviderError {
  const error = errors[cause.code];
  return error === undefined ? cause : new OAuthError(error, cause.message, { cause });
}

/** Answers a request for a signed-in user, with a code or with the tokens themselves. */
async function grantAuthorization(
  ports: TokenPorts & AccessTokenPorts & StorePort,
  input: Parameters<Server['grant']>[1],
): Promise<AuthorizationResponse> {
  const { Request: request } = input;
  const { owner, user } = await requireAuthorizingUser(ports, input);
  const iss = owner.pool.settings.issuer;
  if (request.responseType === 'token') {
    const tokens = await createImplicitTokens(ports, owner, user, request);
    return createAuthorizationResponse(request, { ...tokens, iss });
  }
  const code = await issueAuthorizationCode(ports, owner, user, toAuthorizationGrant(request, user));
  return createAuthorizationResponse(request, { code, iss });
}

/** @throws {OAuthError} `access_denied` */
async function requireAuthorizingUser(
  ports: AccessTokenPorts & SettingsPorts,
  { UserPoolId, ClientId, AccessToken }: Omit<Parameters<Server['grant']>[1], 'Request'>,
): Promise<{ readonly owner: PoolAndClient; readonly user: AuthorizingUser }> {
  const owner = await findClientOfPool(ports, UserPoolId, ClientId);
  const access = await requireAccessToken(ports, AccessToken);
  const { loginId } = access;
  if (owner === undefined || access.pool.id !== UserPoolId || loginId === undefined) {
    throw createPageError('access_denied', 'The login does not belong to this app client.');
  }
  return { owner, user: { ...access, loginId } };
}

function toAuthorizationGrant(
  {
    redirectUri,
    isRedirectUriSent,
    scope,
    isScopeOmitted,
    nonce,
    codeChallenge,
    audience,
    levels,
  }: OAuthAuthorizationRequest,
  { authTimeSeconds }: AuthorizingUser,
): AuthorizationGrant {
  return {
    ...{ redirectUri, isRedirectUriSent, scope, nonce, codeChallenge, audience, authTimeSeconds },
    ...(isScopeOmitted && { isScopeOmitted }),
    ...(levels !== undefined && { isLevelRequested: true }),
  };
}

/** As in Cognito: no refresh token. */
async function createImplicitTokens(
  ports: TokenPorts & StoreWrites<'events' | 'logins' | 'revocations' | 'users'>,
  { pool, client }: PoolAndClient,
  { user, loginId, authTimeSeconds }: AuthorizingUser,
  { scope, isScopeOmitted = false, audience, nonce, levels }: OAuthAuthorizationRequest,
): Promise<Readonly<Record<string, string>>> {
  const changes = await requestTokenChanges(ports, { pool, client, user }, createHostedAuthTriggerInput(scope));
  const createdLogin = await ports.store.write(async (transaction) => {
    const { user: current, login: session } = await lockAuthorizedUser(transaction, { pool, user, loginId });
    const from = {
      ...{ deviceKey: session?.deviceKey ?? null, scope, audience, authTimeSeconds },
      sessionLoginId: loginId,
      ...inheritAuthentication(pool.settings, session, levels !== undefined),
      ...(session !== undefined && { sessionId: readSessionId(session) }),
    };
    const how = { grant: 'implicit', session: loginId } as const;
    return createApplicationLogin(ports, transaction, { pool, client, user: current }, from, how);
  });
  const tokens = await signOAuthTokens(ports, { pool, client, ...createdLogin, changes, nonce });
  const { AccessToken, IdToken, ExpiresIn, Scope, IsScopeChanged } = tokens;
  return {
    access_token: AccessToken,
    ...(IdToken !== undefined && { id_token: IdToken }),
    token_type: 'Bearer',
    expires_in: String(ExpiresIn),
    ...((isScopeOmitted || IsScopeChanged) && { scope: Scope }),
  };
}

async function refreshOAuthTokens(
  ports: TokenPorts &
    ClientProofPorts &
    StoreReads<'devices' | 'logins' | 'users'> &
    StoreWrites<'events' | 'logins' | 'revocations' | 'users'>,
  input: Parameters<Server['refresh']>[1],
): Promise<OAuthTokens> {
  const owner = await requireAuthenticatedClient(ports, input);
  const { RefreshToken: refreshToken, Scopes = [] } = input;
  const content = verifyRefreshToken(ports, owner.pool, refreshToken);
  const login = content && (await ports.store.logins.byId(content.loginId));
  const { scope = null } = login ?? {};
  const granted = parseScopes(readGrantedScope({ scope }));
  if (login !== undefined && !Scopes.every((one) => granted.includes(one))) {
    throw new OAuthError('invalid_scope', 'A refresh cannot ask for more than was granted.');
  }
  const audience = narrowAudience(login?.audience ?? null, parseAudience(input.Resource, createPageError));
  const asked = { refreshToken, audience, deviceKey: undefined, authorize: () => {} };
  const refreshed = refreshTokens(ports, { ...owner, ...asked });
  return toOAuthTokens({ scope }, await withOAuthErrors(refreshed, REFRESH_ERRORS));
}

async function issueClientCredentialsToken(
  ports: TriggerPorts & SigningPorts & ClientProofPorts & StoreReads<'resourceServers'>,
  input: Parameters<Server['clientCredentials']>[1],
): Promise<OAuthTokens> {
  const owner = await requireAuthenticatedClient(ports, input);
  const audience = parseAudience(input.Resource, createPageError);
  const { Scopes: scopes, ClientMetadata: clientMetadata } = input;
  const issued = issueClientToken(ports, { ...owner, scopes, audience, clientMetadata });
  const { AccessToken, ExpiresIn, scope, granted } = await withOAuthErrors(issued, CLIENT_CREDENTIALS_ERRORS);
  const { Scope, IsScopeChanged } = toScopeResponse(granted, scope);
  return { AccessToken, ExpiresIn, Scope, IsScopeChanged: IsScopeChanged || scopes.length === 0 };
}
