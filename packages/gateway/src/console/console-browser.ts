/** The console: an admin key opens a console session, which can then use the routes for admin keys. */
import type { GatewayRuntime } from '../runtime/runtime.ts';
import type { BrowserHeaders } from '../web/browser.ts';
import { formatSetCookie, readCookie } from '../web/cookies.ts';
import { createPreLogin, decryptPreLogin, encryptPreLogin } from '../web/pre-login.ts';
import { type ConsoleSession, createConsoleCsrfToken } from './console-session.ts';

/** The cookie of a console session. */
export const CONSOLE_COOKIE = '__Host-poolgate-console';
/** The cookie of a browser that has opened the console and is not signed in there. */
const CONSOLE_LOGIN_COOKIE = '__Host-poolgate-console-login';

/** The browser of a request to the console: the cookies that it sent, and those that the response sets. */
export class ConsoleBrowser {
  readonly headers: BrowserHeaders;
  /** The id of a console session from the browser, not checked yet. */
  readonly sessionId: string | undefined;
  /** The session, once the guard has found it. */
  session: ConsoleSession | undefined;
  readonly #runtime: GatewayRuntime;
  readonly #set = new Map<string, string>();
  #loginToken: string | undefined;

  constructor(runtime: GatewayRuntime, headers: BrowserHeaders) {
    this.#runtime = runtime;
    this.headers = headers;
    this.sessionId = readCookie(headers.cookie, CONSOLE_COOKIE);
    this.#loginToken = decryptPreLogin(runtime, readCookie(headers.cookie, CONSOLE_LOGIN_COOKIE))?.csrfToken;
  }

  /**
   * The CSRF token that a change must send; undefined if the browser has none yet. A page whose session was not found, for example from
   * another network, still has the token of its cookie.
   */
  get csrfToken(): string | undefined {
    const ofCookie = this.sessionId === undefined ? undefined : createConsoleCsrfToken(this.sessionId);
    return this.session?.csrfToken ?? this.#loginToken ?? ofCookie;
  }

  /** The `Set-Cookie` headers of the response. */
  get setCookies(): readonly string[] {
    return [...this.#set.values()];
  }

  /** Returns the CSRF token for the sign-in, which is created if it does not exist yet. */
  ensureLoginToken(): string {
    if (this.#loginToken !== undefined) return this.#loginToken;
    const preLogin = createPreLogin(this.#runtime);
    this.#put(CONSOLE_LOGIN_COOKIE, encryptPreLogin(this.#runtime, preLogin));
    this.#loginToken = preLogin.csrfToken;
    return preLogin.csrfToken;
  }

  /** Replaces the session, if any. */
  open(id: string, session: ConsoleSession): void {
    this.session = session;
    this.#put(CONSOLE_COOKIE, id);
    if (this.#loginToken !== undefined) this.#put(CONSOLE_LOGIN_COOKIE, '', 0);
    this.#loginToken = undefined;
  }

  /** Removes the cookie of the session. */
  close(): void {
    if (this.sessionId !== undefined || this.session !== undefined) this.#put(CONSOLE_COOKIE, '', 0);
    this.session = undefined;
  }

  #put(name: string, value: string, maxAgeSeconds?: number): void {
    this.#set.set(name, formatSetCookie(name, value, 'Strict', maxAgeSeconds));
  }
}
