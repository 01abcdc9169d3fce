import { GatewayError, type WrongAddress } from '../kernel/gateway-errors.ts';

/** The headers by which a request says where its page comes from. */
interface OriginHeaders {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  readonly 'sec-fetch-site'?: string | undefined;
}

/** Longer addresses are not repeated, in no page and no log. */
const MAX_ADDRESS_LENGTH = 128;
const HOST = /^[\w.:[\]-]+$/;

/** Whether a text is an origin as browsers write it. */
export function isOrigin(text: string): boolean {
  return (
    text.length <= MAX_ADDRESS_LENGTH && /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
  );
}

/**
 * The origin of a page of this service that sent a request, whatever address the page was opened at. Browsers tell over https and on
 * localhost; elsewhere the `Host` header must name the same host.
 * @returns undefined where another site's page sent it, or no page
 */
export function findOwnPageOrigin({ origin, host = '', 'sec-fetch-site': site }: OriginHeaders): string | undefined {
  if (origin === undefined || !isOrigin(origin)) return undefined;
  if (site !== undefined) return site === 'same-origin' ? origin : undefined;
  const page = new URL(origin);
  return HOST.test(host) && URL.parse(`${page.protocol}//${host}`)?.host === page.host ? origin : undefined;
}

/** A refusal because a page of this service was opened at an address where browsers send forms that are not accepted. */
export function wrongPageAddressError(baseUrl: string, opened: string): GatewayError {
  const address = { opened, baseUrl };
  return new GatewayError('csrf_failed', formatWrongAddress(address), { reason: 'wrong_address', address });
}

/** A refusal because the service does not answer for the host that a request names. Programs know that host: their answer does not repeat it. */
export function wrongHostError(baseUrl: string, host: string | undefined): GatewayError {
  if (host === undefined || host.length > MAX_ADDRESS_LENGTH || !HOST.test(host))
    return new GatewayError('misdirected_request');
  const address = { opened: host, baseUrl };
  const detail = `The Host header names another host than BASE_URL, which is ${baseUrl}. Open ${baseUrl}, or change BASE_URL to the address that clients use.`;
  return new GatewayError('misdirected_request', detail, { reason: 'wrong_address', address });
}

/** Names both addresses and what to change, in English: for problems and for the log. */
export function formatWrongAddress({ opened, baseUrl }: WrongAddress): string {
  return `The service was opened at ${opened}, but BASE_URL is ${baseUrl}. Open ${baseUrl}, or change BASE_URL to the address that browsers use.`;
}
