import {
  authorizationLocation,
  type CheckedAuthorization,
  type OAuthAuthorizationRequest,
  OAuthError,
  type OAuthPrompt,
  scopesOf,
} from '@poolgate/provider';
import type { StoreReads } from '../kernel/ports.ts';
import type { PoolAndClient } from '../pools/pools.ts';
import type { SettingsCachePort, SettingsPorts } from '../pools/settings-ports.ts';
import { type ClientGrants, clientGrants } from './client-grants.ts';
import { clientOfPool } from './client-proof.ts';
import { isHandledScheme } from './handled-schemes.ts';
import { checkReadable, errorOnPage, type MakeOAuthError, type Parameters, parameter } from './parameters.ts';
import { isRegisteredUri } from './redirect-uris.ts';
import { currentScopes, isPoolScope, OPENID_SCOPES } from './scopes.ts';

/** A request to the authorization endpoint, and what the service asks of public clients. */
export interface AuthorizeInput {
  readonly UserPoolId: string;
  readonly Parameters: Parameters;
  readonly RequiresPkce: boolean;
}

/**
 * Checks a request to the authorization endpoint. Before client and redirect URI are proven a refusal has no address: whoever wrote the
 * link must not choose where the browser is sent.
 * @throws {OAuthError}
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/authorization-endpoint.html
 */
export async function authorize(
  ports: SettingsPorts & StoreReads<'resourceServers'>,
  { UserPoolId, Parameters: parameters, RequiresPkce }: AuthorizeInput,
): Promise<CheckedAuthorization> {
  checkReadable(parameters, errorOnPage);
  const clientId = parameter(parameters, 'client_id', errorOnPage);
  if (clientId === undefined) throw errorOnPage('invalid_request', 'The parameter client_id is missing.');
  const owner = await clientOfPool(ports, UserPoolId, clientId);
  if (owner === undefined) throw errorOnPage('invalid_client', 'No such app client exists here.');
  const grants = clientGrants(owner.client);
  const { redirectUri, isRedirectUriSent } = redirectUriOf(parameters, grants);
  const asked = parameters.response_type?.[0] === 'token' ? 'token' : 'code';
  const stateValues = parameters.state ?? [];
  const state = stateValues.length === 1 ? stateValues[0] || null : null;
  const refuse = refusalAt(owner, { redirectUri, responseType: asked, state });
  const responseType = responseTypeOf(parameters, grants, refuse);
  checkUnsupported(parameters, responseType, refuse);
  if (!grants.admitsLocalUsers) {
    throw refuse('unauthorized_client', 'SupportedIdentityProviders of the app client does not name COGNITO.');
  }
  const request: OAuthAuthorizationRequest = {
    redirectUri,
    isRedirectUriSent,
    responseType,
    scope: await scopeOf(ports, owner, parameters, refuse),
    state: parameter(parameters, 'state', refuse) ?? null,
    nonce: parameter(parameters, 'nonce', refuse) ?? null,
    codeChallenge: codeChallengeOf(parameters, RequiresPkce && responseType === 'code', owner, refuse),
    audience: audienceOf(parameter(parameters, 'resource', refuse), refuse),
    prompts: promptsOf(parameters, refuse),
    maxAgeSeconds: maxAgeOf(parameters, refuse),
  };
  const { id: ClientId, name: ClientName } = owner.client;
  const { issuer: Issuer } = owner.pool.settings;
  return { ClientId, ClientName, Issuer, SsoSeconds: grants.ssoSeconds, Request: request };
}

/** A refusal that goes to the callback of the client, and says who sends it there (RFC 9207). */
function refusalAt(
  { pool }: PoolAndClient,
  to: Pick<OAuthAuthorizationRequest, 'redirectUri' | 'responseType' | 'state'>,
): MakeOAuthError {
  return (error, message) => {
    const answer = { error, error_description: message, iss: pool.settings.issuer };
    return new OAuthError(error, message, { location: authorizationLocation(to, answer) });
  };
}

function redirectUriOf(parameters: Parameters, { callbackUrls, defaultRedirectUri }: ClientGrants) {
  const sent = parameter(parameters, 'redirect_uri', errorOnPage);
  const redirectUri = sent ?? defaultRedirectUri;
  if (redirectUri === undefined) throw errorOnPage('invalid_request', 'The parameter redirect_uri is missing.');
  if (!isRegisteredUri(callbackUrls, redirectUri)) {
    throw errorOnPage('invalid_request', 'The redirect_uri is none of the callback URLs of the app client.');
  }
  return { redirectUri, isRedirectUriSent: sent !== undefined };
}

const FLOW_OF = { code: 'code', token: 'implicit' } as const;

function responseTypeOf(parameters: Parameters, { flows }: ClientGrants, refuse: MakeOAuthError): 'code' | 'token' {
  const type = parameter(parameters, 'response_type', refuse);
  if (type === undefined) throw refuse('invalid_request', 'The parameter response_type is missing.');
  if (type !== 'code' && type !== 'token') {
    throw refuse('unsupported_response_type', 'The response_type must be code or token.');
  }
  if (flows.includes(FLOW_OF[type])) return type;
  throw refuse('unauthorized_client', `The app client does not allow the flow ${FLOW_OF[type]}.`);
}

/** What is asked in a way that would be something else if it were passed over. */
function checkUnsupported(parameters: Parameters, responseType: 'code' | 'token', refuse: MakeOAuthError): void {
  const sent = (name: string) => parameter(parameters, name, refuse);
  if (sent('request') !== undefined) throw refuse('request_not_supported', 'Request objects are not supported.');
  if (sent('request_uri') !== undefined) throw refuse('request_uri_not_supported', 'Request URIs are not supported.');
  const mode = responseType === 'code' ? 'query' : 'fragment';
  if ((sent('response_mode') ?? mode) !== mode) throw refuse('invalid_request', `The response_mode must be ${mode}.`);
  if ((sent('identity_provider') ?? 'COGNITO') !== 'COGNITO' || sent('idp_identifier') !== undefined) {
    throw refuse('invalid_request', 'There is no such identity provider.');
  }
}

async function scopeOf(
  ports: SettingsCachePort & StoreReads<'resourceServers'>,
  { pool, client }: PoolAndClient,
  parameters: Parameters,
  refuse: MakeOAuthError,
): Promise<string> {
  const { scopes: allowed } = clientGrants(client);
  const requested = [...new Set(scopesOf(parameter(parameters, 'scope', refuse)))];
  const wanted = requested.length === 0 ? allowed : requested;
  const existing = await currentScopes(
    ports,
    pool.id,
    wanted.filter((scope) => allowed.includes(scope)),
  );
  const isGood = (scope: string) => allowed.includes(scope) && (isPoolScope(scope) || existing.has(scope));
  // What was left out is everything that there is; what is named must be there.
  const granted = requested.length === 0 ? wanted.filter(isGood) : wanted;
  if (granted.length === 0 || !granted.every(isGood)) {
    throw refuse('invalid_scope', 'A requested scope does not exist, or the app client may not ask for it.');
  }
  const isAboutUser = granted.some((scope) => OPENID_SCOPES.some((name) => name === scope));
  if (isAboutUser && !granted.includes('openid')) {
    throw refuse('invalid_scope', 'The scopes email, phone and profile go with openid only.');
  }
  return granted.join(' ');
}

/** SHA-256, base64url (RFC 7636 §4.2). */
const S256_CHALLENGE = /^[\w-]{43}$/;

function codeChallengeOf(
  parameters: Parameters,
  isRequired: boolean,
  { client }: PoolAndClient,
  refuse: MakeOAuthError,
): string | null {
  const challenge = parameter(parameters, 'code_challenge', refuse);
  const method = parameter(parameters, 'code_challenge_method', refuse);
  if (challenge === undefined) {
    if (method !== undefined) throw refuse('invalid_request', 'The parameter code_challenge is missing.');
    if (isRequired && client.secretsEncrypted.length === 0) {
      throw refuse('invalid_request', 'This app client must use PKCE: the parameter code_challenge is missing.');
    }
    return null;
  }
  if (method !== 'S256') throw refuse('invalid_request', 'The code_challenge_method must be S256.');
  if (!S256_CHALLENGE.test(challenge)) throw refuse('invalid_request', 'The code_challenge is none of S256.');
  return challenge;
}

/** An authority follows the scheme, and no fragment follows (RFC 8707 §2). */
const RESOURCE = /^[a-z][a-z0-9+.-]*:\/\/[^\s#]+$/;

/** https, http on this machine, or the scheme of an application. */
function isResource(text: string): boolean {
  if (!RESOURCE.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'http:' ? hostname === 'localhost' : !isHandledScheme(protocol);
}

/**
 * The resource that a token is to be bound to.
 * @throws {OAuthError} `invalid_target`
 */
export function audienceOf(resource: string | undefined, refuse: MakeOAuthError): string | null {
  if (resource === undefined) return null;
  if (isResource(resource)) return resource;
  throw refuse('invalid_target', 'The resource must be an absolute URL without a fragment.');
}

const PROMPTS: readonly OAuthPrompt[] = ['none', 'login', 'select_account', 'consent'];

function promptsOf(parameters: Parameters, refuse: MakeOAuthError): readonly OAuthPrompt[] {
  const named = scopesOf(parameter(parameters, 'prompt', refuse));
  const known = PROMPTS.filter((prompt) => named.includes(prompt));
  if (known.length < new Set(named).size) throw refuse('invalid_request', 'The prompt is not known.');
  if (known.includes('none') && known.length > 1) {
    throw refuse('invalid_request', 'The prompt none goes with no other one.');
  }
  return known;
}

function maxAgeOf(parameters: Parameters, refuse: MakeOAuthError): number | null {
  const age = parameter(parameters, 'max_age', refuse);
  if (age === undefined) return null;
  if (/^\d{1,9}$/.test(age)) return Number(age);
  throw refuse('invalid_request', 'The max_age must be a number of seconds.');
}
