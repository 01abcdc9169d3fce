import type { GatewayRuntime } from '../runtime.ts';
import { cookieIn, PRE_LOGIN_COOKIE, type SameSite, SESSION_COOKIE, setCookie } from './cookies.ts';
import {
  newPreLogin,
  type PendingLogin,
  type PendingReset,
  type PreLogin,
  readPreLogin,
  writePreLogin,
} from './pre-login.ts';
import type { StoredSession, WebSession } from './web-session.ts';

/** What of a request's headers tells its browser. */
export interface BrowserHeaders {
  readonly host?: string | undefined;
  readonly cookie?: string | undefined;
  readonly origin?: string | undefined;
  readonly authorization?: string | undefined;
  readonly 'sec-fetch-site'?: string | undefined;
  readonly 'sec-fetch-mode'?: string | undefined;
  readonly 'sec-fetch-dest'?: string | undefined;
  readonly accept?: string | undefined;
  readonly 'x-csrf-token'?: string | undefined;
  readonly 'x-forwarded-proto'?: string | undefined;
  readonly 'x-forwarded-host'?: string | undefined;
  readonly 'x-forwarded-uri'?: string | undefined;
  readonly 'x-forwarded-method'?: string | undefined;
}

/** As long as somebody may take to sign in. */
const RETURN_SECONDS = 3600;

/** The browser of one request: the cookies that it sent, and those that it gets with the answer. */
export class Browser {
  readonly headers: BrowserHeaders;
  /** Whether a proxy whose headers are believed asks in its name. */
  readonly isFromProxy: boolean;
  /** The id of a session, as the browser has it. Nobody has looked yet whether there is one. */
  readonly sessionId: string | undefined;
  /** The session with its user; undefined until the route's guard has asked for it, and where there is none. */
  session: WebSession | undefined;
  /** The session as it is kept, where only that was needed. */
  stored: StoredSession | undefined;
  readonly #runtime: GatewayRuntime;
  #set: Map<string, string> | undefined;
  #preLogin: PreLogin | undefined;

  constructor(runtime: GatewayRuntime, headers: BrowserHeaders, isFromProxy: boolean) {
    this.isFromProxy = isFromProxy;
    this.#runtime = runtime;
    this.headers = headers;
    this.sessionId = cookieIn(headers.cookie, SESSION_COOKIE);
    this.#preLogin = readPreLogin(runtime, cookieIn(headers.cookie, PRE_LOGIN_COOKIE));
  }

  /** What the browser carries while nobody is signed in. */
  get preLogin(): PreLogin | undefined {
    return this.#preLogin;
  }

  /** The `Set-Cookie` headers of the answer. */
  get setCookies(): readonly string[] {
    return this.#set === undefined ? [] : [...this.#set.values()];
  }

  /** What it carries from now on, if it carries nothing yet. */
  ensurePreLogin(): PreLogin {
    return this.#preLogin ?? this.#carry(newPreLogin(this.#runtime));
  }

  /** Remembers what a login that is under way has shown. */
  rememberPending(pending: PendingLogin): void {
    this.#carry({ ...this.ensurePreLogin(), pending });
  }

  /** Remembers the session of a reset code; undefined forgets it. A login that was under way is over, which keeps the cookie short. */
  rememberReset(reset: PendingReset | undefined): void {
    this.#carry({ ...this.ensurePreLogin(), pending: undefined, registration: undefined, reset });
  }

  /** Remembers the registration that was made here, and nothing else, which keeps the cookie short. */
  rememberRegistration(registration: string): void {
    this.#carry({ ...this.ensurePreLogin(), pending: undefined, reset: undefined, registration });
  }

  /** The registration that was made here is confirmed. */
  forgetRegistration(): void {
    if (this.#preLogin?.registration !== undefined) this.#carry({ ...this.#preLogin, registration: undefined });
  }

  /** Gives the browser a session in place of whatever it has. */
  openSession(id: string, maxAgeSeconds: number | undefined): void {
    this.#put(SESSION_COOKIE, id, 'Lax', maxAgeSeconds);
    if (this.#preLogin !== undefined) this.#put(PRE_LOGIN_COOKIE, '', 'Strict', 0);
    this.#preLogin = undefined;
  }

  /** Takes the session away, and gives a new CSRF token for what comes next. */
  closeSession(): PreLogin {
    this.#put(SESSION_COOKIE, '', 'Lax', 0);
    return this.#carry(newPreLogin(this.#runtime));
  }

  /** Takes a cookie away that opens nothing. */
  forgetSession(): void {
    if (this.sessionId !== undefined) this.#put(SESSION_COOKIE, '', 'Lax', 0);
  }

  /** At an application: what the browser needs when it comes back from the sign-in page. */
  keepForReturn(name: string, secret: string): void {
    this.#put(name, secret, 'Lax', RETURN_SECONDS);
  }

  /** At an application: what opens it, until the browser is closed or the session ends. */
  openApplication(name: string, value: string): void {
    this.#put(name, value, 'Lax');
  }

  /** Takes a cookie away. */
  forget(name: string): void {
    this.#put(name, '', 'Lax', 0);
  }

  #carry(preLogin: PreLogin): PreLogin {
    this.#put(PRE_LOGIN_COOKIE, writePreLogin(this.#runtime, preLogin), 'Strict');
    this.#preLogin = preLogin;
    return preLogin;
  }

  #put(name: string, value: string, sameSite: SameSite, maxAgeSeconds?: number): void {
    this.#set ??= new Map();
    this.#set.set(name, setCookie(name, value, sameSite, maxAgeSeconds));
  }
}
