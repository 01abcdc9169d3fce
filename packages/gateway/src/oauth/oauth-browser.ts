import { Buffer } from 'node:buffer';
import { OAuthError } from '@poolgate/provider';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { formatSetCookie, readCookie, SESSION_COOKIE, toCookieName } from '../web/cookies.ts';
import { findWebSession } from '../web/find-session.ts';
import type { WebSession } from '../web-sessions/web-session.ts';
import type { OAuthRequest, OAuthResponse } from './oauth-endpoint.ts';

/** What tells a browser that brings a request from every other one. It opens nothing by itself. */
const BROWSER_COOKIE = '__Host-poolgate-oauth';
const BROWSER_BYTES = 32;
const BROWSER_FORM = /^[\w-]{43}$/;

/** The browser of a request, as it calls itself; undefined where it has no name yet. */
export function readBrowserId({ headers }: OAuthRequest): string | undefined {
  return BROWSER_FORM.exec(readCookie(headers.cookie, BROWSER_COOKIE) ?? '')?.[0];
}

/** The name of the browser, and the header that gives it one where it has none. */
export function ensureBrowserId({ random }: GatewayRuntime, request: OAuthRequest) {
  const known = readBrowserId(request);
  const name = known ?? Buffer.from(random(BROWSER_BYTES)).toString('base64url');
  return { name, headers: known === undefined ? { 'set-cookie': formatSetCookie(BROWSER_COOKIE, name, 'Lax') } : {} };
}

/** Who is signed in at the browser. */
export function findBrowserSession(runtime: GatewayRuntime, request: OAuthRequest): Promise<WebSession | undefined> {
  return findWebSession(
    runtime,
    readCookie(request.headers.cookie, toCookieName(SESSION_COOKIE, runtime)),
    request.call,
  );
}

/** The sign-in at the browser, as {@link selectRequiredStep} compares it with a request. Times are in seconds. */
export function readLoginFacts({ clock }: GatewayRuntime, session: WebSession | undefined) {
  const { authTimeSeconds, sub } = session?.caller ?? {};
  return { authTimeSeconds, sub, nowSeconds: Math.floor(clock.now() / 1000) };
}

/** The header by which a browser forgets its session. */
export function formatSessionRemovalCookie(runtime: GatewayRuntime): string {
  return formatSetCookie(toCookieName(SESSION_COOKIE, runtime), '', 'Lax', 0);
}

/** The path of an endpoint at the pool that is asked, for links and forms of its pages. */
export function toPoolPath({ site }: GatewayRuntime, path: string): string {
  return `${site.path}${path}`;
}

/** Sends the browser elsewhere, to be asked for by GET. */
export function createRedirect(
  location: string,
  headers: OAuthResponse['headers'] = {},
  status: 302 | 303 = 302,
): OAuthResponse {
  return { status, headers: { ...headers, location } };
}

/** With the address of the service, what every browser and proxy takes. */
const MAX_QUERY_LENGTH = 7_168;

/**
 * Sends a browser that has posted a form to the same parameters by GET.
 * @throws {OAuthError} `invalid_request`: they do not fit into an address
 */
export function continueByGet(path: string, parameters: NonNullable<OAuthRequest['form']>): OAuthResponse {
  const pairs = Object.entries(parameters).flatMap(([name, values]) => values.map((value) => [name, value]));
  const query = new URLSearchParams(pairs).toString();
  if (query.length > MAX_QUERY_LENGTH) throw new OAuthError('invalid_request', 'The request is too long.');
  return createRedirect(`${path}?${query}`, {}, 303);
}
