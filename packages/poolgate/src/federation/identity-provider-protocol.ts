import { createHash } from 'node:crypto';
import {
  type Clock,
  type FederatedProvider,
  IdentityProviderError,
  type IdentityProviderProtocol,
  type ProviderAccount,
  type SignInProtection,
} from '@poolgate/pool';
import type * as OpenIdClient from 'openid-client';
import { createAppleSecret, readAppleName } from './apple.ts';
import { checkProvider } from './check-provider.ts';
import { createGuardedFetch, isAllowedUrl, type ProviderTargets } from './guarded-fetch.ts';

/** The options of the protocol. */
export interface IdentityProviderProtocolOptions extends ProviderTargets {
  readonly clock: Clock;
}

type Library = typeof OpenIdClient;
type Claims = Readonly<Record<string, unknown>>;

/** How long a provider's published metadata is cached. */
const METADATA_LIFE_MS = 10 * 60_000;
const MAX_KNOWN = 300;
const TIMEOUT_SECONDS = 8;

interface KnownProvider {
  readonly configuration: Promise<OpenIdClient.Configuration>;
  readonly untilMs: number;
}

/**
 * Speaks with identity providers by openid-client. ID tokens are always verified with the provider's keys, those from the token endpoint too.
 * The library is loaded with the first sign-in.
 */
export function createIdentityProviderProtocol(options: IdentityProviderProtocolOptions): IdentityProviderProtocol {
  const known = new Map<string, KnownProvider>();
  const fetch = createGuardedFetch(options);
  const loadLibrary = () => import('openid-client');

  async function configure(provider: FederatedProvider): Promise<OpenIdClient.Configuration> {
    const key = createHash('sha256').update(JSON.stringify(provider)).digest('hex');
    const nowMs = options.clock.now();
    const before = known.get(key);
    if (before !== undefined && nowMs < before.untilMs) return before.configuration;
    if (known.size >= MAX_KNOWN) known.clear();
    const configuration = loadLibrary().then((library) => createConfiguration(library, provider, fetch, options));
    known.set(key, { configuration, untilMs: nowMs + METADATA_LIFE_MS });
    // The next sign-in retries a failed discovery.
    configuration.catch(() => known.delete(key));
    return configuration;
  }

  return {
    createAuthorizationUrl: (provider, protection, wishes) =>
      translateFailures(async () => {
        const library = await loadLibrary();
        const parameters = await createParameters(library, provider, protection, wishes);
        return library.buildAuthorizationUrl(await configure(provider), parameters).href;
      }),
    redeemCode: (provider, protection, { parameters, wantedClaims }) =>
      translateFailures(async () => {
        const library = await loadLibrary();
        const configuration = await configure(provider);
        const exchange = { library, configuration, provider, protection, wantedClaims };
        return provider.type === 'Facebook' || provider.type === 'LoginWithAmazon'
          ? redeemWithProfile(exchange, parameters)
          : redeemWithIdToken(exchange, parameters);
      }),
    check: async (provider, redirectUri) => {
      const library = await loadLibrary();
      return checkProvider({ library, fetch, configure: () => configure(provider) }, provider, redirectUri);
    },
  };
}

async function createConfiguration(
  library: Library,
  provider: FederatedProvider,
  fetch: ReturnType<typeof createGuardedFetch>,
  targets: ProviderTargets,
): Promise<OpenIdClient.Configuration> {
  const metadata = await readServerMetadata(library, provider, fetch, targets);
  const endpoints = [metadata.authorization_endpoint, metadata.token_endpoint, metadata.jwks_uri];
  const isForbidden = endpoints.some((url) => url !== undefined && !isAllowedUrl(url, targets));
  if (isForbidden) throw new IdentityProviderError('invalid_response', 'An endpoint of the provider is not allowed.');
  const authentication = selectClientAuthentication(library, provider, metadata);
  const { client_id: clientId = '' } = provider.details;
  const configuration = new library.Configuration(metadata, clientId, undefined, authentication);
  configuration[library.customFetch] = fetch;
  configuration.timeout = TIMEOUT_SECONDS;
  if (targets.allowPrivate || targets.allowLoopback) library.allowInsecureRequests(configuration);
  if (metadata.jwks_uri !== undefined) library.enableNonRepudiationChecks(configuration);
  return configuration;
}

/** Returns the provider's published metadata, or the metadata from its details if they are complete. */
async function readServerMetadata(
  library: Library,
  { type, details }: FederatedProvider,
  fetch: ReturnType<typeof createGuardedFetch>,
  targets: ProviderTargets,
): Promise<OpenIdClient.ServerMetadata> {
  const { oidc_issuer: issuer, authorize_url: authorize, token_url: token, attributes_url: attributes } = details;
  const hasIdToken = type !== 'Facebook' && type !== 'LoginWithAmazon';
  if (!hasIdToken || (issuer && authorize && token && details.jwks_uri)) {
    return {
      issuer: hasIdToken ? (issuer ?? '') : new URL(token ?? '').origin,
      ...(authorize && { authorization_endpoint: authorize }),
      ...(token && { token_endpoint: token }),
      ...(attributes && { userinfo_endpoint: attributes }),
      ...(hasIdToken && details.jwks_uri && { jwks_uri: details.jwks_uri }),
    };
  }
  const insecure = targets.allowPrivate || targets.allowLoopback ? [library.allowInsecureRequests] : [];
  const discovered = await library.discovery(
    new URL(issuer ?? ''),
    details.client_id ?? '',
    undefined,
    library.None(),
    {
      [library.customFetch]: fetch,
      timeout: TIMEOUT_SECONDS,
      execute: insecure,
    },
  );
  const { supportsPKCE: _, ...metadata } = discovered.serverMetadata();
  if (metadata.jwks_uri === undefined) {
    throw new IdentityProviderError('invalid_response', 'The provider publishes no keys.');
  }
  // Google and Apple always use their published addresses. For an OIDC provider, the settings can override the address.
  return type === 'OIDC' && attributes ? { ...metadata, userinfo_endpoint: attributes } : metadata;
}

function selectClientAuthentication(
  library: Library,
  provider: FederatedProvider,
  { token_endpoint_auth_methods_supported: supported }: OpenIdClient.ServerMetadata,
): OpenIdClient.ClientAuth {
  const { secret } = provider;
  if (secret === '') return library.None();
  if (provider.type === 'SignInWithApple') {
    return async (_server, _client, body) => {
      body.set('client_id', provider.details.client_id ?? '');
      body.set('client_secret', await createAppleSecret(provider));
    };
  }
  const isOpenId = provider.type === 'OIDC';
  // The default of OpenID Connect, used if the provider does not list its supported methods.
  const usesBasic = isOpenId && !(supported ?? ['client_secret_basic']).includes('client_secret_post');
  return usesBasic ? library.ClientSecretBasic(secret) : library.ClientSecretPost(secret);
}

async function createParameters(
  library: Library,
  { type, details }: FederatedProvider,
  { redirectUri, state, nonce, codeVerifier }: SignInProtection,
  { mustLogIn, loginHint, acrValues }: Parameters<IdentityProviderProtocol['createAuthorizationUrl']>[2],
): Promise<Record<string, string>> {
  const { authorize_scopes: scopes = '' } = details;
  const hasIdToken = type !== 'Facebook' && type !== 'LoginWithAmazon';
  // Google's scopes imply it at Cognito.
  const scope = type === 'Google' && !scopes.split(' ').includes('openid') ? `openid ${scopes}` : scopes;
  return {
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: await library.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...(hasIdToken && { nonce }),
    ...(type === 'SignInWithApple' && { response_mode: 'form_post' }),
    ...(mustLogIn && hasIdToken && formatLoginWish(type)),
    ...(loginHint !== undefined && hasIdToken && { login_hint: loginHint }),
    ...(acrValues !== undefined && { acr_values: acrValues }),
  };
}

/** Google has no other prompt than the choice of an account, which shows the accounts and waits for the user. */
function formatLoginWish(type: FederatedProvider['type']): Record<string, string> {
  return type === 'Google' ? { prompt: 'select_account' } : { prompt: 'login', max_age: '0' };
}

interface Exchange {
  readonly library: Library;
  readonly configuration: OpenIdClient.Configuration;
  readonly provider: FederatedProvider;
  readonly protection: SignInProtection;
  readonly wantedClaims: readonly string[];
}

function toResponseUrl({ redirectUri }: SignInProtection, parameters: Readonly<Record<string, string>>): URL {
  const { user: _, ...response } = parameters;
  return new URL(`${redirectUri}?${new URLSearchParams(response)}`);
}

async function redeemWithIdToken(
  { library, configuration, provider, protection }: Exchange,
  parameters: Readonly<Record<string, string>>,
): Promise<ProviderAccount> {
  const { state, nonce, codeVerifier } = protection;
  const tokens = await library.authorizationCodeGrant(configuration, toResponseUrl(protection, parameters), {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
  });
  const idToken = tokens.claims();
  if (idToken === undefined) throw new IdentityProviderError('invalid_response', 'The provider gave no ID token.');
  const userInfo = await fetchProfile({ library, configuration, provider }, tokens.access_token, idToken.sub);
  const name = provider.type === 'SignInWithApple' ? readAppleName(parameters.user) : {};
  const { auth_time: authTime } = idToken;
  return {
    claims: { ...name, ...idToken, ...userInfo },
    authTimeSeconds: typeof authTime === 'number' ? authTime : undefined,
    tokenResponse: tokens,
    idToken,
    userInfo,
  };
}

/** Claims that only the provider's API has. Its answer must be about the account of the ID token. */
async function fetchProfile(
  { library, configuration, provider }: Pick<Exchange, 'library' | 'configuration' | 'provider'>,
  accessToken: string,
  subject: string,
): Promise<Claims | undefined> {
  const { userinfo_endpoint: endpoint } = configuration.serverMetadata();
  if (endpoint === undefined || provider.type === 'SignInWithApple') return undefined;
  if (provider.details.attributes_request_method !== 'POST') {
    return library.fetchUserInfo(configuration, accessToken, subject);
  }
  const profile = await fetchJson({ library, configuration }, accessToken, new URL(endpoint), 'POST');
  if (profile.sub === subject) return profile;
  throw new IdentityProviderError('invalid_response', 'The profile belongs to another account.');
}

/** Facebook and Amazon issue no ID token for this. Their API returns the owner of the access token. */
async function redeemWithProfile(
  { library, configuration, provider, protection, wantedClaims }: Exchange,
  parameters: Readonly<Record<string, string>>,
): Promise<ProviderAccount> {
  const { state, codeVerifier } = protection;
  const tokens = await library.authorizationCodeGrant(configuration, toResponseUrl(protection, parameters), {
    expectedState: state,
    pkceCodeVerifier: codeVerifier,
  });
  const { attributes_url: address = '', attributes_url_add_attributes: addsAttributes } = provider.details;
  const fields = addsAttributes === 'true' ? encodeURIComponent([...new Set(['id', ...wantedClaims])].join(',')) : '';
  const userInfo = await fetchJson(
    { library, configuration },
    tokens.access_token,
    new URL(`${address}${fields}`),
    'GET',
  );
  return { claims: userInfo, authTimeSeconds: undefined, tokenResponse: tokens, idToken: undefined, userInfo };
}

async function fetchJson(
  { library, configuration }: Pick<Exchange, 'library' | 'configuration'>,
  accessToken: string,
  url: URL,
  method: 'GET' | 'POST',
): Promise<Claims> {
  const response = await library.fetchProtectedResource(configuration, accessToken, url, method);
  const body: unknown = response.ok ? await response.json().catch(() => undefined) : undefined;
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Claims;
  throw new IdentityProviderError('invalid_response', 'The provider did not return the profile of the account.');
}

/** Translates the library's errors by meaning. It discards the provider's response, which may contain tokens. */
async function translateFailures<Result>(exchange: () => Promise<Result>): Promise<Result> {
  try {
    return await exchange();
  } catch (error) {
    if (error instanceof IdentityProviderError) throw error;
    const { ResponseBodyError, AuthorizationResponseError, WWWAuthenticateChallengeError } = await import(
      'openid-client'
    );
    const isRefused = [ResponseBodyError, AuthorizationResponseError, WWWAuthenticateChallengeError].some(
      (kind) => error instanceof kind,
    );
    if (isRefused) throw new IdentityProviderError('refused', 'The provider refused the exchange.');
    const code = (error as { code?: unknown }).code;
    const isInvalid = typeof code === 'string' && code.startsWith('OAUTH_') && code !== 'OAUTH_TIMEOUT';
    const reason = isInvalid ? 'invalid_response' : 'unreachable';
    const cause = new Error(error instanceof Error ? error.message : 'unknown');
    throw new IdentityProviderError(reason, 'The exchange with the provider failed.', { cause });
  }
}
