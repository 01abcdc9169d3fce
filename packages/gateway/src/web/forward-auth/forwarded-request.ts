import { WEB_ROUTES } from '@poolgate/contract';
import type { BrowserHeaders } from '../browser.ts';
import { isDocumentNavigation } from './navigation.ts';

/** The request to an application for which its proxy asks. */
export interface ForwardedRequest {
  /** Of the application. */
  readonly origin: string;
  /** Path and query, as the browser sent them; undefined where the proxy does not send them. */
  readonly uri: string | undefined;
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
export function parseForwardedRequest(headers: BrowserHeaders): ForwardedRequest | undefined {
  const { 'x-forwarded-proto': proto, 'x-forwarded-host': host, 'x-forwarded-uri': uri } = headers;
  const origin = toApplicationOrigin(proto, host);
  if (origin === undefined) return undefined;
  const path = uri === undefined || (uri.startsWith('/') && uri.length <= MAX_URI) ? uri : '/';
  return { origin, uri: path, isNavigation: isNavigation(headers) };
}

/** The origin that a scheme and a `Host` name; undefined where they name none. */
export function toApplicationOrigin(scheme: string | undefined, host: string | undefined): string | undefined {
  if ((scheme !== 'https' && scheme !== 'http') || host === undefined || !HOST.test(host)) return undefined;
  return URL.parse(`${scheme}://${host}`)?.origin;
}

/** A host as a log may show it: a header can hold anything. Undefined where it is no host. */
export function toLoggableHost(host: string | undefined): string | undefined {
  return host !== undefined && HOST.test(host) ? host : undefined;
}

/** A browser that returns from the service with a ticket, or without one. */
export interface CallbackRequest {
  readonly ticket: string | undefined;
}

/**
 * The callback as forward authentication sees it where the proxy does not route the path to the service. The length of the address is not
 * limited here, so that every ticket is found. Undefined where the browser asks for another path.
 */
export function parseCallbackRequest(headers: BrowserHeaders): CallbackRequest | undefined {
  const { path, query } = /^(?<path>[^?]*)\??(?<query>.*)$/s.exec(headers['x-forwarded-uri'] ?? '')?.groups ?? {};
  if (path !== WEB_ROUTES.webForwardAuthCallback.path) return undefined;
  return { ticket: new URLSearchParams(query).get('ticket') ?? undefined };
}

function isNavigation(headers: BrowserHeaders): boolean {
  const { 'x-forwarded-method': method = 'GET' } = headers;
  return (method === 'GET' || method === 'HEAD') && isDocumentNavigation(headers);
}
