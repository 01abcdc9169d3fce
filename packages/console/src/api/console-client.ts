/** Calls the service: the sign-in of the console, and the admin routes with its session. */
import type { CONSOLE_ROUTES, Static } from '@poolgate/contract';
import { ADMIN_ROUTES, type AdminRouteName, type Answer, type ApiCall, formatTarget } from './admin-routes.ts';

type SessionBody = Static<(typeof CONSOLE_ROUTES)['consoleSession']['responses'][200]['schema']>;

/** The console session. */
export type Session = NonNullable<SessionBody['session']>;

/** A refusal of the service, or of the network. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** 0 if there was no response. */
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number;
  readonly fields: readonly { readonly field: string; readonly message: string }[];

  constructor(status: number, problem: Problem, headers?: Headers) {
    super(problem.detail ?? '');
    this.status = status;
    this.code = problem.code ?? 'network';
    this.fields = problem.errors ?? [];
    this.requestId = headers?.get('x-request-id') ?? undefined;
    this.retryAfterSeconds = Number(headers?.get('retry-after') ?? 1);
  }
}

/** The members of a problem document (RFC 9457) that the console reads. */
interface Problem {
  readonly code?: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
}

/** The client of the console. */
export class ConsoleClient {
  /** Called when the service no longer accepts the session. */
  onEnd: () => void = () => undefined;
  /** Called when an action needs a more recent sign-in. */
  onStale: () => void = () => undefined;
  readonly #prefix: string;
  #csrfToken = '';

  /** @param prefix of the browser routes, such as `/cognito` */
  constructor(prefix: string) {
    this.#prefix = `${prefix}/console`;
  }

  /** Gets the session of the browser; null if there is none. */
  async session(): Promise<Session | null> {
    return this.#keep(await this.#ask<SessionBody>('GET', '/session'));
  }

  /** Opens a session with an admin key. */
  async signIn(adminKey: string): Promise<Session | null> {
    return this.#keep(await this.#ask<SessionBody>('POST', '/login', { admin_key: adminKey }));
  }

  /** Ends the session. */
  async signOut(): Promise<void> {
    await this.#ask('POST', '/logout', {});
  }

  /** Calls an admin route. */
  async call<Name extends AdminRouteName>(call: ApiCall<Name>): Promise<Answer<Name>> {
    const { method } = ADMIN_ROUTES[call.name];
    try {
      const body = method === 'GET' ? undefined : (call.body ?? {});
      return await this.#ask<Answer<Name>>(method, `/api${formatTarget(call)}`, body);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) this.onEnd();
      if (error instanceof ApiError && error.code === 'reauthentication_required') this.onStale();
      throw error;
    }
  }

  /** Whether the service is ready, and its checks. */
  async readiness(): Promise<Readiness> {
    const response = await fetch('/readyz', { headers: { accept: 'application/json' } }).catch(() => undefined);
    if (response === undefined) throw new ApiError(0, {});
    const { status = '', checks = {} } = (await response.json()) as Partial<Readiness>;
    return { status, checks, isReady: response.ok };
  }

  #keep({ session, csrf_token }: SessionBody): Session | null {
    this.#csrfToken = csrf_token;
    return session;
  }

  async #ask<Body>(method: string, path: string, body?: object): Promise<Body> {
    const response = await fetch(`${this.#prefix}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json', 'x-csrf-token': this.#csrfToken }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => undefined);
    if (response === undefined) throw new ApiError(0, {});
    const answer: unknown = await response.json().catch(() => ({}));
    if (!response.ok) throw new ApiError(response.status, answer as Problem, response.headers);
    return answer as Body;
  }
}

/** The response of the readiness check. */
export interface Readiness {
  readonly status: string;
  readonly checks: Readonly<Record<string, unknown>>;
  readonly isReady: boolean;
}
