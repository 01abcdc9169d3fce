import { GatewayError, type WrongAddress } from '../kernel/gateway-errors.ts';

/** The headers that show where a request's page comes from. */
interface OriginHeaders {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  readonly 'sec-fetch-site'?: string | undefined;
}

/** Longer addresses are never repeated in pages or logs. */
const MAX_ADDRESS_LENGTH = 128;
const HOST = /^[\w.:[\]-]+$/;

/** Whether a text is an origin in the form that browsers use. */
export function isOrigin(text: string): boolean {
  return (
    text.length <= MAX_ADDRESS_LENGTH && /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
  );
}

/**
 * Returns the origin of a page of this service that sent a request, whatever address the page was opened at. Browsers send it over https
 * and on localhost; elsewhere the `Host` header must have the same host.
 * @returns undefined if another site's page sent it, or no page
 */
export function findOwnPageOrigin({ origin, host = '', 'sec-fetch-site': site }: OriginHeaders): string | undefined {
  if (origin === undefined || !isOrigin(origin)) return undefined;
  if (site !== undefined) return site === 'same-origin' ? origin : undefined;
  const page = new URL(origin);
  return HOST.test(host) && URL.parse(`${page.protocol}//${host}`)?.host === page.host ? origin : undefined;
}

/** The error if a page of this service was opened at an address from which forms are not accepted. */
export function wrongPageAddressError(baseUrl: string, opened: string): GatewayError {
  const address = { opened, baseUrl };
  return new GatewayError('csrf_failed', formatWrongAddress(address), { reason: 'wrong_address', address });
}

/** The error if the service does not serve a request's host. Programs know that host, so their response does not repeat it. */
export function wrongHostError(baseUrl: string, host: string | undefined): GatewayError {
  if (host === undefined || host.length > MAX_ADDRESS_LENGTH || !HOST.test(host))
    return new GatewayError('misdirected_request');
  const address = { opened: host, baseUrl };
  const detail = `The Host header does not match BASE_URL, which is ${baseUrl}. Open ${baseUrl}, or change BASE_URL to the address that clients use.`;
  return new GatewayError('misdirected_request', detail, { reason: 'wrong_address', address });
}

/** Names both addresses and the fix, in English, for problems and the log. */
export function formatWrongAddress({ opened, baseUrl }: WrongAddress): string {
  return `The service was opened at ${opened}, but BASE_URL is ${baseUrl}. Open ${baseUrl}, or change BASE_URL to the address that browsers use.`;
}
