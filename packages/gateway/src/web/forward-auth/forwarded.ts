import type { BrowserHeaders } from '../browser.ts';

/** The request to an application for which its proxy asks. */
export interface ForwardedRequest {
  /** Of the application. */
  readonly origin: string;
  /** Path and query, as the browser sent them. */
  readonly uri: string;
  /** Whether the browser shows the answer as a page: only then is it sent elsewhere. */
  readonly isNavigation: boolean;
}

const HOST = /^[\w.:[\]-]{1,255}$/;
const MAX_URI = 2048;

/**
 * What a proxy says of the request that it asks for: `X-Forwarded-Proto`, `-Host`, `-Uri` and `-Method`, which nginx is told to send, and
 * which Caddy and Traefik send by themselves. Undefined where it does not say it, or says several things.
 * @param headers of a request that comes straight from a trusted proxy: from anybody else they are inventions
 */
export function forwardedRequest(headers: BrowserHeaders): ForwardedRequest | undefined {
  const { 'x-forwarded-proto': proto, 'x-forwarded-host': host, 'x-forwarded-uri': uri = '/' } = headers;
  if ((proto !== 'https' && proto !== 'http') || host === undefined || !HOST.test(host)) return undefined;
  const url = URL.parse(`${proto}://${host}`);
  if (url === null) return undefined;
  const path = uri.startsWith('/') && uri.length <= MAX_URI ? uri : '/';
  return { origin: url.origin, uri: path, isNavigation: isNavigation(headers) };
}

function isNavigation(headers: BrowserHeaders): boolean {
  const { 'x-forwarded-method': method = 'GET', 'sec-fetch-mode': mode, accept = '' } = headers;
  if (method !== 'GET' && method !== 'HEAD') return false;
  return mode === undefined ? accept.includes('text/html') : mode === 'navigate';
}
