import { Buffer } from 'node:buffer';
import { OAuthError } from '@poolgate/provider';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { formatSetCookie, readCookie, SESSION_COOKIE, toCookieName, UNFINISHED_COOKIE } from '../web/cookies.ts';
import { findWebSession } from '../web/find-session.ts';
import type { WebSession } from '../web-sessions/web-session.ts';
import type { OAuthRequest, OAuthResponse } from './oauth-endpoint.ts';

/** Distinguishes the browser of a request from all others. It grants no access by itself. */
const BROWSER_COOKIE = '__Host-poolgate-oauth';
const BROWSER_BYTES = 32;
const BROWSER_FORM = /^[\w-]{43}$/;

/** Returns the browser's id; undefined if it has none yet. */
export function readBrowserId({ headers }: Pick<OAuthRequest, 'headers'>): string | undefined {
  return BROWSER_FORM.exec(readCookie(headers.cookie, BROWSER_COOKIE) ?? '')?.[0];
}

/** Returns the browser's id, and the header that sets a new one if it has none. */
export function ensureBrowserId({ random }: GatewayRuntime, request: OAuthRequest) {
  const known = readBrowserId(request);
  const name = known ?? Buffer.from(random(BROWSER_BYTES)).toString('base64url');
  return { name, headers: known === undefined ? { 'set-cookie': formatSetCookie(BROWSER_COOKIE, name, 'Lax') } : {} };
}

/** Returns the session of the user who is signed in at the browser. */
export function findBrowserSession(runtime: GatewayRuntime, request: OAuthRequest): Promise<WebSession | undefined> {
  return findWebSession(
    runtime,
    readCookie(request.headers.cookie, toCookieName(SESSION_COOKIE, runtime)),
    request.call,
  );
}

/** Returns the sign-in at the browser, for {@link selectRequiredStep}. Times are in seconds. */
export function readLoginFacts({ clock }: GatewayRuntime, session: WebSession | undefined) {
  const { authTimeSeconds, sub } = session?.caller ?? {};
  const isFederated = session?.content.identityProvider !== undefined;
  const providerSignInSeconds = isFederated ? Math.floor(session.record.createdAtMs / 1000) : undefined;
  const isAuthTimeUnknown = session?.content.hasUnknownAuthTime ?? false;
  return { authTimeSeconds, isAuthTimeUnknown, providerSignInSeconds, sub, nowSeconds: Math.floor(clock.now() / 1000) };
}

/**
 * Returns the headers that remove a browser's session and the step that it began last. A request from another site does not carry the
 * cookie of the step, so it is always removed.
 */
export function formatSessionRemovalCookies(runtime: GatewayRuntime): string[] {
  return [
    formatSetCookie(toCookieName(SESSION_COOKIE, runtime), '', 'Lax', 0),
    formatSetCookie(toCookieName(UNFINISHED_COOKIE, runtime), '', 'Strict', 0),
  ];
}

/** Returns the path of an endpoint at the request's pool, for the links and forms of its pages. */
export function toPoolPath({ site }: GatewayRuntime, path: string): string {
  return `${site.path}${path}`;
}

/** Redirects the browser to an address that it loads by GET. */
export function createRedirect(
  location: string,
  headers: OAuthResponse['headers'] = {},
  status: 302 | 303 = 302,
): OAuthResponse {
  return { status, headers: { ...headers, location } };
}

/** Together with the service's address, this is within the limits of all browsers and proxies. */
const MAX_QUERY_LENGTH = 7_168;

/** Redirects a browser that posted a form to the same parameters by GET. */
export function continueByGet(path: string, parameters: NonNullable<OAuthRequest['form']>): OAuthResponse {
  const pairs = Object.entries(parameters).flatMap(([name, values]) => values.map((value) => [name, value]));
  const query = new URLSearchParams(pairs).toString();
  if (query.length > MAX_QUERY_LENGTH) throw new OAuthError('invalid_request', 'The request is too long.');
  return createRedirect(`${path}?${query}`, {}, 303);
}
