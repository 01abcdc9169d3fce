import type { GatewayRuntime } from '../runtime/runtime.ts';
import type { StoredSession, WebSession } from '../web-sessions/web-session.ts';
import {
  formatSetCookie,
  PRE_LOGIN_COOKIE,
  readCookie,
  type SameSite,
  SESSION_COOKIE,
  toCookieName,
  UNFINISHED_COOKIE,
} from './cookies.ts';
import {
  createPreLogin,
  decryptPreLogin,
  encryptPreLogin,
  type PendingLogin,
  type PendingReset,
  type PreLoginState,
} from './pre-login.ts';
import { decryptUnfinishedFlow, encryptUnfinishedFlow, type UnfinishedFlow } from './unfinished-flow.ts';

/** The request headers that describe its browser. */
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

/** Long enough to sign in. */
const RETURN_SECONDS = 3600;

/** The browser of a request: the cookies that it sent, and those that the response sets. */
export class Browser {
  readonly headers: BrowserHeaders;
  /** Whether a trusted proxy asks for it. */
  readonly isFromProxy: boolean;
  /** The id of a session from the browser, not checked yet. */
  readonly sessionId: string | undefined;
  /** The session with its user; undefined until the route's guard has read it, and without one. */
  session: WebSession | undefined;
  /** The stored session, if only that was needed. */
  storedSession: StoredSession | undefined;
  readonly #runtime: GatewayRuntime;
  #set: Map<string, string> | undefined;
  #preLogin: PreLoginState | undefined;
  #unfinished: UnfinishedFlow | undefined;
  #isUnfinishedRead = false;

  constructor(runtime: GatewayRuntime, headers: BrowserHeaders, isFromProxy: boolean) {
    this.isFromProxy = isFromProxy;
    this.#runtime = runtime;
    this.headers = headers;
    this.sessionId = readCookie(headers.cookie, toCookieName(SESSION_COOKIE, runtime));
    this.#preLogin = decryptPreLogin(runtime, readCookie(headers.cookie, toCookieName(PRE_LOGIN_COOKIE, runtime)));
  }

  /** The browser's state before sign-in. */
  get preLogin(): PreLoginState | undefined {
    return this.#preLogin;
  }

  /** The `Set-Cookie` headers of the response. */
  get setCookies(): readonly string[] {
    return this.#set === undefined ? [] : [...this.#set.values()];
  }

  /** The flow that the browser began last and has not finished. */
  get unfinishedFlow(): UnfinishedFlow | undefined {
    if (!this.#isUnfinishedRead) this.#unfinished = decryptUnfinishedFlow(this.#runtime, this.#readUnfinished());
    this.#isUnfinishedRead = true;
    return this.#unfinished;
  }

  /** Stores the unfinished flow in the browser while it can be finished; undefined removes it. */
  setUnfinishedFlow(flow: UnfinishedFlow | undefined): void {
    const value = flow && encryptUnfinishedFlow(this.#runtime, flow);
    const before = this.#unfinished;
    this.#isUnfinishedRead = true;
    this.#unfinished = value === undefined ? undefined : flow;
    if (flow !== undefined && value !== undefined) {
      const seconds = Math.ceil((flow.endsAtMs - this.#runtime.clock.now()) / 1000);
      this.#putOwn(UNFINISHED_COOKIE, value, 'Strict', seconds);
    } else if (this.#readUnfinished() !== undefined || before !== undefined) {
      this.#putOwn(UNFINISHED_COOKIE, '', 'Strict', 0);
    }
  }

  /** Creates this state if it does not exist yet. */
  ensurePreLogin(): PreLoginState {
    return this.#preLogin ?? this.#carry(createPreLogin(this.#runtime));
  }

  /** Remembers the proofs of a running login. */
  rememberPendingLogin(pending: PendingLogin): void {
    this.#carry({ ...this.ensurePreLogin(), pending });
  }

  /** Remembers the session of a reset code; undefined forgets it. It replaces a running login, which keeps the cookie short. */
  rememberReset(reset: PendingReset | undefined): void {
    this.#carry({ ...this.ensurePreLogin(), pending: undefined, registration: undefined, reset });
  }

  /** Remembers only the registration of this browser, which keeps the cookie short. */
  rememberRegistration(registration: string): void {
    this.#carry({ ...this.ensurePreLogin(), pending: undefined, reset: undefined, registration });
  }

  /** The registration of this browser is confirmed. */
  forgetRegistration(): void {
    if (this.#preLogin?.registration !== undefined) this.#carry({ ...this.#preLogin, registration: undefined });
  }

  /** Replaces the browser's session, if any. */
  setSessionCookie(id: string, maxAgeSeconds: number | undefined): void {
    this.#putOwn(SESSION_COOKIE, id, 'Lax', maxAgeSeconds);
    if (this.#preLogin !== undefined) this.#putOwn(PRE_LOGIN_COOKIE, '', 'Strict', 0);
    this.#preLogin = undefined;
    this.setUnfinishedFlow(undefined);
  }

  /** Removes the session and what the browser began, and creates a new CSRF token for later requests. */
  closeSession(): PreLoginState {
    this.#putOwn(SESSION_COOKIE, '', 'Lax', 0);
    this.setUnfinishedFlow(undefined);
    return this.#carry(createPreLogin(this.#runtime));
  }

  /** Removes an invalid cookie. */
  clearSessionCookie(): void {
    if (this.sessionId !== undefined) this.#putOwn(SESSION_COOKIE, '', 'Lax', 0);
  }

  /** On an application's host: stores what the browser needs when it returns from the sign-in page. */
  setReturnCookie(name: string, secret: string): void {
    this.#put(name, secret, 'Lax', RETURN_SECONDS);
  }

  /** On an application's host: stores the cookie that grants access, until the browser is closed or the session ends. */
  setApplicationCookie(name: string, value: string): void {
    this.#put(name, value, 'Lax');
  }

  /** Stores the state of a sign-in at another identity provider, which sends the browser back by a link. */
  setProviderCookie(name: string, value: string, seconds: number): void {
    this.#putOwn(name, value, 'Lax', seconds);
  }

  /** Removes a cookie. */
  clearCookie(name: string): void {
    this.#put(name, '', 'Lax', 0);
  }

  #carry(preLogin: PreLoginState): PreLoginState {
    this.#putOwn(PRE_LOGIN_COOKIE, encryptPreLogin(this.#runtime, preLogin), 'Strict');
    this.#preLogin = preLogin;
    return preLogin;
  }

  #readUnfinished(): string | undefined {
    return readCookie(this.headers.cookie, toCookieName(UNFINISHED_COOKIE, this.#runtime));
  }

  #putOwn(name: string, value: string, sameSite: SameSite, maxAgeSeconds?: number): void {
    this.#put(toCookieName(name, this.#runtime), value, sameSite, maxAgeSeconds);
  }

  #put(name: string, value: string, sameSite: SameSite, maxAgeSeconds?: number): void {
    this.#set ??= new Map();
    this.#set.set(name, formatSetCookie(name, value, sameSite, maxAgeSeconds));
  }
}
