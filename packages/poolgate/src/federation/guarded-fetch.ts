/**
 * Requests to the identity providers of pools. Administrators who add providers are trusted less than the operator: nothing connects to an address that
 * is not public, unless the operator allows it.
 */
import { isIPv4 } from 'node:net';
import { isLoopback } from '../config/mode.ts';
import { isPublicAddress } from '../senders/public-address.ts';
import { type AllowedTargets, type DnsLookup, sendAndRead } from '../senders/signed-post.ts';

/** The targets that requests to identity providers may have. */
export interface ProviderTargets {
  /** True: private addresses too, and without TLS. */
  readonly allowPrivate: boolean;
  /** True: this machine too, and there without TLS. */
  readonly allowLoopback: boolean;
  /** By default the system's. */
  readonly lookup?: DnsLookup;
}

/** Several times the size of keys, tokens and profiles. */
const MAX_BYTES = 262_144;

function isLoopbackAddress(address: string): boolean {
  return isIPv4(address) ? address.startsWith('127.') : address === '::1';
}

/** Whether a provider's address may be used at all: https, or http if the operator allows it. */
export function isAllowedUrl(text: string, { allowPrivate, allowLoopback }: ProviderTargets): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && (allowPrivate || (allowLoopback && isLoopback(hostname))));
}

/** Creates the `fetch` for openid-client. It does not follow redirects, and limits the time and size of responses. */
export function createGuardedFetch(targets: ProviderTargets) {
  const { allowPrivate, allowLoopback, lookup } = targets;
  const isAllowed = (address: string) =>
    allowPrivate || isPublicAddress(address) || (allowLoopback && isLoopbackAddress(address));
  const allowed: AllowedTargets = { allows: isAllowed, ...(lookup && { lookup }) };
  return async (
    url: string,
    options: {
      readonly method: string;
      readonly headers: Record<string, string>;
      readonly body?: unknown;
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<Response> => {
    if (!isAllowedUrl(url, targets)) throw new TypeError('The address of the identity provider is not allowed.');
    const { method, headers, body } = options;
    const request = { url: new URL(url), method, headers: toPlainHeaders(headers, body), body: toText(body) };
    const outcome = await sendAndRead(request, options.signal ?? new AbortController().signal, allowed, MAX_BYTES);
    if (outcome.kind !== 'answered') throw new TypeError(`The request was ${outcome.kind}.`);
    if (outcome.body.byteLength > MAX_BYTES) throw new TypeError('The answer of the identity provider is too long.');
    const isEmpty = outcome.status === 204 || outcome.status === 304;
    const answered = { status: outcome.status, headers: pickHeaders(outcome.headers ?? {}) };
    return new Response(isEmpty ? null : Buffer.from(outcome.body), answered);
  };
}

const toText = (body: unknown): string => (body === undefined || body === null ? '' : String(body));

function toPlainHeaders(headers: Record<string, string>, body: unknown): Record<string, string> {
  const isForm = body instanceof URLSearchParams;
  return { ...(isForm && { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }), ...headers };
}

/** Those that the library reads. The body arrives as it was sent, so encodings are never asked for. */
function pickHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const wanted = ['content-type', 'www-authenticate', 'cache-control', 'date', 'location'];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => wanted.includes(name)));
}
