import { memoizeAsync } from './memoize-async.ts';
import type { SessionUser } from './modes/session-mode.ts';
import { type AccessClaims, type TokenRequirements, verifyAccessToken } from './server/access-token.ts';
import { type AnyRequest, findHeader } from './server/request-headers.ts';
import { createSigningKeys } from './server/signing-keys.ts';
import { PoolgateError, toNetworkError, toPoolgateError } from './transport/poolgate-error.ts';
import type { RouteResponse } from './transport/routes.ts';

export type { AccessClaims } from './server/access-token.ts';
export type { AnyRequest } from './server/request-headers.ts';
export { type ClientErrorCode, PoolgateError } from './transport/poolgate-error.ts';

/** The caller of a request. */
export type Caller =
  /** A browser with a session of the service. */
  | { readonly kind: 'session'; readonly user: SessionUser }
  /** A program with an access token. */
  | { readonly kind: 'token'; readonly claims: AccessClaims };

/** Options of the authenticator. */
export interface AuthenticatorOptions {
  /** The base URL of the service, as this server reaches it. */
  readonly baseUrl: string;
  /** The accepted proofs. Default: an access token, or a session if there is none. */
  readonly accept?: readonly Caller['kind'][];
  /** Clients whose tokens are accepted. Default: the service's own client. */
  readonly clientIds?: readonly string[];
  /** The `iss` of the tokens. Default: the issuer that the service publishes, or Amazon's if the service uses a Cognito pool. */
  readonly issuer?: string;
  /** The URL of the signing keys. Default: the issuer's key set. */
  readonly jwksUrl?: string;
  /**
   * True to ask the service whether a token was revoked. By default, tokens stay valid until they expire, even after a logout. Sessions are
   * always checked.
   */
  readonly checkRevocation?: boolean;
  /** The name of the session cookie. */
  readonly cookieName?: string;
  /** The path prefix of the session routes. */
  readonly webPrefix?: string;
  readonly fetch?: typeof globalThis.fetch;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * Identifies the caller; null if the request proves none.
 * @throws {PoolgateError} the service could not be reached, so the caller is unknown
 */
export type Authenticator = (request: AnyRequest) => Promise<Caller | null>;

/** Creates a function that identifies the caller of a request, by a browser session or an access token. */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { accept = ['token', 'session'] } = options;
  const ask = createJsonFetch(options);
  const trust = memoizeAsync(() => loadTokenRequirements(options, ask));
  return async (request) => {
    const token = accept.includes('token') ? findBearerToken(request) : undefined;
    if (token !== undefined) return findTokenCaller(options, { ask, token, trust: await trust() });
    return accept.includes('session') ? findSessionCaller(options, ask, request) : null;
  };
}

type JsonFetch = <T>(url: string, headers?: Readonly<Record<string, string>>) => Promise<T>;

function createJsonFetch({ fetch = globalThis.fetch }: AuthenticatorOptions): JsonFetch {
  return async <T>(url: string, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await fetch(url, { headers, redirect: 'error', cache: 'no-store' }).catch((cause: unknown) => {
      throw toNetworkError(cause);
    });
    if (!answer.ok) throw await toPoolgateError(answer);
    return (await answer.json()) as T;
  };
}

const BEARER = /^Bearer ([\w.-]+)$/i;

function findBearerToken(request: AnyRequest): string | undefined {
  return BEARER.exec(findHeader(request, 'authorization') ?? '')?.[1];
}

interface BearerCheck {
  readonly ask: JsonFetch;
  readonly token: string;
  readonly trust: TokenRequirements;
}

async function findTokenCaller(
  { baseUrl, checkRevocation = false }: AuthenticatorOptions,
  { ask, token, trust }: BearerCheck,
): Promise<Caller | null> {
  const claims = await verifyAccessToken(trust, token);
  if (claims === undefined) return null;
  const isGood =
    !checkRevocation || (await isAccepted(() => ask(`${baseUrl}/user/profile`, { authorization: `Bearer ${token}` })));
  return isGood ? { kind: 'token', claims } : null;
}

async function isAccepted(call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call();
    return true;
  } catch (error) {
    if (error instanceof PoolgateError && error.status === 401) return false;
    throw error;
  }
}

/** Only the session cookie is forwarded, because the service does not need the others. */
async function findSessionCaller(
  { baseUrl, cookieName = '__Host-poolgate', webPrefix = '/cognito' }: AuthenticatorOptions,
  ask: JsonFetch,
  request: AnyRequest,
): Promise<Caller | null> {
  const cookies = (findHeader(request, 'cookie') ?? '').split(';').map((cookie) => cookie.trim());
  const own = cookies.filter((cookie) => cookie.startsWith(`${cookieName}=`));
  const [cookie] = own;
  if (cookie === undefined || own.length > 1) return null;
  const { user } = await ask<RouteResponse<'webSession'>>(`${baseUrl}${webPrefix}/session`, { cookie });
  return user && { kind: 'session', user };
}

interface Discovery {
  readonly issuer: string;
  readonly jwks_uri: string;
}

async function loadTokenRequirements(options: AuthenticatorOptions, ask: JsonFetch): Promise<TokenRequirements> {
  const { baseUrl, now = Date.now } = options;
  const { provider } = await ask<RouteResponse<'loginParameters'>>(`${baseUrl}/login/parameters`);
  const { issuer, jwks_uri } = await discoverIssuer(options, ask, provider);
  const load = async () => (await ask<{ readonly keys: readonly JsonWebKey[] }>(options.jwksUrl ?? jwks_uri)).keys;
  return {
    issuer: options.issuer ?? issuer,
    clientIds: options.clientIds ?? [provider.client_id],
    keys: createSigningKeys(load, now),
    now,
  };
}

type Provider = RouteResponse<'loginParameters'>['provider'];

/** The embedded pool publishes it below its id. A service without it uses an Amazon pool. */
async function discoverIssuer(
  { baseUrl, issuer, jwksUrl }: AuthenticatorOptions,
  ask: JsonFetch,
  { region, user_pool_id: pool }: Provider,
): Promise<Discovery> {
  if (issuer !== undefined) return { issuer, jwks_uri: jwksUrl ?? `${issuer}/.well-known/jwks.json` };
  try {
    const published = await ask<Discovery>(`${baseUrl}/${pool}/.well-known/openid-configuration`);
    return { ...published, jwks_uri: `${baseUrl}/${pool}/.well-known/jwks.json` };
  } catch (error) {
    if (!(error instanceof PoolgateError) || error.status !== 404) throw error;
    const amazon = `https://cognito-idp.${region}.amazonaws.com/${pool}`;
    return { issuer: amazon, jwks_uri: `${amazon}/.well-known/jwks.json` };
  }
}
