import assert from 'node:assert/strict';
import { PASSWORD } from '@poolgate/pool/testing';
import type { PoolService, PoolServiceResponse } from './pool-service.ts';

/** A cookie as it was set, with its attributes in lower case. */
export interface SetCookie {
  readonly name: string;
  readonly value: string;
  readonly attributes: readonly string[];
}

/** The cookies in a response. */
export function parseSetCookies({ headers }: PoolServiceResponse): readonly SetCookie[] {
  const lines = [headers['set-cookie'] ?? []].flat().map(String);
  return lines.map((line) => {
    const [pair = '', ...attributes] = line.split('; ');
    const equals = pair.indexOf('=');
    return {
      name: pair.slice(0, equals),
      value: pair.slice(equals + 1),
      attributes: attributes.map((text) => text.toLowerCase()),
    };
  });
}

type Headers = Readonly<Record<string, string>>;

/** A browser with the pages of the service: it stores cookies, sends its origin, and knows its latest CSRF token. */
export class PageBrowser {
  readonly cookies = new Map<string, string>();
  csrfToken = '';
  readonly #service: PoolService;
  readonly #prefix: string;

  constructor(service: PoolService, prefix = '/cognito') {
    this.#service = service;
    this.#prefix = prefix;
  }

  /** A request of this browser as it is now. @param prefix of its addresses */
  copy(prefix = this.#prefix): PageBrowser {
    const same = new PageBrowser(this.#service, prefix);
    for (const [name, value] of this.cookies) same.cookies.set(name, value);
    same.csrfToken = this.csrfToken;
    return same;
  }

  get cookieHeader(): Headers {
    const cookie = Array.from(this.cookies, ([name, value]) => `${name}=${value}`).join('; ');
    return cookie === '' ? {} : { cookie };
  }

  /** The headers of a change from a page. */
  get pageHeaders(): Headers {
    return { ...this.cookieHeader, origin: this.#service.baseUrl, 'x-csrf-token': this.csrfToken };
  }

  /** @param headers in addition to the cookies and, for a change, those of a page */
  get = (path: string, headers: Headers = {}): Promise<PoolServiceResponse> =>
    this.#ask('GET', path, { headers: { ...this.cookieHeader, ...headers } });

  /** Follows a link or a redirect. */
  open = (path: string, headers: Headers = {}): Promise<PoolServiceResponse> =>
    this.get(path, { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', ...headers });

  post = (path: string, body: unknown = {}, headers: Headers = {}): Promise<PoolServiceResponse> =>
    this.#ask('POST', path, { body, headers: { ...this.pageHeaders, ...headers } });

  async #ask(
    method: 'GET' | 'POST',
    path: string,
    sent: { headers: Headers; body?: unknown },
  ): Promise<PoolServiceResponse> {
    const answer = await this.#service.ask(method, this.#prefix + path, sent);
    for (const { name, value, attributes } of parseSetCookies(answer)) {
      if (attributes.includes('max-age=0')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    if (typeof answer.body.csrf_token === 'string') this.csrfToken = answer.body.csrf_token;
    return answer;
  }

  /** Loads a page, and logs in. */
  async logIn(username: string, more: object = {}): Promise<PoolServiceResponse> {
    await this.get('/session');
    const answer = await this.post('/login', { username, password: PASSWORD, ...more });
    assert.equal(answer.status, 200, answer.text);
    return answer;
  }

  /** The signed-in user according to the service, or null. */
  async user(): Promise<unknown> {
    const { status, body, text } = await this.get('/session');
    assert.equal(status, 200, text);
    return body.user;
  }
}

/** Expects a problem with this status and code. */
export function assertProblem(
  { status, body, text }: PoolServiceResponse,
  wanted: readonly [status: number, code: string],
  about = '',
): void {
  assert.deepEqual([status, body.code], wanted, `${about} ${text}`);
}
