import { isSystemUriScheme } from './system-uri-schemes.ts';

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Printable ASCII: what a header carries as it is. */
const ASCII = /^[\x21-\x7e]+$/;

/** What follows the scheme of an address that has a host or a path, and so is no bare text behind a scheme. */
const HIERARCHICAL = /^[a-z][a-z0-9+.-]*:\//i;
/** `https:app.test` and `https:///app.test` mean `https://app.test/` to a parser. */
const WITH_AUTHORITY = /^https?:\/\/[^/]/i;
const WITH_USER_INFORMATION = /^[^/]*\/\/[^/?]*@/;

/**
 * What keeps a URI from being a callback or logout URL of a client; undefined where nothing does. Plain http is for the machine itself;
 * other schemes are those of native applications (RFC 8252 §7).
 */
export function findRedirectUriProblem(uri: string): string | undefined {
  if (!ASCII.test(uri) || !URL.canParse(uri)) return `${uri} is not a valid URL.`;
  const { protocol, hostname } = new URL(uri);
  const isWeb = /^https?:$/.test(protocol);
  // Where a parser would repair the text, what is compared and what is gone to would not be the same.
  if (uri.includes('#')) return `${uri} cannot contain a fragment.`;
  if (uri.includes('\\')) return `${uri} cannot contain a backslash.`;
  if (WITH_USER_INFORMATION.test(uri)) return `${uri} cannot contain user information.`;
  if (isSystemUriScheme(protocol)) return `${uri} cannot use the ${protocol} scheme.`;
  if (protocol === 'http:' && !LOOPBACK_HOSTS.has(hostname)) return `${uri} cannot use the HTTP protocol.`;
  if (!(isWeb ? WITH_AUTHORITY : HIERARCHICAL).test(uri)) return `${uri} is not a valid URL.`;
  return undefined;
}

/** A loopback redirect URI of which the port is open (RFC 8252 §7.3): a native application gets one from the system. */
const WITH_PORT = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)):(?:[1-9]\d{0,4})(?=[/?]|$)/;

/**
 * Whether a redirect URI is one that was registered: character by character (RFC 9700 §2.1). Where a registered one is on the loopback
 * interface without a port, any port fits. A scheme that is refused today may have been registered with an earlier release.
 */
export function isRegisteredRedirectUri(registered: readonly string[], uri: string): boolean {
  if (URL.canParse(uri) && isSystemUriScheme(new URL(uri).protocol)) return false;
  return registered.includes(uri) || registered.includes(uri.replace(WITH_PORT, '$1'));
}
