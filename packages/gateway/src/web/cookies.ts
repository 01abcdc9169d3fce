import type { PoolSite } from '../runtime/runtime.ts';

/** The session cookie. Browsers accept this prefix only with Secure, Path=/ and without Domain, so that no other host can set it. */
export const SESSION_COOKIE = '__Host-poolgate';
/** The cookie of a browser before sign-in or during a login. */
export const PRE_LOGIN_COOKIE = '__Host-poolgate-login';
/** The cookie of the step that a browser began last: a challenge, or the code of a sign-up or a reset. */
export const UNFINISHED_COOKIE = '__Host-poolgate-step';

/** The name of a cookie for the request's pool. */
export function toCookieName(name: string, { site }: { readonly site: PoolSite }): string {
  return site.cookieSuffix === '' ? name : `${name}${site.cookieSuffix}`;
}

/** When a cookie is sent: also on top-level navigations from other sites, or never with requests that another site started. */
export type SameSite = 'Lax' | 'Strict';

/**
 * Returns the value of a cookie. A duplicate counts as none. In a browser that does not enforce the prefix, another host of the site could
 * add a second one, and the service could not distinguish the two.
 */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const start = `${name}=`;
  if (header === undefined || header.length > MAX_HEADER_LENGTH) return undefined;
  let found: string | undefined;
  for (const part of header.split(';')) {
    const pair = part.trim();
    if (!pair.startsWith(start)) continue;
    if (found !== undefined) return undefined;
    found = pair.slice(start.length);
  }
  return found;
}

const MAX_HEADER_LENGTH = 16_384;

/** Formats a `Set-Cookie` header. @param maxAgeSeconds undefined: until the browser is closed */
export function formatSetCookie(name: string, value: string, sameSite: SameSite, maxAgeSeconds?: number): string {
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
  return `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=${sameSite}${age}`;
}
