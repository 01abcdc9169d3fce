import {
  authorizationLocation,
  type OAuthAuthorizationRequest,
  OAuthError,
  type OAuthErrorCode,
  type OAuthTokens,
  ProviderError,
  type ProviderErrorCode,
  scopesOf,
} from '@poolgate/provider';
import type { SecretPorts, StorePort, StoreReads, StoreWrites } from '../../kernel/ports.ts';
import type { ExtensionFunctions } from '../../operation-table.ts';
import type { PoolAndClient } from '../../pools/pools.ts';
import type { SettingsPorts } from '../../pools/settings-ports.ts';
import { revokeToken } from '../../sessions/revoke-token.ts';
import { claimAccess, requireAccessToken } from '../../tokens/access.ts';
import { refreshTokens } from '../../tokens/refresh.ts';
import { verifyRefreshToken } from '../../tokens/refresh-token.ts';
import { requestTokenChanges } from '../../tokens/token-changes.ts';
import type { AccessTokenPorts, SigningPorts, TokenPorts } from '../../tokens/token-ports.ts';
import type { TriggerPorts } from '../../triggers/trigger-ports.ts';
import { type AuthorizingUser, exchangeCode, issueAuthorizationCode } from '../authorization-codes.ts';
import { audienceOf, authorize } from '../authorize.ts';
import { clientGrants } from '../client-grants.ts';
import { clientOfPool, clientProof, requireClientProof } from '../client-proof.ts';
import { issueClientToken } from '../client-token.ts';
import { hasDomain } from '../domains.ts';
import { errorOnPage } from '../parameters.ts';
import { isRegisteredUri } from '../redirect-uris.ts';
import {
  grantedScope,
  hostedOrigin,
  oauthTokens,
  openApplicationLogin,
  scopeAnswer,
  tokensOfLogin,
} from '../tokens.ts';
import { userInfo } from '../user-info.ts';
import { encryptRequest, spendRequest, waitingRequest } from '../waiting-requests.ts';

type Server = ExtensionFunctions<'oauth'>;

/** The authorization server of the embedded pool. */
export const oauthServer: Server = {
  isOpen: (ports, { UserPoolId }) => hasDomain(ports, UserPoolId),
  authorize,
  async keepAuthorization(ports, { UserPoolId: poolId, ClientId: clientId, Request: request, Browser: browser }) {
    return { Handle: encryptRequest(ports, { poolId, clientId, request, browser }) };
  },
  waitingAuthorization: waitingRequest,
  endAuthorization: spendRequest,
  grant,
  proveClient: async (ports, input) => ({ Proof: await clientProof(ports, input) }),
  async exchangeCode(ports, input) {
    const owner = await requireClientProof(ports, input);
    requireFlow(owner, 'code');
    const { Code: code, RedirectUri: redirectUri, CodeVerifier: codeVerifier } = input;
    return exchangeCode(ports, { ...owner, code, redirectUri, codeVerifier });
  },
  refresh,
  clientCredentials,
  async revoke(ports, { UserPoolId, ...asked }) {
    await requireClientProof(ports, { UserPoolId, ...asked });
    await asOAuth(revokeToken(ports, asked), REVOCATION_ERRORS);
  },
  userInfo,
  async isRegistered(ports, { UserPoolId, ClientId, Uri, For }) {
    const owner = await clientOfPool(ports, UserPoolId, ClientId);
    if (owner === undefined) return false;
    const { logoutUrls, callbackUrls } = clientGrants(owner.client);
    return isRegisteredUri(For === 'logout' ? logoutUrls : callbackUrls, Uri);
  },
};

function requireFlow({ client }: PoolAndClient, flow: 'code'): void {
  if (clientGrants(client).flows.includes(flow)) return;
  throw new OAuthError('unauthorized_client', `The app client does not allow the flow ${flow}.`);
}

type Errors = Partial<Readonly<Record<ProviderErrorCode, OAuthErrorCode>>>;

const REVOCATION_ERRORS: Errors = {
  UnauthorizedException: 'invalid_grant',
  UnsupportedOperationException: 'invalid_request',
  UnsupportedTokenTypeException: 'unsupported_token_type',
};

const REFRESH_ERRORS: Errors = {
  NotAuthorizedException: 'invalid_grant',
  PasswordResetRequiredException: 'invalid_grant',
  RefreshTokenReuseException: 'invalid_grant',
};

const MACHINE_ERRORS: Errors = {
  InvalidOAuthFlowException: 'unauthorized_client',
  ScopeDoesNotExistException: 'invalid_scope',
};

/** Awaits an operation of the pool; its refusals are those of the protocol. */
async function asOAuth<Result>(called: Promise<Result>, errors: Errors): Promise<Result> {
  try {
    return await called;
  } catch (cause) {
    throw cause instanceof ProviderError ? inProtocol(cause, errors) : cause;
  }
}

function inProtocol(cause: ProviderError, errors: Errors): ProviderError {
  const error = errors[cause.code];
  return error === undefined ? cause : new OAuthError(error, cause.message, { cause });
}

/** Answers a request for a user who is logged in: with a code, or with the tokens themselves. */
async function grant(
  ports: TokenPorts & AccessTokenPorts & StorePort,
  input: Parameters<Server['grant']>[1],
): Promise<{ Location: string }> {
  const { UserPoolId, ClientId, Request: request, AccessToken } = input;
  const owner = await clientOfPool(ports, UserPoolId, ClientId);
  const access = await requireAccessToken(ports, AccessToken);
  const { loginId } = access;
  if (owner === undefined || access.pool.id !== UserPoolId || loginId === undefined) {
    throw errorOnPage('access_denied', 'The login does not belong to this app client.');
  }
  const user: AuthorizingUser = { ...access, loginId };
  const { authTimeSeconds } = access;
  const iss = owner.pool.settings.issuer;
  if (request.responseType === 'token') {
    const tokens = await implicitTokens(ports, owner, user, request);
    return { Location: authorizationLocation(request, { ...tokens, iss }) };
  }
  const { redirectUri, isRedirectUriSent, scope, nonce, codeChallenge, audience } = request;
  const authorization = { redirectUri, isRedirectUriSent, scope, nonce, codeChallenge, audience, authTimeSeconds };
  const code = await issueAuthorizationCode(ports, owner, user, authorization);
  return { Location: authorizationLocation(request, { code, iss }) };
}

/** As Cognito has it: no refresh token. */
async function implicitTokens(
  ports: TokenPorts & StoreWrites<'events' | 'logins' | 'revocations' | 'users'>,
  { pool, client }: PoolAndClient,
  { user, loginId, authTimeSeconds }: AuthorizingUser,
  { scope, audience, nonce }: OAuthAuthorizationRequest,
): Promise<Readonly<Record<string, string>>> {
  const changes = await requestTokenChanges(ports, { pool, client, user }, hostedOrigin(scope));
  const opened = await ports.store.write(async (transaction) => {
    const { user: current, login: session } = await claimAccess(transaction, { pool, user, loginId });
    const from = {
      ...{ deviceKey: session?.deviceKey ?? null, scope, audience, authTimeSeconds },
      sessionLoginId: loginId,
    };
    const how = { grant: 'implicit', session: loginId } as const;
    return openApplicationLogin(ports, transaction, { pool, client, user: current }, from, how);
  });
  const tokens = await tokensOfLogin(ports, { pool, client, ...opened, changes, nonce });
  const { AccessToken, IdToken, ExpiresIn, Scope, IsScopeChanged } = tokens;
  return {
    access_token: AccessToken,
    ...(IdToken !== undefined && { id_token: IdToken }),
    token_type: 'Bearer',
    expires_in: String(ExpiresIn),
    ...(IsScopeChanged && { scope: Scope }),
  };
}

async function refresh(
  ports: TokenPorts &
    SettingsPorts &
    StoreReads<'devices' | 'logins' | 'users'> &
    StoreWrites<'events' | 'logins' | 'revocations' | 'users'>,
  input: Parameters<Server['refresh']>[1],
): Promise<OAuthTokens> {
  const owner = await requireClientProof(ports, input);
  const { RefreshToken: refreshToken, Scopes = [] } = input;
  const content = verifyRefreshToken(ports, owner.pool, refreshToken);
  const login = content && (await ports.store.logins.byId(content.loginId));
  const { scope = null } = login ?? {};
  const granted = scopesOf(grantedScope({ scope }));
  if (login !== undefined && !Scopes.every((one) => granted.includes(one))) {
    throw new OAuthError('invalid_scope', 'A refresh cannot ask for more than was granted.');
  }
  const refreshed = refreshTokens(ports, { ...owner, refreshToken, deviceKey: undefined, authorize: () => {} });
  return oauthTokens({ scope }, await asOAuth(refreshed, REFRESH_ERRORS));
}

async function clientCredentials(
  ports: TriggerPorts & SigningPorts & SettingsPorts & SecretPorts & StoreReads<'resourceServers'>,
  input: Parameters<Server['clientCredentials']>[1],
): Promise<OAuthTokens> {
  const owner = await requireClientProof(ports, input);
  const audience = audienceOf(input.Resource, errorOnPage);
  const { Scopes: scopes, ClientMetadata: clientMetadata } = input;
  const issued = issueClientToken(ports, { ...owner, scopes, audience, clientMetadata });
  const { AccessToken, ExpiresIn, scope, granted } = await asOAuth(issued, MACHINE_ERRORS);
  return { AccessToken, ExpiresIn, ...scopeAnswer(granted, scope) };
}
