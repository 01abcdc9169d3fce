import type { AdminScope, CallContext } from '@poolgate/provider';
import { refuseScopes } from '../guards/admin-key-errors.ts';
import type { AdminCaller } from '../kernel/caller.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import { requireCsrfToken } from '../web/csrf.ts';
import { CONSOLE_COOKIE, type ConsoleBrowser } from './console-browser.ts';
import { findConsoleSession } from './console-session.ts';

/** What the guard needs to know about a request. */
export interface ConsoleRequest {
  readonly browser: ConsoleBrowser;
  readonly method: string;
  readonly call: CallContext;
}

/** @see https://datatracker.ietf.org/doc/html/draft-broyer-http-cookie-auth */
const CHALLENGE = { 'www-authenticate': `Cookie realm="console", cookie-name="${CONSOLE_COOKIE}"` };

/**
 * Admits a request to the console's own routes: a change must come from a page that knows the CSRF token. (The origin was checked before.)
 * @throws {GatewayError} malformed_request, csrf_failed
 */
export async function admitConsoleBrowser(
  runtime: GatewayRuntime,
  { browser, method, call }: ConsoleRequest,
): Promise<void> {
  if (browser.headers.authorization !== undefined)
    throw new GatewayError(
      'malformed_request',
      'Console routes authenticate with the session cookie and do not accept an Authorization header.',
    );
  browser.session = await findConsoleSession(runtime, browser.sessionId, call);
  if (method !== 'GET') requireCsrfToken(browser.csrfToken, browser.headers);
}

/** The right that a request needs. */
export interface ConsoleRight {
  readonly scope: AdminScope;
  /** Whether the session must be recent, because the request destroys something or creates credentials. */
  readonly needsRecentSignIn: boolean;
}

/**
 * Admits a request of a console session to a route for admin keys.
 * @throws {GatewayError} malformed_request, unauthenticated, csrf_failed, forbidden if the session lacks the scope, or
 *   reauthentication_required
 */
export async function authenticateConsole(
  runtime: GatewayRuntime,
  request: ConsoleRequest,
  { scope, needsRecentSignIn }: ConsoleRight,
): Promise<AdminCaller> {
  const { browser, call } = request;
  await admitConsoleBrowser(runtime, request);
  const { session } = browser;
  if (session === undefined) {
    browser.close();
    throw new GatewayError('unauthenticated', 'Sign in to the console.', { headers: CHALLENGE, reason: 'expired' });
  }
  const { keyId } = session.record;
  if (!session.scopes.has(scope)) {
    const detail = `The admin key does not have the scope ${scope}.`;
    await refuseScopes(runtime, keyId, { scopes: [scope], detail }, call);
  }
  const ageMs = runtime.clock.now() - session.record.createdAtMs;
  if (needsRecentSignIn && ageMs > runtime.settings.recentLoginSeconds * 1000)
    throw new GatewayError('reauthentication_required', 'Sign in to the console again for this action.');
  return { kind: 'admin', keyId, scopes: session.scopes };
}
