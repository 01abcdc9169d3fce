import { memoizeLast } from './memoize.ts';

/** The headers of every response. A response is JSON or a page without scripts, and must not be cached or framed. */
const ALWAYS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const TWO_YEARS_SECONDS = 63_072_000;
const OVER_TLS = { ...ALWAYS, 'strict-transport-security': `max-age=${TWO_YEARS_SECONDS}` };

/** Not on localhost, because browsers would then refuse plain http for every other project on http://localhost. */
const ASKS_FOR_TLS = /^https:(?!\/\/(?:localhost|127\.[\d.]+|\[::1\])(?::|$))/;

/** The headers of every response of a service with this address. */
export function createSecurityHeaders(baseUrl: string): Readonly<Record<string, string>> {
  return ASKS_FOR_TLS.test(baseUrl) ? OVER_TLS : ALWAYS;
}

const formatSecond = memoizeLast((second: number) => new Date(second * 1000).toUTCString());

/** Formats a time as a `Date` header. */
export function formatDateHeader(nowMs: number): string {
  return formatSecond(Math.floor(nowMs / 1000));
}
