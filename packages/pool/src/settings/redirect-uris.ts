import { isSystemUriScheme } from './system-uri-schemes.ts';

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Printable ASCII, which a header can carry unchanged. */
const ASCII = /^[\x21-\x7e]+$/;

/** A scheme followed by a host or a path, not only by text. */
const HIERARCHICAL = /^[a-z][a-z0-9+.-]*:\//i;
/** To a parser, `https:app.test` and `https:///app.test` mean `https://app.test/`. */
const WITH_AUTHORITY = /^https?:\/\/[^/]/i;
const WITH_USER_INFORMATION = /^[^/]*\/\/[^/?]*@/;

/**
 * Returns why a URI cannot be a client's callback or logout URL; undefined if it can. Plain http is allowed only for the local machine;
 * other schemes belong to native applications (RFC 8252 §7).
 */
export function findRedirectUriProblem(uri: string): string | undefined {
  if (!ASCII.test(uri) || !URL.canParse(uri)) return `${uri} is not a valid URL.`;
  const { protocol, hostname } = new URL(uri);
  const isWeb = /^https?:$/.test(protocol);
  // If a parser repaired the text, the compared address and the used one would differ.
  if (uri.includes('#')) return `${uri} cannot contain a fragment.`;
  if (uri.includes('\\')) return `${uri} cannot contain a backslash.`;
  if (WITH_USER_INFORMATION.test(uri)) return `${uri} cannot contain user information.`;
  if (isSystemUriScheme(protocol)) return `${uri} cannot use the ${protocol} scheme.`;
  if (protocol === 'http:' && !LOOPBACK_HOSTS.has(hostname)) return `${uri} cannot use the HTTP protocol.`;
  if (!(isWeb ? WITH_AUTHORITY : HIERARCHICAL).test(uri)) return `${uri} is not a valid URL.`;
  return undefined;
}

/** A loopback redirect URI with an arbitrary port (RFC 8252 §7.3), which the system assigns to a native application. */
const WITH_PORT = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)):(?:[1-9]\d{0,4})(?=[/?]|$)/;

/**
 * Whether a redirect URI is registered, compared character by character (RFC 9700 §2.1). For a registered loopback URI without a port, any
 * port matches. A scheme that is rejected today may have been registered with an earlier release.
 */
export function isRegisteredRedirectUri(registered: readonly string[], uri: string): boolean {
  if (URL.canParse(uri) && isSystemUriScheme(new URL(uri).protocol)) return false;
  return registered.includes(uri) || registered.includes(uri.replace(WITH_PORT, '$1'));
}
