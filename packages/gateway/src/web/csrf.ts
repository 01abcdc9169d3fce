import { constantTimeEqual, utf8 } from '@poolgate/srp';
import { GatewayError } from '../errors.ts';
import type { BrowserHeaders } from './browser.ts';

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/;

/**
 * A request that changes something comes from a page of this very origin: its browser says so by `Origin`, or, where it sends none, by
 * `Sec-Fetch-Site` (Fetch Metadata, which no page can set).
 * @throws {GatewayError} csrf_failed
 */
export function requireSameOrigin(baseUrl: string, headers: BrowserHeaders): void {
  const { origin, host = '', 'sec-fetch-site': site } = headers;
  const isFromHere = origin === undefined ? site === 'same-origin' : isOwnOrigin(baseUrl, origin, host);
  const isContradicted = site !== undefined && site !== 'same-origin';
  if (!isFromHere || isContradicted) throw new GatewayError('csrf_failed', 'The request comes from another site.');
}

/** In development the service is reached by each name of this machine. */
function isOwnOrigin(baseUrl: string, origin: string, host: string): boolean {
  if (origin === new URL(baseUrl).origin) return true;
  return LOOPBACK_HOST.test(host) && (origin === `http://${host}` || origin === `https://${host}`);
}

/**
 * Besides, the page knows the secret of the session, or of the browser before the login.
 * @throws {GatewayError} csrf_failed
 */
export function requireCsrfToken(expected: string | undefined, { 'x-csrf-token': sent = '' }: BrowserHeaders): void {
  // Compared also where nothing is expected, so that the time does not tell which it was.
  const isEqual = constantTimeEqual(utf8(sent), utf8(expected ?? ''));
  if (expected === undefined || !isEqual) throw new GatewayError('csrf_failed');
}
