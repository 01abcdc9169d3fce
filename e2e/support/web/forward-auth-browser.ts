import assert from 'node:assert/strict';
import type { Exchange } from '../requests/exchange.ts';
import type { TestService } from '../services/test-service.ts';
import { parseSetCookies } from './cookie-browser.ts';

/** An application on another host. */
export const APPLICATION_ORIGIN = 'https://app.example.com';

type Headers = Readonly<Record<string, string>>;

/** A browser at an application on another host, with separate cookies. */
export class ForwardAuthBrowser {
  /** By name; tests can change them. */
  readonly cookies = new Map<string, string>();
  readonly origin: string;
  readonly #service: TestService;

  constructor(service: TestService, origin = APPLICATION_ORIGIN) {
    this.#service = service;
    this.origin = origin;
  }

  /** Its cookies, as it sends them. */
  get cookieHeader(): Headers {
    return this.cookies.size === 0 ? {} : { cookie: Array.from(this.cookies, (pair) => pair.join('=')).join('; ') };
  }

  /** Sends the proxy's request before it forwards one. */
  open(uri: string, query = '?redirect=1', more: Headers = {}): Promise<Exchange> {
    return this.#ask(`/cognito/forward-auth${query}`, {
      'x-forwarded-host': new URL(this.origin).host,
      'x-forwarded-uri': uri,
      'x-forwarded-method': 'GET',
      ...more,
    });
  }

  /** Opens an address of the callback, which a proxy routes to the service. */
  comeBack(uri: string, more: Headers = {}): Promise<Exchange> {
    return this.#ask(uri, { host: new URL(this.origin).host, ...more });
  }

  async #ask(path: string, more: Headers): Promise<Exchange> {
    const answer = await this.#service.get(path, {
      accept: 'text/html',
      'x-forwarded-proto': new URL(this.origin).protocol.slice(0, -1),
      ...this.cookieHeader,
      ...more,
    });
    for (const { name, value, attributes } of parseSetCookies(answer)) {
      if (attributes.includes('max-age=0')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }
}

/** Returns where a response redirects a browser. */
export const readLocation = ({ status, headers, text }: Exchange): string => {
  assert.equal(status, 302, text);
  return String(headers.location);
};

/** Returns path and query of an address at the service, without its prefix. */
export const toServicePath = (location: string): string => location.replace(/^.*?\/cognito/, '');

/** Returns path and query of an address at an application. */
export const toApplicationPath = (location: string): string => location.slice(new URL(location).origin.length);
