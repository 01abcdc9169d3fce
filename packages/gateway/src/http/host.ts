import { memoizeLast } from './memoize.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

// Almost all requests have the same host.
/** Returns the host of a `Host` header without its port, in lowercase; undefined if invalid. */
export const parseHost = memoizeLast((header: string | undefined): string | undefined => {
  if (header === undefined || !/^[\w.:[\]-]+$/.test(header)) return undefined;
  return URL.parse(`http://${header}`)?.hostname;
});

const parseHostname = memoizeLast((url: string) => new URL(url).hostname);

/** Whether a host can only be this machine. */
export function isLoopback(host: string | undefined): boolean {
  return LOOPBACK.test(host ?? '');
}

/**
 * Whether the service serves a host: its own, or a loopback name. Otherwise any name that resolves to this address could be used (DNS
 * rebinding).
 */
export function isServedHost(baseUrl: string, host: string | undefined): boolean {
  return isLoopback(host) || host === parseHostname(baseUrl);
}
