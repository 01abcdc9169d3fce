import type * as playwright from 'playwright-core';

/** A request with its response, as sent on the network. */
export interface LoggedExchange {
  readonly method: string;
  readonly path: string;
  /** Address, headers without cookies, and body. */
  readonly request: string;
  /** Headers without cookies, and body; empty without a response. */
  readonly response: Promise<string>;
}

const isCookie = (name: string): boolean => name === 'cookie' || name === 'set-cookie';
const removeHeaders = (headers: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.entries(headers).filter(([name]) => !isCookie(name)));

/** Records everything that the pages and the workers of a browser profile send and receive from now on, in order. */
export function logNetwork(context: playwright.BrowserContext): readonly LoggedExchange[] {
  const log: LoggedExchange[] = [];
  context.on('request', (request) => {
    const url = request.url();
    log.push({
      method: request.method(),
      path: new URL(url).pathname,
      request: `${url} ${removeHeaders(request.headers())} ${request.postData() ?? ''}`,
      response: readResponse(request).catch(() => ''),
    });
  });
  return log;
}

async function readResponse(request: playwright.Request): Promise<string> {
  const response = await request.response();
  if (response === null) return '';
  return `${removeHeaders(await response.allHeaders())} ${await response.text()}`;
}
