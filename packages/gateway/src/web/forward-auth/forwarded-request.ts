import { WEB_ROUTES } from '@poolgate/contract';
import type { BrowserHeaders } from '../browser.ts';
import { isDocumentNavigation } from './navigation.ts';

/** The request to an application about which its proxy asks. */
export interface ForwardedRequest {
  /** The application's origin. */
  readonly origin: string;
  /** Path and query as the browser sent them; undefined if the proxy does not pass them on. */
  readonly uri: string | undefined;
  /** Whether the browser shows the response as a page. Only then is it redirected. */
  readonly isNavigation: boolean;
}

const HOST = /^[\w.:[\]-]{1,255}$/;
const MAX_URI = 2048;

/**
 * Parses a proxy's description of a request: `X-Forwarded-Proto`, `-Host`, `-Uri` and `-Method`, which nginx must be configured to send,
 * and which Caddy and Traefik send by default. Undefined if they are missing or ambiguous.
 * @param headers of a request directly from a trusted proxy; anyone else can forge them
 */
export function parseForwardedRequest(headers: BrowserHeaders): ForwardedRequest | undefined {
  const { 'x-forwarded-proto': proto, 'x-forwarded-host': host, 'x-forwarded-uri': uri } = headers;
  const origin = toApplicationOrigin(proto, host);
  if (origin === undefined) return undefined;
  const path = uri === undefined || (uri.startsWith('/') && uri.length <= MAX_URI) ? uri : '/';
  return { origin, uri: path, isNavigation: isNavigation(headers) };
}

/** Returns the origin of a scheme and a `Host`; undefined if invalid. */
export function toApplicationOrigin(scheme: string | undefined, host: string | undefined): string | undefined {
  if ((scheme !== 'https' && scheme !== 'http') || host === undefined || !HOST.test(host)) return undefined;
  return URL.parse(`${scheme}://${host}`)?.origin;
}

/** Makes a host safe to log, because a header can contain anything. Undefined if it is not a host. */
export function toLoggableHost(host: string | undefined): string | undefined {
  return host !== undefined && HOST.test(host) ? host : undefined;
}

/** A browser that returns from the service, with or without a ticket. */
export interface CallbackRequest {
  readonly ticket: string | undefined;
}

/**
 * Parses the callback as forward authentication sees it if the proxy does not route the path to the service. The address may have any
 * length, so that every ticket is found. Undefined for another path.
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
