import { GatewayError, invalidFieldError } from '../../kernel/gateway-errors.ts';
import { findWebSession } from '../find-session.ts';
import { parseReturnTarget } from '../return-to.ts';
import type { WebHandler } from '../web-handler.ts';
import { formatSignInUrl } from './forward-auth-check.ts';
import { createCallbackUrl } from './forward-auth-tickets.ts';
import { isDocumentNavigation } from './navigation.ts';

/**
 * GET /cognito/forward-auth/start. A browser comes from an application on another host. It returns with a ticket, or goes to the sign-in
 * page and then comes back here. Anyone can send a browser here, so the response is for document navigations only. The browser follows
 * the redirect to the callback, which consumes the ticket, and no script sees the address. The ticket is valid only in the browser with the
 * secret whose digest was sent.
 */
export const startForwardAuth: WebHandler<'webForwardAuthStart'> = async (runtime, { browser, query, call }) => {
  if (!isDocumentNavigation(browser.headers)) {
    throw new GatewayError('forbidden', 'Open this address in a browser window; scripts and frames cannot use it.');
  }
  const { settings } = runtime;
  const target = parseReturnTarget(settings, query.return_to);
  if (target === undefined || new URL(target).origin === new URL(settings.baseUrl).origin) {
    throw invalidFieldError('return_to', 'not_allowed', 'has an origin that is not listed in POOLGATE_RETURN_ORIGINS');
  }
  const session = await findWebSession(runtime, browser.sessionId, call);
  if (session === undefined) {
    browser.clearSessionCookie();
    const here = `${settings.webPrefix}/forward-auth/start?return_to=${encodeURIComponent(target)}&browser=${query.browser}`;
    return { status: 302, body: null, headers: { location: formatSignInUrl(runtime, here) } };
  }
  const { familyId } = session.record;
  const location = await createCallbackUrl(runtime, new URL(target), { familyId, browserDigestHex: query.browser });
  return { status: 302, body: null, headers: { location } };
};
