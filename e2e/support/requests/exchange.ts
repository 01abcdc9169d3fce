import { Agent, request } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';

/** The content of a request: a text or bytes unchanged, anything else as JSON. */
export interface RequestContent {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: unknown;
}

/** The response. */
export interface Exchange {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
  /** The JSON object of the response; empty if it is not JSON. */
  readonly body: Readonly<Record<string, unknown>>;
}

let addressesUsed = 0;

/**
 * Creates the header of a request from a separate address, which a service started with {@link BEHIND_PROXY} trusts. So the limits of one
 * source do not apply.
 */
export function createClientAddress(): { readonly 'x-forwarded-for': string } {
  addressesUsed += 1;
  return { 'x-forwarded-for': `10.${1 + (addressesUsed >> 8)}.${addressesUsed & 0xff}.1` };
}

/** The options of a service whose tests set the address of requests. */
export const BEHIND_PROXY = { trustedProxies: ['127.0.0.1'] } as const;

const CONNECTIONS = {
  'http:': { send: request, agent: new Agent({ keepAlive: true }) },
  'https:': { send: tlsRequest, agent: new TlsAgent({ keepAlive: true, servername: 'localhost' }) },
} as const;

/**
 * Sends one request exactly as given: `fetch` would normalize the path, and send no body with GET and no custom Host.
 * @param path path and query, sent unchanged
 */
export function sendRequest(url: string, method: string, path: string, { headers = {}, body }: RequestContent = {}) {
  const payload =
    body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const always =
    payload === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) };
  const { hostname, port, protocol } = new URL(url);
  const { send, agent } = CONNECTIONS[protocol === 'https:' ? protocol : 'http:'];
  return new Promise<Exchange>((resolve, reject) => {
    const sent = send(
      { hostname, port, agent, method, path, headers: { ...always, ...headers } as Record<string, string> },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(parts).toString();
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, body: parseObject(text) });
        });
      },
    );
    sent.on('error', reject);
    sent.end(payload);
  });
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Creates the header with an access token. */
export const createBearerHeader = (token: string): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${token}`,
});
