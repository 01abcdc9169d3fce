/**
 * The OAuth server without HTTP: authorization requests, codes, client authentication and tokens. Before client and redirect address are
 * verified, an error has no address to return to.
 */
import {
  type CheckedAuthorizationRequest,
  createAuthorizationResponse,
  type OAuthAuthorizationRequest,
  OAuthError,
  type OAuthPrompt,
  parseScopes,
} from '@poolgate/provider';
import type { StoreReads } from '../kernel/ports.ts';
import { offersAcrLevels, parseAcrValues } from '../settings/acr-levels.ts';
import { type ClientGrants, isConfidentialClient, readClientGrants } from '../settings/client-grants.ts';
import { findProviderByIdentifier, LOCAL_USERS, listProvidersOfClient } from '../settings/identity-providers.ts';
import { findCachedResourceServerScopes, isPoolScope, OPENID_SCOPES } from '../settings/oauth-scopes.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import { isRegisteredRedirectUri } from '../settings/redirect-uris.ts';
import type { SettingsCachePort, SettingsPorts } from '../settings/settings-ports.ts';
import type { PublishedKeyPorts } from '../tokens/token-ports.ts';
import { findClientOfPool } from './client-authentication.ts';
import { readIdTokenHint } from './id-token-hint.ts';
import {
  checkOAuthParameters,
  createPageError,
  type OAuthErrorFactory,
  type OAuthParameters,
  readOAuthParameter,
} from './oauth-parameters.ts';
import { parseAudience } from './resource-audience.ts';

/** A request to the authorization endpoint, and what the service requires of public clients. */
export interface AuthorizationEndpointInput {
  readonly UserPoolId: string;
  readonly Parameters: OAuthParameters;
  readonly RequiresPkce: boolean;
  readonly IsPushed?: boolean;
}

/**
 * Checks a request to the authorization endpoint. Before the client and redirect URI are verified, an error has no address: the author of
 * the link must not choose where the browser is sent.
 */
export async function parseAuthorizationRequest(
  ports: SettingsPorts & PublishedKeyPorts & StoreReads<'identityProviders' | 'resourceServers'>,
  { UserPoolId, Parameters: parameters, RequiresPkce, IsPushed = false }: AuthorizationEndpointInput,
): Promise<CheckedAuthorizationRequest> {
  checkOAuthParameters(parameters, createPageError);
  const clientId = readOAuthParameter(parameters, 'client_id', createPageError);
  if (clientId === undefined) throw createPageError('invalid_request', 'The parameter client_id is missing.');
  const owner = await findClientOfPool(ports, UserPoolId, clientId);
  if (owner === undefined) throw createPageError('invalid_client', 'No such app client exists here.');
  const grants = readClientGrants(owner.client);
  const { redirectUri, isRedirectUriSent } = parseRedirectUri(parameters, grants);
  const asked = parameters.response_type?.[0] === 'token' ? 'token' : 'code';
  const stateValues = parameters.state ?? [];
  const state = stateValues.length === 1 ? stateValues[0] || null : null;
  const mode = parseResponseMode(parameters, redirectUri);
  const refuse = createCallbackErrorFactory(owner, { redirectUri, responseType: asked, ...mode, state });
  const responseType = parseResponseType(parameters, grants, refuse);
  checkUnsupportedParameters(parameters, { responseType, redirectUri }, refuse);
  if (!IsPushed && grants.requiresPushedRequests) {
    throw refuse('invalid_request', 'The app client must push its requests to /oauth2/par first.');
  }
  const offered = await resolveIdentityProviders(ports, owner, parameters, refuse);
  const prompts = parsePrompts(parameters, refuse);
  const request: OAuthAuthorizationRequest = {
    redirectUri,
    isRedirectUriSent,
    responseType,
    ...mode,
    ...(await resolveScope(ports, owner, parameters, refuse)),
    state: readOAuthParameter(parameters, 'state', refuse) ?? null,
    nonce: readOAuthParameter(parameters, 'nonce', refuse) ?? null,
    codeChallenge: parseCodeChallenge(parameters, RequiresPkce && responseType === 'code', owner, refuse),
    audience: parseAudience(readOAuthParameter(parameters, 'resource', refuse), refuse),
    prompts,
    maxAgeSeconds: parseMaxAge(parameters, refuse),
    ...parseLevels(owner, readOAuthParameter(parameters, 'acr_values', refuse)),
    ...(await parseIdTokenHint(ports, owner, { parameters, prompts }, refuse)),
    ...(offered.named !== undefined && { identityProvider: offered.named }),
  };
  const { id: ClientId, name: ClientName } = owner.client;
  const { issuer: Issuer } = owner.pool.settings;
  const { ssoSeconds: SsoSeconds, admitsLocalUsers: AdmitsLocalUsers } = grants;
  return {
    ClientId,
    ClientName,
    Issuer,
    SsoSeconds,
    AdmitsLocalUsers,
    IdentityProviders: offered.names,
    Request: request,
  };
}

/** Creates errors that are sent to the client's callback and name this issuer (RFC 9207). */
function createCallbackErrorFactory(
  { pool }: PoolAndClient,
  to: Pick<OAuthAuthorizationRequest, 'redirectUri' | 'responseType' | 'responseMode' | 'state'>,
): OAuthErrorFactory {
  return (error, message) => {
    const response = { error, error_description: message, iss: pool.settings.issuer };
    const { Location: location, Form: form } = createAuthorizationResponse(to, response);
    return new OAuthError(error, message, { location, form });
  };
}

function parseRedirectUri(parameters: OAuthParameters, { callbackUrls, defaultRedirectUri }: ClientGrants) {
  const sent = readOAuthParameter(parameters, 'redirect_uri', createPageError);
  const redirectUri = sent ?? defaultRedirectUri;
  if (redirectUri === undefined) throw createPageError('invalid_request', 'The parameter redirect_uri is missing.');
  if (!isRegisteredRedirectUri(callbackUrls, redirectUri)) {
    throw createPageError('invalid_request', 'The redirect_uri is none of the callback URLs of the app client.');
  }
  return { redirectUri, isRedirectUriSent: sent !== undefined };
}

const FLOW_BY_RESPONSE_TYPE = { code: 'code', token: 'implicit' } as const;

function parseResponseType(
  parameters: OAuthParameters,
  { flows }: ClientGrants,
  refuse: OAuthErrorFactory,
): 'code' | 'token' {
  const type = readOAuthParameter(parameters, 'response_type', refuse);
  if (type === undefined) throw refuse('invalid_request', 'The parameter response_type is missing.');
  if (type !== 'code' && type !== 'token') {
    throw refuse('unsupported_response_type', 'The response_type must be code or token.');
  }
  if (flows.includes(FLOW_BY_RESPONSE_TYPE[type])) return type;
  throw refuse('unauthorized_client', `The app client does not allow the flow ${FLOW_BY_RESPONSE_TYPE[type]}.`);
}

/** A browser can post a form only to an HTTP or HTTPS address. */
function parseResponseMode(
  { response_mode: modes = [] }: OAuthParameters,
  redirectUri: string,
): Pick<OAuthAuthorizationRequest, 'responseMode'> {
  const isFormPost = modes.length === 1 && modes[0] === 'form_post' && /^https?:/.test(redirectUri);
  return isFormPost ? { responseMode: 'form_post' } : {};
}

/** Refuses parameters that would change the meaning of the request if they were ignored. */
function checkUnsupportedParameters(
  parameters: OAuthParameters,
  { responseType, redirectUri }: Pick<OAuthAuthorizationRequest, 'responseType' | 'redirectUri'>,
  refuse: OAuthErrorFactory,
): void {
  const sent = (name: string) => readOAuthParameter(parameters, name, refuse);
  if (sent('request') !== undefined) throw refuse('request_not_supported', 'Request objects are not supported.');
  if (sent('request_uri') !== undefined) throw refuse('request_uri_not_supported', 'Request URIs are not supported.');
  const mode = responseType === 'code' ? 'query' : 'fragment';
  const isFormPost = parseResponseMode(parameters, redirectUri).responseMode === 'form_post';
  if (!isFormPost && (sent('response_mode') ?? mode) !== mode) {
    throw refuse('invalid_request', `The response_mode must be ${mode}, or form_post for a callback over HTTP.`);
  }
}

/**
 * The identity providers of a client, and the one that the request names.
 * @throws {OAuthError} `invalid_request`: the client does not offer it; `unauthorized_client`: the client offers nothing
 */
async function resolveIdentityProviders(
  ports: SettingsCachePort & StoreReads<'identityProviders'>,
  owner: PoolAndClient,
  parameters: OAuthParameters,
  refuse: OAuthErrorFactory,
): Promise<{ readonly names: readonly string[]; readonly named: string | undefined }> {
  const offered = await listProvidersOfClient(ports, owner);
  const { admitsLocalUsers } = readClientGrants(owner.client);
  if (!admitsLocalUsers && offered.length === 0) {
    throw refuse('unauthorized_client', 'SupportedIdentityProviders of the app client does not name COGNITO.');
  }
  const names = offered.map(({ name }) => name);
  const asked = readOAuthParameter(parameters, 'identity_provider', refuse);
  const identifier = readOAuthParameter(parameters, 'idp_identifier', refuse);
  if (asked === undefined && identifier === undefined) return { names, named: undefined };
  if (asked === LOCAL_USERS && admitsLocalUsers) return { names, named: undefined };
  const named = asked ?? findProviderByIdentifier(offered, readDomain(identifier ?? ''))?.name;
  if (named === undefined || !names.includes(named)) {
    throw refuse('invalid_request', 'There is no such identity provider.');
  }
  return { names, named };
}

/** The identifier of a provider may be the domain of its users, who type their email address. */
function readDomain(identifier: string): string {
  return identifier.slice(identifier.lastIndexOf('@') + 1);
}

/** @throws {OAuthError} `invalid_scope` */
export async function resolveScope(
  ports: SettingsCachePort & StoreReads<'resourceServers'>,
  { pool, client }: PoolAndClient,
  parameters: OAuthParameters,
  refuse: OAuthErrorFactory,
): Promise<Pick<OAuthAuthorizationRequest, 'scope' | 'isScopeOmitted'>> {
  const { scopes: allowed } = readClientGrants(client);
  const requested = [...new Set(parseScopes(readOAuthParameter(parameters, 'scope', refuse)))];
  const wanted = requested.length === 0 ? allowed : requested;
  const existing = await findCachedResourceServerScopes(
    ports,
    pool.id,
    wanted.filter((scope) => allowed.includes(scope)),
  );
  const isGood = (scope: string) => allowed.includes(scope) && (isPoolScope(scope) || existing.has(scope));
  // If the request names no scopes, the client gets all allowed ones that exist. Every scope that it names must exist.
  const granted = requested.length === 0 ? wanted.filter(isGood) : wanted;
  if (granted.length === 0 || !granted.every(isGood)) {
    throw refuse('invalid_scope', 'A requested scope does not exist, or the app client may not ask for it.');
  }
  const isAboutUser = granted.some((scope) => OPENID_SCOPES.some((name) => name === scope));
  if (isAboutUser && !granted.includes('openid')) {
    throw refuse('invalid_scope', 'The scopes email, phone and profile go with openid only.');
  }
  return { scope: granted.join(' '), ...(requested.length === 0 && { isScopeOmitted: true }) };
}

/** SHA-256, base64url (RFC 7636 §4.2). */
const S256_CHALLENGE = /^[\w-]{43}$/;

function parseCodeChallenge(
  parameters: OAuthParameters,
  isRequired: boolean,
  { client }: PoolAndClient,
  refuse: OAuthErrorFactory,
): string | null {
  const challenge = readOAuthParameter(parameters, 'code_challenge', refuse);
  const method = readOAuthParameter(parameters, 'code_challenge_method', refuse);
  if (challenge === undefined) {
    if (method !== undefined) throw refuse('invalid_request', 'The parameter code_challenge is missing.');
    if (isRequired && !isConfidentialClient(client)) {
      throw refuse('invalid_request', 'This app client must use PKCE: the parameter code_challenge is missing.');
    }
    return null;
  }
  if (method !== 'S256') throw refuse('invalid_request', 'The code_challenge_method must be S256.');
  if (!S256_CHALLENGE.test(challenge)) throw refuse('invalid_request', 'The code_challenge is none of S256.');
  return challenge;
}

const PROMPTS: readonly OAuthPrompt[] = ['none', 'login', 'select_account', 'consent', 'create'];

function parsePrompts(parameters: OAuthParameters, refuse: OAuthErrorFactory): readonly OAuthPrompt[] {
  const named = parseScopes(readOAuthParameter(parameters, 'prompt', refuse));
  const known = PROMPTS.filter((prompt) => named.includes(prompt));
  if (known.length < new Set(named).size) throw refuse('invalid_request', 'The prompt is not known.');
  if (known.includes('none') && known.length > 1) {
    throw refuse('invalid_request', 'The prompt none goes with no other one.');
  }
  return known;
}

/**
 * Returns the user that a hint names. A hint whose signing key is gone names no one, so a request that shows no page cannot be
 * answered.
 * @throws {OAuthError} `login_required`
 */
async function parseIdTokenHint(
  ports: PublishedKeyPorts,
  { pool }: PoolAndClient,
  { parameters, prompts }: { readonly parameters: OAuthParameters; readonly prompts: readonly OAuthPrompt[] },
  refuse: OAuthErrorFactory,
): Promise<Pick<OAuthAuthorizationRequest, 'hintedSub'>> {
  const hint = readOAuthParameter(parameters, 'id_token_hint', refuse);
  if (hint === undefined) return {};
  const hinted = await readIdTokenHint(ports, pool, hint);
  if (hinted !== undefined) return { hintedSub: hinted.Sub };
  if (prompts.includes('none')) throw refuse('login_required', 'The id_token_hint is no ID token of this user pool.');
  return {};
}

/** As OpenID Connect requires, a request that names no level of the pool is like one without names. So is one of the plan LITE, as in Cognito. */
function parseLevels({ pool }: PoolAndClient, values: string | undefined): Pick<OAuthAuthorizationRequest, 'levels'> {
  if (values === undefined || !offersAcrLevels(pool.settings)) return {};
  const levels = parseAcrValues(pool.settings, values);
  return levels.length === 0 ? {} : { levels };
}

function parseMaxAge(parameters: OAuthParameters, refuse: OAuthErrorFactory): number | null {
  const age = readOAuthParameter(parameters, 'max_age', refuse);
  if (age === undefined) return null;
  if (/^\d{1,9}$/.test(age)) return Number(age);
  throw refuse('invalid_request', 'The max_age must be a number of seconds.');
}
