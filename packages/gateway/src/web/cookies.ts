/** The cookie of a session. Browsers take a name with this prefix only with Secure, Path=/ and no Domain, so that no other host sets it. */
export const SESSION_COOKIE = '__Host-poolgate';
/** The cookie of a browser where nobody is signed in yet, or of a login that is under way. */
export const PRE_LOGIN_COOKIE = '__Host-poolgate-login';

/** How a cookie is sent along: on top-level navigations from other sites too, or on nothing that another site began. */
export type SameSite = 'Lax' | 'Strict';

/**
 * The value of a cookie. One that came twice counts as none: a browser without the prefix's rule would let another host of the site put a
 * second one beside it, and which of the two is ours nobody could tell.
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

/** A `Set-Cookie` header. @param maxAgeSeconds undefined: until the browser is closed */
export function formatSetCookie(name: string, value: string, sameSite: SameSite, maxAgeSeconds?: number): string {
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
  return `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=${sameSite}${age}`;
}
