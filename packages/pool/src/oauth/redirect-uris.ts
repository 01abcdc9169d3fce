/** Schemes that make a browser run or show what is in the URI itself, or read the machine. */
const FORBIDDEN_SCHEMES: ReadonlySet<string> = new Set([
  'about:',
  'blob:',
  'data:',
  'file:',
  'filesystem:',
  'javascript:',
  'vbscript:',
  'view-source:',
]);

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Printable ASCII: what a header carries as it is. */
const ASCII = /^[\x21-\x7e]+$/;

/**
 * What keeps a URI from being a callback or logout URL of a client; undefined where nothing does. Plain http is for the machine itself;
 * other schemes are those of native applications (RFC 8252 §7).
 */
export function redirectUriProblem(uri: string): string | undefined {
  if (!ASCII.test(uri) || !URL.canParse(uri)) return `${uri} is not a valid URL.`;
  const { protocol, hostname, username, password } = new URL(uri);
  // Where a parser would repair the text, what is compared and what is gone to would not be the same.
  if (uri.includes('#')) return `${uri} cannot contain a fragment.`;
  if (uri.includes('\\')) return `${uri} cannot contain a backslash.`;
  if (username !== '' || password !== '') return `${uri} cannot contain user information.`;
  if (FORBIDDEN_SCHEMES.has(protocol)) return `${uri} cannot use the ${protocol} scheme.`;
  if (protocol === 'http:' && !LOOPBACK_HOSTS.has(hostname)) return `${uri} cannot use the HTTP protocol.`;
  if (/^https?:$/.test(protocol) && !/^https?:\/\/[^/]/i.test(uri)) return `${uri} is not a valid URL.`;
  return undefined;
}

/** A loopback redirect URI of which the port is open (RFC 8252 §7.3): a native application gets one from the system. */
const WITH_PORT = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)):(?:[1-9]\d{0,4})(?=[/?]|$)/;

/**
 * Whether a redirect URI is one that was registered: character by character (RFC 9700 §2.1). Where a registered one is on the loopback
 * interface without a port, any port fits.
 */
export function isRegisteredUri(registered: readonly string[], uri: string): boolean {
  return registered.includes(uri) || registered.includes(uri.replace(WITH_PORT, '$1'));
}
