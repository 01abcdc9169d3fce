import { GatewayError } from '../../kernel/gateway-errors.ts';
import type { GatewayRuntime } from '../../runtime/runtime.ts';
import type { Browser } from '../browser.ts';
import { readCookie } from '../cookies.ts';
import { parseReturnTarget } from '../return-to.ts';
import type { WebHandler } from '../web-handler.ts';
import { APP_COOKIE, encryptAppCookie, RETURN_COOKIE } from './app-cookie.ts';
import { consumeTicket, isTicketForBrowser } from './forward-auth-tickets.ts';
import { toApplicationOrigin, toLoggableHost } from './forwarded-request.ts';

const OTHER_BROWSER =
  'This browser did not start this sign-in, or the sign-in took too long. Open the application again; the browser must accept cookies.';

/**
 * GET /.poolgate/callback on an application's host, which its proxy routes here. The ticket is consumed before anything else is checked, so
 * that it cannot be used after a refusal.
 */
export const forwardAuthCallback: WebHandler<'webForwardAuthCallback'> = async (runtime, { browser, query, log }) => {
  const ticket = await consumeTicket(runtime, query.ticket);
  const origin = findCallbackOrigin(runtime, browser);
  if (origin === undefined) {
    // Without a ticket, anyone may have invented the request and its host.
    if (ticket !== undefined) log.warn({ host: toLoggableHost(browser.headers.host) }, UNKNOWN_HOST);
    throw new GatewayError('misdirected_request');
  }
  const ownTicket = ticket?.origin === origin ? ticket : undefined;
  const target = parseReturnTarget(runtime.settings, ownTicket?.returnTo ?? undefined) ?? `${origin}/`;
  const secret = readCookie(browser.headers.cookie, RETURN_COOKIE);
  if (ownTicket === undefined || secret === undefined || !isTicketForBrowser(ownTicket, secret)) {
    throw new GatewayError('forbidden', OTHER_BROWSER, { headers: createRestartHeaders(browser, target) });
  }
  browser.clearCookie(RETURN_COOKIE);
  browser.setApplicationCookie(APP_COOKIE, encryptAppCookie(runtime, ownTicket.familyId, origin));
  return { status: 302, body: null, headers: { location: target } };
};

const UNKNOWN_HOST =
  "The callback of forward authentication was opened on a host that is not in POOLGATE_RETURN_ORIGINS, or not through a trusted proxy. Add the application's origin to POOLGATE_RETURN_ORIGINS and the proxy to POOLGATE_TRUSTED_PROXIES, and let the proxy send Host and X-Forwarded-Proto.";

/** The application whose proxy sent the browser here; undefined if the settings contain no such application. */
function findCallbackOrigin({ settings }: GatewayRuntime, { headers, isFromProxy }: Browser): string | undefined {
  if (!isFromProxy) return undefined;
  const origin = toApplicationOrigin(headers['x-forwarded-proto'], headers.host);
  return origin !== undefined && settings.returnOrigins.includes(origin) ? origin : undefined;
}

/**
 * A browser that has signed in here in another tab restarts automatically. One without our cookie might accept none, and would be
 * redirected forever.
 */
function createRestartHeaders({ headers: { cookie } }: Browser, target: string): Readonly<Record<string, string>> {
  const keepsCookies = [RETURN_COOKIE, APP_COOKIE].some((name) => readCookie(cookie, name) !== undefined);
  return keepsCookies ? { refresh: `0; url=${target}` } : {};
}
