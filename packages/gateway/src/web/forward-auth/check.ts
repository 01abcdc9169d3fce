import type { CallContext } from '@poolgate/provider';
import { GatewayError } from '../../errors.ts';
import type { GatewayRuntime } from '../../runtime.ts';
import type { Browser } from '../browser.ts';
import { cookieIn } from '../cookies.ts';
import { digestOf } from '../digest.ts';
import { provenSession, provenSessionOfFamily } from '../find-session.ts';
import { sessionEnded } from '../guard.ts';
import { returnTarget } from '../return-to.ts';
import type { WebHandler } from '../web-handler.ts';
import type { WebSession } from '../web-session.ts';
import { APP_COOKIE, RETURN_COOKIE, readAppCookie, writeAppCookie } from './app-cookie.ts';
import { type ForwardedRequest, forwardedRequest } from './forwarded.ts';
import { userHeaders } from './headers.ts';
import { dropTicket, newBrowserSecret, splitTicket, useTicket } from './tickets.ts';

/** GET /cognito/forward-auth, which proxies ask before they let a request through to an application. */
export const forwardAuth: WebHandler<'webForwardAuth'> = async (runtime, { browser, query, context }) => {
  const forwarded = browser.isFromProxy ? forwardedRequest(browser.headers) : undefined;
  const session = await sessionAt(runtime, browser, forwarded?.origin, context);
  if (session !== undefined) {
    requireGroup(session, query.group);
    const clean = forwarded && (await placeWithoutTicket(runtime, forwarded));
    if (clean === undefined || query.redirect !== '1')
      return { status: 204, body: null, headers: userHeaders(session) };
    return { status: 302, body: null, headers: { location: clean, ...userHeaders(undefined) } };
  }
  // Who is signed in is let through however often; of all others each costs something of the allowance of its address.
  runtime.rateLimit.admit(context.sourceAddress, 'read');
  if (query.redirect === '1' && forwarded !== undefined) {
    const location = await placeToGo(runtime, browser, forwarded);
    if (location !== undefined) return { status: 302, body: null, headers: { location, ...userHeaders(undefined) } };
  }
  throw sessionEnded(undefined, userHeaders(undefined));
};

/** At the service's own host the session's cookie counts, at any other one that of the application. */
function sessionAt(
  runtime: GatewayRuntime,
  browser: Browser,
  origin: string | undefined,
  context: CallContext,
): Promise<WebSession | undefined> {
  if (origin === undefined || isOwn(runtime, origin)) return provenSession(runtime, browser.sessionId, context);
  const familyId = readAppCookie(runtime, cookieIn(browser.headers.cookie, APP_COOKIE), origin);
  return familyId === undefined ? NO_SESSION : provenSessionOfFamily(runtime, familyId, context);
}

const NO_SESSION = Promise.resolve(undefined);

/** Cookies do not tell ports apart, and neither the scheme. */
function isOwn({ settings }: GatewayRuntime, origin: string): boolean {
  return new URL(settings.baseUrl).hostname === new URL(origin).hostname;
}

/** @throws {GatewayError} forbidden */
function requireGroup({ caller }: WebSession, asked: string | undefined): void {
  if (asked === undefined) return;
  const names = asked.split(',').map((name) => name.trim());
  if (!caller.groups.some((group) => names.includes(group))) {
    throw new GatewayError('forbidden', undefined, { headers: userHeaders(undefined) });
  }
}

/**
 * A ticket that comes where somebody is let in already is worth nothing from then on: whoever sent the browser for it may be able to read the
 * address at the application. Gives the address without it; undefined where there is none.
 */
async function placeWithoutTicket(runtime: GatewayRuntime, forwarded: ForwardedRequest): Promise<string | undefined> {
  const { uri, ticket } = splitTicket(forwarded.uri);
  if (ticket === undefined) return undefined;
  await dropTicket(runtime, ticket);
  return forwarded.isNavigation ? returnTarget(runtime.settings, `${forwarded.origin}${uri}`) : undefined;
}

/** Where a browser goes that is not signed in at an application; undefined where it stays, and is told 401. */
async function placeToGo(
  runtime: GatewayRuntime,
  browser: Browser,
  forwarded: ForwardedRequest,
): Promise<string | undefined> {
  const { settings } = runtime;
  const { uri, ticket } = splitTicket(forwarded.uri);
  const target = returnTarget(settings, `${forwarded.origin}${uri}`);
  if (target === undefined || !forwarded.isNavigation) return undefined;
  if (isOwn(runtime, forwarded.origin)) return signInPage(runtime, target);
  return ticket === undefined
    ? start(runtime, browser, target)
    : comeBack(runtime, browser, { ticket, target, origin: forwarded.origin });
}

/** The sign-in page of the service, and where it leads afterwards. */
export function signInPage({ settings }: Pick<GatewayRuntime, 'settings'>, returnTo: string): string {
  return `${settings.baseUrl}${settings.webPrefix}/login?return_to=${encodeURIComponent(returnTo)}`;
}

/** To the service, which knows whether the browser is signed in. What comes back from there is good in this browser alone. */
function start(runtime: GatewayRuntime, browser: Browser, target: string): string {
  const { baseUrl, webPrefix } = runtime.settings;
  const secret = newBrowserSecret(runtime);
  browser.keepForReturn(RETURN_COOKIE, secret);
  return `${baseUrl}${webPrefix}/forward-auth/start?return_to=${encodeURIComponent(target)}&browser=${digestOf(secret)}`;
}

interface Return {
  readonly ticket: string;
  /** Where the browser was going, without the ticket. */
  readonly target: string;
  readonly origin: string;
}

async function comeBack(
  runtime: GatewayRuntime,
  browser: Browser,
  { ticket, target, origin }: Return,
): Promise<string | undefined> {
  const browserSecret = cookieIn(browser.headers.cookie, RETURN_COOKIE);
  if (browserSecret === undefined) {
    await dropTicket(runtime, ticket);
    // A browser that keeps no cookies would go to and fro for ever.
    return undefined;
  }
  browser.forget(RETURN_COOKIE);
  const familyId = await useTicket(runtime, ticket, { origin, browserSecret });
  if (familyId !== undefined) browser.openApplication(APP_COOKIE, writeAppCookie(runtime, familyId, origin));
  return target;
}
