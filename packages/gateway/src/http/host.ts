import { memoizeLast } from './memoize.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

// Nearly all requests name one host.
/** The host of a `Host` header without its port, lower case; undefined where it is none. */
export const parseHost = memoizeLast((header: string | undefined): string | undefined => {
  if (header === undefined || !/^[\w.:[\]-]+$/.test(header)) return undefined;
  return URL.parse(`http://${header}`)?.hostname;
});

const parseHostname = memoizeLast((url: string) => new URL(url).hostname);

/** Whether a host names this machine only. */
export function isLoopback(host: string | undefined): boolean {
  return LOOPBACK.test(host ?? '');
}

/** Whether the service answers for a host: its own, or a loopback name. Else any name that points here could ask (DNS rebinding). */
export function isServedHost(baseUrl: string, host: string | undefined): boolean {
  return isLoopback(host) || host === parseHostname(baseUrl);
}
