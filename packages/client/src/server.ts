import { errorOf, networkError, PoolgateError } from './errors.ts';
import type { SessionUser } from './modes/session.ts';
import { once } from './once.ts';
import type { AnswerOf } from './routes.ts';
import { type AccessClaims, type TokenRequirements, verifiedClaims } from './server/access-token.ts';
import { type AnyRequest, headerOf } from './server/headers.ts';
import { signingKeys } from './server/keys.ts';

export { type ClientErrorCode, PoolgateError } from './errors.ts';
export type { AccessClaims } from './server/access-token.ts';
export type { AnyRequest } from './server/headers.ts';

/** Whose request it is. */
export type Caller =
  /** A browser with a session of the service. */
  | { readonly kind: 'session'; readonly user: SessionUser }
  /** A program with an access token. */
  | { readonly kind: 'token'; readonly claims: AccessClaims };

/** How a server tells who is calling. */
export interface AuthenticatorOptions {
  /** Of the service, as this server reaches it. */
  readonly baseUrl: string;
  /** What counts. Left out: an access token, and where there is none a session. */
  readonly accept?: readonly Caller['kind'][];
  /** Clients whose tokens are taken. Left out: the service's own. */
  readonly clientIds?: readonly string[];
  /** `iss` of the tokens. Left out: what the service publishes, or Amazon's where a pool of Cognito stands behind it. */
  readonly issuer?: string;
  /** Where the signing keys are. Left out: at the issuer's. */
  readonly jwksUrl?: string;
  /**
   * True: the service is asked whether the token was revoked. Left out: a token is good until it expires, a logout notwithstanding.
   * A session is always asked for.
   */
  readonly checkRevocation?: boolean;
  /** The cookie of sessions. */
  readonly cookieName?: string;
  /** What stands before the routes of sessions. */
  readonly webPrefix?: string;
  readonly fetch?: typeof globalThis.fetch;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * Tells who is calling; null where nobody proves it.
 * @throws {PoolgateError} the service could not be asked: then nobody knows
 */
export type Authenticator = (request: AnyRequest) => Promise<Caller | null>;

/** Makes the one function by which a server tells who is calling: from a browser's session, or from an access token. */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { accept = ['token', 'session'] } = options;
  const ask = asker(options);
  const trust = once(() => findTrust(options, ask));
  return async (request) => {
    const token = accept.includes('token') ? bearerOf(request) : undefined;
    if (token !== undefined) return byToken(options, { ask, token, trust: await trust() });
    return accept.includes('session') ? bySession(options, ask, request) : null;
  };
}

type Ask = <T>(url: string, headers?: Readonly<Record<string, string>>) => Promise<T>;

function asker({ fetch = globalThis.fetch }: AuthenticatorOptions): Ask {
  return async <T>(url: string, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await fetch(url, { headers, redirect: 'error', cache: 'no-store' }).catch((cause: unknown) => {
      throw networkError(cause);
    });
    if (!answer.ok) throw await errorOf(answer);
    return (await answer.json()) as T;
  };
}

const BEARER = /^Bearer ([\w.-]+)$/i;

function bearerOf(request: AnyRequest): string | undefined {
  return BEARER.exec(headerOf(request, 'authorization') ?? '')?.[1];
}

interface TokenCall {
  readonly ask: Ask;
  readonly token: string;
  readonly trust: TokenRequirements;
}

async function byToken(
  { baseUrl, checkRevocation = false }: AuthenticatorOptions,
  { ask, token, trust }: TokenCall,
): Promise<Caller | null> {
  const claims = await verifiedClaims(trust, token);
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

/** Of the cookies only that of the session goes on: the others are none of the service's business. */
async function bySession(
  { baseUrl, cookieName = '__Host-poolgate', webPrefix = '/cognito' }: AuthenticatorOptions,
  ask: Ask,
  request: AnyRequest,
): Promise<Caller | null> {
  const cookies = (headerOf(request, 'cookie') ?? '').split(';').map((cookie) => cookie.trim());
  const own = cookies.filter((cookie) => cookie.startsWith(`${cookieName}=`));
  const [cookie] = own;
  if (cookie === undefined || own.length > 1) return null;
  const { user } = await ask<AnswerOf<'webSession'>>(`${baseUrl}${webPrefix}/session`, { cookie });
  return user && { kind: 'session', user };
}

interface Discovery {
  readonly issuer: string;
  readonly jwks_uri: string;
}

async function findTrust(options: AuthenticatorOptions, ask: Ask): Promise<TokenRequirements> {
  const { baseUrl, now = Date.now } = options;
  const { provider } = await ask<AnswerOf<'loginParameters'>>(`${baseUrl}/login/parameters`);
  const { issuer, jwks_uri } = await discover(options, ask, provider);
  const load = async () => (await ask<{ readonly keys: readonly JsonWebKey[] }>(options.jwksUrl ?? jwks_uri)).keys;
  return {
    issuer: options.issuer ?? issuer,
    clientIds: options.clientIds ?? [provider.client_id],
    keys: signingKeys(load, now),
    now,
  };
}

type Provider = AnswerOf<'loginParameters'>['provider'];

/** The embedded pool publishes it below its id; behind a service without that stands a pool of Amazon's. */
async function discover(
  { baseUrl, issuer, jwksUrl }: AuthenticatorOptions,
  ask: Ask,
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
