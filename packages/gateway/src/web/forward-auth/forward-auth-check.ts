/**
 * Responses to reverse proxies in front of other applications. On other hosts, a ticket transfers the session
 * (docs/decisions/0037-forward-auth-tickets.md).
 */
import type { CallContext } from '@poolgate/provider';
import { GatewayError } from '../../kernel/gateway-errors.ts';
import type { GatewayRuntime } from '../../runtime/runtime.ts';
import type { WebSession } from '../../web-sessions/web-session.ts';
import type { Browser } from '../browser.ts';
import { sessionEndedError } from '../browser-guard.ts';
import { readCookie } from '../cookies.ts';
import { toDigestHex } from '../digest-hex.ts';
import { findWebSession, findWebSessionByFamily } from '../find-session.ts';
import { parseReturnTarget } from '../return-to.ts';
import type { WebHandler, WebLog } from '../web-handler.ts';
import { APP_COOKIE, decryptAppCookie, RETURN_COOKIE } from './app-cookie.ts';
import { findForwardedToken, identifyBearerUser } from './bearer-user.ts';
import { ensureBrowserSecret } from './forward-auth-tickets.ts';
import {
  type ForwardedRequest,
  parseCallbackRequest,
  parseForwardedRequest,
  toLoggableHost,
} from './forwarded-request.ts';
import { readPoolGroups } from './pool-groups.ts';
import { refuseUnroutedCallback } from './unrouted-callback.ts';
import { toTokenUserHeaders, toUserHeaders } from './user-headers.ts';

/** GET /cognito/forward-auth, which proxies call before they pass a request to an application. */
export const checkForwardAuth: WebHandler<'webForwardAuth'> = async (runtime, { browser, query, call, log }) => {
  const returned = parseCallbackRequest(browser.headers);
  if (returned !== undefined) {
    const host = toLoggableHost(browser.headers['x-forwarded-host']);
    return await refuseUnroutedCallback(runtime, returned, { log, host, sourceAddress: call.sourceAddress });
  }
  const token = findForwardedToken(runtime, browser);
  if (token !== undefined) return admitTokenUser(runtime, token, query.group, call);
  const forwarded = browser.isFromProxy ? parseForwardedRequest(browser.headers) : undefined;
  const session = await findSessionForOrigin(runtime, browser, forwarded?.origin, call);
  if (session !== undefined) {
    const groups = await readPoolGroups(runtime, session, { call, log });
    requireGroup(groups, query.group);
    return { status: 204, body: null, headers: toUserHeaders({ session, groups }) };
  }
  // Signed-in users are not limited. All others use the allowance of their address.
  runtime.rateLimit.admit(call.sourceAddress, 'read');
  if (query.redirect === '1' && forwarded !== undefined) {
    const location = selectRedirectTarget(runtime, browser, forwarded, log);
    if (location !== undefined) return { status: 302, body: null, headers: { location, ...toUserHeaders(undefined) } };
  }
  throw sessionEndedError(undefined, toUserHeaders(undefined));
};

/** A program cannot be redirected to a page, so an invalid token gets 401. */
async function admitTokenUser(runtime: GatewayRuntime, token: string, group: string | undefined, call: CallContext) {
  const user = await identifyBearerUser(runtime, token, call).catch((error: unknown) => {
    // Admitted users are not limited. All others use the allowance of their address.
    runtime.rateLimit.admit(call.sourceAddress, 'read');
    throw error;
  });
  requireGroup(user.Groups, group);
  return { status: 204, body: null, headers: toTokenUserHeaders(user) } as const;
}

/** On the service's own host the session cookie counts, on any other host the application's cookie. */
function findSessionForOrigin(
  runtime: GatewayRuntime,
  browser: Browser,
  origin: string | undefined,
  call: CallContext,
): Promise<WebSession | undefined> {
  if (origin === undefined || isOwnHost(runtime, origin)) return findWebSession(runtime, browser.sessionId, call);
  const familyId = decryptAppCookie(runtime, readCookie(browser.headers.cookie, APP_COOKIE), origin);
  return familyId === undefined ? NO_SESSION : findWebSessionByFamily(runtime, familyId, call);
}

const NO_SESSION = Promise.resolve(undefined);

/** Cookies do not distinguish ports or schemes. */
function isOwnHost({ settings }: GatewayRuntime, origin: string): boolean {
  return new URL(settings.baseUrl).hostname === new URL(origin).hostname;
}

/** @throws {GatewayError} forbidden */
function requireGroup(groups: readonly string[], asked: string | undefined): void {
  if (asked === undefined) return;
  const names = asked.split(',').map((name) => name.trim());
  if (!groups.some((group) => names.includes(group))) {
    throw new GatewayError('forbidden', undefined, { headers: toUserHeaders(undefined) });
  }
}

const NO_URI =
  'The proxy of an application does not send X-Forwarded-Uri, so forward authentication cannot redirect a browser to the sign-in page and back.';

/** Returns where to redirect a browser that is not signed in at an application; undefined for a 401 instead. */
function selectRedirectTarget(
  runtime: GatewayRuntime,
  browser: Browser,
  { origin, uri, isNavigation }: ForwardedRequest,
  log: WebLog,
): string | undefined {
  const target = parseReturnTarget(runtime.settings, `${origin}${uri ?? '/'}`);
  if (target === undefined || !isNavigation) return undefined;
  if (isOwnHost(runtime, origin)) return formatSignInUrl(runtime, target);
  if (uri !== undefined) return prepareStartUrl(runtime, browser, target);
  log.warn({ host: toLoggableHost(browser.headers['x-forwarded-host']) }, NO_URI);
  return undefined;
}

/** The service's sign-in page, and the address to open afterward. */
export function formatSignInUrl({ settings }: Pick<GatewayRuntime, 'settings'>, returnTo: string): string {
  return `${settings.baseUrl}${settings.webPrefix}/login?return_to=${encodeURIComponent(returnTo)}`;
}

/** Redirects to the service, which knows whether the browser is signed in. The returned ticket is valid in this browser only. */
function prepareStartUrl(runtime: GatewayRuntime, browser: Browser, target: string): string {
  const { baseUrl, webPrefix } = runtime.settings;
  const secret = ensureBrowserSecret(runtime, readCookie(browser.headers.cookie, RETURN_COOKIE));
  browser.setReturnCookie(RETURN_COOKIE, secret);
  return `${baseUrl}${webPrefix}/forward-auth/start?return_to=${encodeURIComponent(target)}&browser=${toDigestHex(secret)}`;
}
