import { constantTimeEqual, utf8 } from '@poolgate/srp';
import { findOwnPageOrigin, wrongPageAddressError } from '../guards/wrong-address.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { BrowserHeaders } from './browser.ts';
import { SESSION_COOKIE } from './cookies.ts';

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/;

/**
 * Requires that a change comes from a page of this origin, according to `Origin`, or without it to `Sec-Fetch-Site` (Fetch Metadata, which
 * no page can set).
 * @throws {GatewayError} csrf_failed
 */
export function requireSameOrigin(baseUrl: string, headers: BrowserHeaders): void {
  const { origin, host = '', 'sec-fetch-site': site } = headers;
  const isFromHere = origin === undefined ? site === 'same-origin' : isOwnOrigin(baseUrl, origin, host);
  const isContradicted = site !== undefined && site !== 'same-origin';
  if (isFromHere && !isContradicted) return;
  const opened = findOwnPageOrigin(headers);
  if (opened !== undefined) throw wrongPageAddressError(baseUrl, opened);
  throw new GatewayError('csrf_failed', 'The request comes from another site. Send it from a page of this service.');
}

/** In development, the service is reachable by each name of this machine. */
function isOwnOrigin(baseUrl: string, origin: string, host: string): boolean {
  if (origin === new URL(baseUrl).origin) return true;
  return LOOPBACK_HOST.test(host) && (origin === `http://${host}` || origin === `https://${host}`);
}

/**
 * Also requires that the page knows the secret of the session, or of the browser before the login.
 * @throws {GatewayError} csrf_failed
 */
export function requireCsrfToken(
  expected: string | undefined,
  { 'x-csrf-token': sent = '', cookie = '' }: BrowserHeaders,
): void {
  // Always compared, so that timing does not show whether a value is expected.
  const isEqual = constantTimeEqual(utf8(sent), utf8(expected ?? ''));
  if (expected !== undefined && isEqual) return;
  // The page has requested a token, and received the cookie with it.
  if (sent !== '' && !OWN_COOKIE.test(cookie))
    throw new GatewayError('csrf_failed', COOKIES_MISSING, { reason: 'cookies_missing' });
  throw new GatewayError('csrf_failed');
}

const OWN_COOKIE = new RegExp(`(?:^|;)\\s*${SESSION_COOKIE}(?:-console)?(?:-login)?(?:-[a-z-]+\\d_\\w+)?=`);
const COOKIES_MISSING =
  'The browser did not send the cookies of this service. Allow cookies for it. Over http, browsers keep them only on localhost.';
