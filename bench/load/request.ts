import { Agent, type RequestOptions, request } from 'node:http';

const agent = new Agent({ keepAlive: true });

/**
 * Sends a request over a persistent connection and returns the JSON of a 2xx response. Any other response is an error, because rejected
 * requests would look fast.
 */
function requestJson(url: string, options: RequestOptions, text?: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, ...options }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => {
        const received = Buffer.concat(parts).toString('utf8');
        const status = answer.statusCode ?? 0;
        if (status === 204) resolve(undefined);
        else if (status >= 200 && status < 300) resolve(JSON.parse(received));
        else reject(new Error(`${status} from ${url}: ${received.slice(0, 300)}`));
      });
    });
    sent.on('error', reject);
    sent.end(text);
  });
}

/** Gets a page. */
export const get = (url: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> =>
  requestJson(url, { headers });

/** Sends JSON. */
export function post(url: string, body: unknown, headers: Readonly<Record<string, string>>): Promise<unknown> {
  const text = JSON.stringify(body);
  return requestJson(url, { method: 'POST', headers: { ...headers, 'Content-Length': Buffer.byteLength(text) } }, text);
}

/** Sends a form. */
export function postForm(
  url: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const text = new URLSearchParams(fields).toString();
  const own = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': Buffer.byteLength(text) };
  return requestJson(url, { method: 'POST', headers: { ...own, ...headers } }, text);
}

/** Returns where the page redirects the browser. Any other response is an error. */
export function readLocation(url: string, headers: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers }, (answer) => {
      answer.on('error', reject);
      answer.on('end', () => {
        const { statusCode = 0 } = answer;
        if (statusCode === 302 || statusCode === 303) resolve(answer.headers.location ?? '');
        else reject(new Error(`${statusCode} from ${url}`));
      });
      answer.resume();
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Calls an operation of AWS JSON 1.1. */
export function callOperation(
  url: string,
  operation: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  return post(`${url}/`, body, {
    ...headers,
    'Content-Type': 'application/x-amz-json-1.1',
    'X-Amz-Target': `AWSCognitoIdentityProviderService.${operation}`,
  });
}

/** Calls a route. */
export function callRoute(
  url: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  return post(`${url}${path}`, body, { 'Content-Type': 'application/json', ...headers });
}
