import type { Route } from '@poolgate/contract';
import type { CallContext } from '@poolgate/provider';
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import type { Browser } from './browser.ts';
import { SESSION_COOKIE } from './cookies.ts';
import { requireCsrfToken } from './csrf.ts';
import { findStoredSession, findWebSession } from './find-session.ts';

/** A request as the guard sees it. */
export interface BrowserRequest {
  readonly browser: Browser;
  readonly method: string;
  readonly query: unknown;
  readonly body: unknown;
  /** Whether the headers belong to a request to another application, whose tokens are not for this service. */
  readonly isForAnother: boolean;
  readonly call: CallContext;
}

const TOKEN_SCHEMES = /^(?:bearer|dpop|aws4-hmac-sha256)\b/i;

/**
 * Admits a browser's request: it must contain no token, and a change must come from a page that knows the CSRF token. (The origin was
 * checked before.) If the route requires a user, `browser.session` is then set.
 *
 * @param needsUser whether this request requires a signed-in user
 * @returns the session's access token as the credential of the request; undefined if none is needed
 * @throws {GatewayError} malformed_request, csrf_failed, unauthenticated
 */
export async function admitBrowser(
  runtime: GatewayRuntime,
  request: BrowserRequest,
  needsUser: boolean,
): Promise<string | undefined> {
  const { browser, method, call } = request;
  const isChange = method !== 'GET';
  refuseTokens(request);
  if (needsUser) browser.session = await requireSession(runtime, browser, call);
  else if (isChange) browser.storedSession = await findStoredSession(runtime, browser.sessionId);
  if (isChange) requireCsrfToken(findCsrfToken(browser), browser.headers);
  return browser.session?.content.accessToken;
}

/** Holders of tokens have other routes. Here, a token would be one more way for a page to leak it. */
function refuseTokens({ browser, query, body, isForAnother }: BrowserRequest): void {
  if (isForAnother) return;
  const { authorization = '' } = browser.headers;
  if (!TOKEN_SCHEMES.test(authorization) && !hasToken(query) && !hasToken(body)) return;
  throw new GatewayError(
    'malformed_request',
    'Browser session routes authenticate with the session cookie and do not accept tokens.',
  );
}

function hasToken(part: unknown): boolean {
  return typeof part === 'object' && part !== null && Object.hasOwn(part, 'access_token');
}

async function requireSession(runtime: GatewayRuntime, browser: Browser, call: CallContext) {
  const session = await findWebSession(runtime, browser.sessionId, call);
  if (session !== undefined) return session;
  browser.clearSessionCookie();
  if (browser.sessionId !== undefined) throw sessionEndedError();
  const options = { headers: CHALLENGE, reason: 'missing' } as const;
  throw new GatewayError('unauthenticated', 'No user is signed in. Log in first.', options);
}

/** 401 for a browser whose session has ended. */
export function sessionEndedError(cause?: unknown, more: Readonly<Record<string, string>> = {}): GatewayError {
  const headers = { ...CHALLENGE, ...more };
  return new GatewayError('unauthenticated', 'The session has ended. Log in again.', {
    headers,
    reason: 'expired',
    cause,
  });
}

/** @see https://datatracker.ietf.org/doc/html/draft-broyer-http-cookie-auth */
const CHALLENGE = { 'www-authenticate': `Cookie realm="session", cookie-name="${SESSION_COOKIE}"` };

function findCsrfToken({ session, storedSession: stored, preLogin }: Browser): string | undefined {
  return (session ?? stored)?.content.csrfToken ?? preLogin?.csrfToken;
}

/** Whether a request to a route requires a user, by its guard and its content. */
export function needsUser({ guard }: Pick<Route, 'guard'>, body: unknown): boolean {
  if (guard !== 'user-or-session') return guard === 'user' || guard === 'operator';
  return !(typeof body === 'object' && body !== null && Object.hasOwn(body, 'session'));
}
