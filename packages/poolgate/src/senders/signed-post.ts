import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns';
import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';

/** A post and the key that signs it. */
export interface SignedPost {
  readonly url: URL;
  /** `whsec_` and the key in base64. */
  readonly secret: string;
  /** The same at every attempt, so that the receiver can detect duplicates. */
  readonly id: string;
  /** JSON. */
  readonly body: string;
  readonly at: Date;
}

/** Resolves the addresses of a host name, as `dns.lookup` does with `all`. */
export type DnsLookup = (
  hostname: string,
  options: { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** The allowed targets of a post. */
export interface AllowedTargets {
  /** Checks every address before anything connects to it. */
  allows(address: string): boolean;
  /** Default: the system's lookup. */
  readonly lookup?: DnsLookup;
}

/**
 * The result of a post. `unreachable`: it certainly did not leave. `unanswered`: the receiver may have accepted it. `forbidden`: the host
 * has an address that is not allowed, and nothing connected to it.
 */
export type PostOutcome =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'unreachable' | 'unanswered' | 'forbidden' };

/** The same with the response, up to the read limit. */
export type ExchangeOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly body: Uint8Array;
      /** Present only if the caller requested headers. */
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'unreachable' | 'unanswered' | 'forbidden' };

/** Whether a status says that the receiver accepted the post. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

const MAX_WAIT_MS = 10_000;

const ANYWHERE: AllowedTargets = { allows: () => true };

/** A host name has an address that is not allowed. */
class ForbiddenAddressError extends Error {}

/**
 * Posts JSON, signed by Standard Webhooks. It does not follow redirects, which would lead to another address than the configured one. Never
 * rejects.
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export async function postSigned(
  post: SignedPost,
  signal: AbortSignal,
  targets: AllowedTargets = ANYWHERE,
): Promise<PostOutcome> {
  const exchange = await postSignedAndRead(post, signal, targets, 0);
  return exchange.kind === 'answered' ? { kind: 'answered', status: exchange.status } : exchange;
}

/**
 * Like {@link postSigned}, and reads the response: at most the given number of bytes, and one more, which shows that the response is
 * longer. With 0 it reads nothing.
 */
export async function postSignedAndRead(
  post: SignedPost,
  signal: AbortSignal,
  targets: AllowedTargets,
  mostBytes: number,
): Promise<ExchangeOutcome> {
  // A forbidden post is not signed.
  if (isForbiddenAddress(post.url, targets)) return { kind: 'forbidden' };
  const request = { method: 'POST', headers: await signHeaders(post), signal };
  return sendGuardedRequest(post.url, request, targets, { body: post.body, mostBytes });
}

/** A body that is posted unchanged. */
export interface BodyPost {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Posts a body unchanged and reads only the status. It does not follow redirects. Never rejects. */
export function postBody(
  { url, headers, body }: BodyPost,
  signal: AbortSignal,
  targets: AllowedTargets,
): Promise<ExchangeOutcome> {
  const all = { 'user-agent': 'Poolgate', 'content-length': String(Buffer.byteLength(body)), ...headers };
  return sendGuardedRequest(url, { method: 'POST', headers: all, signal }, targets, { body, mostBytes: 0 });
}

/**
 * Gets a document and reads at most the given number of bytes, and one more, which shows that the document is longer. It does not follow
 * redirects. Never rejects.
 */
export function getAndRead(
  url: URL,
  signal: AbortSignal,
  targets: AllowedTargets,
  mostBytes: number,
): Promise<ExchangeOutcome> {
  const headers = { accept: 'application/json', 'user-agent': 'Poolgate' };
  return sendGuardedRequest(url, { method: 'GET', headers, signal }, targets, { body: '', mostBytes });
}

/** A request as it is sent. */
export interface GuardedRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends any request, and reads headers and a bounded body of the answer, as {@link getAndRead} does. Never rejects. */
export function sendAndRead(
  { url, method, headers, body }: GuardedRequest,
  signal: AbortSignal,
  targets: AllowedTargets,
  mostBytes: number,
): Promise<ExchangeOutcome> {
  const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const all = { ...headers, 'user-agent': 'Poolgate', ...length };
  return sendGuardedRequest(url, { method, headers: all, signal }, targets, { body, mostBytes, keepsHeaders: true });
}

async function sendGuardedRequest(
  url: URL,
  {
    signal,
    ...request
  }: { readonly method: string; readonly headers: Record<string, string>; readonly signal: AbortSignal },
  targets: AllowedTargets,
  delivery: Delivery,
): Promise<ExchangeOutcome> {
  if (isForbiddenAddress(url, targets)) return { kind: 'forbidden' };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT_MS)]);
  const options = { ...request, signal: limit, agent: false, lookup: createGuardedLookup(targets) } as const;
  return sendRequest(url, options, delivery);
}

/** A connection does not call the lookup for a literal address. */
function isForbiddenAddress(url: URL, { allows }: AllowedTargets): boolean {
  const host = parseHost(url);
  return isIP(host) !== 0 && !allows(host);
}

function parseHost({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Returns the addresses of a URL's host; none if its name is unknown. */
export function resolveAddresses(url: URL, lookup: DnsLookup = systemLookup as DnsLookup): Promise<readonly string[]> {
  const host = parseHost(url);
  if (isIP(host) !== 0) return Promise.resolve([host]);
  return new Promise((resolve) => {
    lookup(host, { all: true }, (_error, found = []) => resolve(found.map(({ address }) => address)));
  });
}

async function signHeaders({ secret, id, at, body }: SignedPost): Promise<Record<string, string>> {
  // Loaded only for the first post.
  const { Webhook } = await import('standardwebhooks');
  return {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'Poolgate',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
}

/**
 * Creates a lookup for a connection. It returns the addresses that it has checked, so that the name cannot change its meaning before the
 * connection. A name with one forbidden address is rejected completely.
 */
function createGuardedLookup({
  allows,
  lookup = systemLookup as DnsLookup,
}: AllowedTargets): NonNullable<RequestOptions['lookup']> {
  return (hostname, options, callback) =>
    lookup(hostname, { all: true }, (error, addresses = []) => {
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => allows(address))) {
        callback(first === undefined ? (error ?? new Error('no address')) : new ForbiddenAddressError(), []);
      } else if (options.all === true) {
        callback(null, addresses);
      } else {
        callback(null, first.address, first.family);
      }
    });
}

interface Delivery {
  readonly body: string;
  readonly mostBytes: number;
  readonly keepsHeaders?: boolean;
}

async function sendRequest(url: URL, options: RequestOptions, delivery: Delivery): Promise<ExchangeOutcome> {
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options);
  let hasLeft = false;
  request.once('socket', (socket) => {
    // Before this event no part of the request has been sent.
    socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      hasLeft = true;
    });
  });
  try {
    return { kind: 'answered', ...(await readResponse(request, delivery)) };
  } catch (error) {
    if (error instanceof ForbiddenAddressError) return { kind: 'forbidden' };
    return { kind: hasLeft ? 'unanswered' : 'unreachable' };
  } finally {
    // The rest of the response is not needed, and may be endless.
    request.destroy();
  }
}

async function readResponse(
  request: ClientRequest,
  { body, mostBytes, keepsHeaders = false }: Delivery,
): Promise<Omit<Extract<ExchangeOutcome, { kind: 'answered' }>, 'kind'>> {
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  request.end(body);
  const [response] = await answered;
  // Errors after the status do not matter, because nothing more is read.
  response.on('error', () => {});
  request.on('error', () => {});
  return {
    status: response.statusCode as number,
    body: mostBytes === 0 ? NOTHING : await readBeginning(response, mostBytes),
    ...(keepsHeaders && { headers: joinHeaders(response) }),
  };
}

function joinHeaders({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value ?? '')]));
}

const NOTHING = new Uint8Array();

async function readBeginning(response: IncomingMessage, mostBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    chunks.push(chunk as Uint8Array);
    bytes += (chunk as Uint8Array).byteLength;
    if (bytes > mostBytes) break;
  }
  return Buffer.concat(chunks);
}
