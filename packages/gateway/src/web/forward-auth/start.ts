import { GatewayError, invalidField } from '../../errors.ts';
import { provenSession } from '../find-session.ts';
import { returnTarget } from '../return-to.ts';
import type { WebHandler } from '../web-handler.ts';
import { signInPage } from './check.ts';
import { isDocumentNavigation } from './navigation.ts';
import { callbackUrl } from './tickets.ts';

/**
 * GET /cognito/forward-auth/start. A browser comes from an application of another host; it goes back with a ticket, or to the sign-in page
 * and then here again. Anyone can send a browser here, so the answer is for document navigations only: the browser follows the redirect to the
 * callback, which consumes the ticket, and no script sees the address. The ticket is good only where the browser has the secret whose digest
 * was sent along.
 */
export const startForwardAuth: WebHandler<'webForwardAuthStart'> = async (runtime, { browser, query, context }) => {
  if (!isDocumentNavigation(browser.headers)) {
    throw new GatewayError('forbidden', 'Open this address in a browser window; scripts and frames cannot use it.');
  }
  const { settings } = runtime;
  const target = returnTarget(settings, query.return_to);
  if (target === undefined || new URL(target).origin === new URL(settings.baseUrl).origin) {
    throw invalidField('return_to', 'not_allowed', 'is at no origin of POOLGATE_RETURN_ORIGINS');
  }
  const session = await provenSession(runtime, browser.sessionId, context);
  if (session === undefined) {
    browser.forgetSession();
    const here = `${settings.webPrefix}/forward-auth/start?return_to=${encodeURIComponent(target)}&browser=${query.browser}`;
    return { status: 302, body: null, headers: { location: signInPage(runtime, here) } };
  }
  const { familyId } = session.record;
  const location = await callbackUrl(runtime, new URL(target), { familyId, browserDigestHex: query.browser });
  return { status: 302, body: null, headers: { location } };
};
