import assert from 'node:assert/strict';
import type { Exchange } from '../requests/exchange.ts';
import { PASSWORD, type TestService } from '../services/test-service.ts';

type Headers = Readonly<Record<string, string>>;

/** A cookie as a service set it. */
export interface SetCookie {
  readonly name: string;
  readonly value: string;
  /** The attributes in lower case; those without a value as plain names. */
  readonly attributes: readonly string[];
}

/** Returns the cookies that a response sets. */
export function parseSetCookies({ headers }: Exchange): readonly SetCookie[] {
  return [headers['set-cookie'] ?? []].flat().map((line) => {
    const [pair = '', ...attributes] = line.split('; ');
    const [name = '', value = ''] = pair.split('=', 2);
    return { name, value, attributes: attributes.map((text) => text.toLowerCase()) };
  });
}

/** A browser with a page of the service: it stores cookies and sends the page's origin, and the page sends its CSRF token. */
export class CookieBrowser {
  readonly cookies = new Map<string, string>();
  /** The page's token. */
  csrfToken = '';
  readonly #service: TestService;
  readonly #prefix: string;

  constructor(service: TestService, prefix = '/cognito') {
    this.#service = service;
    this.#prefix = prefix;
  }

  /** The same browser at another replica. */
  at(service: TestService): CookieBrowser {
    const same = new CookieBrowser(service, this.#prefix);
    for (const [name, value] of this.cookies) same.cookies.set(name, value);
    same.csrfToken = this.csrfToken;
    return same;
  }

  get cookieHeader(): Headers {
    const pairs = Array.from(this.cookies, ([name, value]) => `${name}=${value}`);
    return pairs.length === 0 ? {} : { cookie: pairs.join('; ') };
  }

  /** The headers of a change from a page of the service. */
  get pageHeaders(): Headers {
    return { ...this.cookieHeader, origin: this.#service.baseUrl, 'x-csrf-token': this.csrfToken };
  }

  /** Sends a request of a page. @param headers replace the browser's own */
  async ask(method: string, path: string, body?: unknown, headers?: Headers): Promise<Exchange> {
    const own = method === 'GET' ? this.cookieHeader : this.pageHeaders;
    const sent = body === undefined ? {} : { body };
    const answer = await this.#service.ask(method, `${this.#prefix}${path}`, { headers: headers ?? own, ...sent });
    for (const { name, value, attributes } of parseSetCookies(answer)) {
      if (attributes.includes('max-age=0')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const { csrf_token: csrfToken } = answer.body;
    if (typeof csrfToken === 'string') this.csrfToken = csrfToken;
    return answer;
  }

  get = (path: string, headers?: Headers): Promise<Exchange> => this.ask('GET', path, undefined, headers);

  /** Follows a link or a redirect. */
  open = (path: string): Promise<Exchange> =>
    this.get(path, {
      ...this.cookieHeader,
      accept: 'text/html',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    });

  post = (path: string, body: unknown = {}, headers?: Headers): Promise<Exchange> =>
    this.ask('POST', path, body, headers);

  /** Returns `GET /session`. */
  session = (): Promise<Exchange> => this.get('/session');

  /** Loads the page and logs in. */
  async logIn(username: string, more: Readonly<Record<string, unknown>> = {}, password = PASSWORD): Promise<Exchange> {
    await this.session();
    const answer = await this.post('/login', { username, password, ...more });
    assert.equal(answer.status, 200, answer.text);
    return answer;
  }

  /** Expects that no user is signed in. */
  async assertSignedOut(about?: string): Promise<void> {
    const { status, body, text } = await this.session();
    assert.equal(status, 200, `${about ?? ''} ${text}`);
    assert.equal(body.user, null, `${about ?? ''} ${text}`);
  }
}
