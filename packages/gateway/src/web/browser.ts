import type { GatewayRuntime } from '../runtime/runtime.ts';
import type { StoredSession, WebSession } from '../web-sessions/web-session.ts';
import { formatSetCookie, PRE_LOGIN_COOKIE, readCookie, type SameSite, SESSION_COOKIE } from './cookies.ts';
import {
  createPreLogin,
  decryptPreLogin,
  encryptPreLogin,
  type PendingLogin,
  type PendingReset,
  type PreLoginState,
} from './pre-login.ts';

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
  storedSession: StoredSession | undefined;
  readonly #runtime: GatewayRuntime;
  #set: Map<string, string> | undefined;
  #preLogin: PreLoginState | undefined;

  constructor(runtime: GatewayRuntime, headers: BrowserHeaders, isFromProxy: boolean) {
    this.isFromProxy = isFromProxy;
    this.#runtime = runtime;
    this.headers = headers;
    this.sessionId = readCookie(headers.cookie, SESSION_COOKIE);
    this.#preLogin = decryptPreLogin(runtime, readCookie(headers.cookie, PRE_LOGIN_COOKIE));
  }

  /** What the browser carries while nobody is signed in. */
  get preLogin(): PreLoginState | undefined {
    return this.#preLogin;
  }

  /** The `Set-Cookie` headers of the answer. */
  get setCookies(): readonly string[] {
    return this.#set === undefined ? [] : [...this.#set.values()];
  }

  /** What it carries from now on, if it carries nothing yet. */
  ensurePreLogin(): PreLoginState {
    return this.#preLogin ?? this.#carry(createPreLogin(this.#runtime));
  }

  /** Remembers what a login that is under way has shown. */
  rememberPendingLogin(pending: PendingLogin): void {
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
  setSessionCookie(id: string, maxAgeSeconds: number | undefined): void {
    this.#put(SESSION_COOKIE, id, 'Lax', maxAgeSeconds);
    if (this.#preLogin !== undefined) this.#put(PRE_LOGIN_COOKIE, '', 'Strict', 0);
    this.#preLogin = undefined;
  }

  /** Takes the session away, and gives a new CSRF token for what comes next. */
  closeSession(): PreLoginState {
    this.#put(SESSION_COOKIE, '', 'Lax', 0);
    return this.#carry(createPreLogin(this.#runtime));
  }

  /** Takes a cookie away that opens nothing. */
  clearSessionCookie(): void {
    if (this.sessionId !== undefined) this.#put(SESSION_COOKIE, '', 'Lax', 0);
  }

  /** At an application: what the browser needs when it comes back from the sign-in page. */
  setReturnCookie(name: string, secret: string): void {
    this.#put(name, secret, 'Lax', RETURN_SECONDS);
  }

  /** At an application: what opens it, until the browser is closed or the session ends. */
  setApplicationCookie(name: string, value: string): void {
    this.#put(name, value, 'Lax');
  }

  /** Takes a cookie away. */
  clearCookie(name: string): void {
    this.#put(name, '', 'Lax', 0);
  }

  #carry(preLogin: PreLoginState): PreLoginState {
    this.#put(PRE_LOGIN_COOKIE, encryptPreLogin(this.#runtime, preLogin), 'Strict');
    this.#preLogin = preLogin;
    return preLogin;
  }

  #put(name: string, value: string, sameSite: SameSite, maxAgeSeconds?: number): void {
    this.#set ??= new Map();
    this.#set.set(name, formatSetCookie(name, value, sameSite, maxAgeSeconds));
  }
}
