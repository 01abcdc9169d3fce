/**
 * The two ways to stay signed in: a browser session with a cookie, or tokens in the application's memory. Tokens are refreshed only once,
 * even if many requests need them at the same time.
 */
import type { CurrentLogin } from '../login/steps/login-run.ts';
import type { LoginSuccess, SessionResponse } from '../transport/login-responses.ts';
import { PoolgateError } from '../transport/poolgate-error.ts';
import type { RouteResponse } from '../transport/routes.ts';
import type { Credentials } from '../transport/transport.ts';

/** The claims of the signed-in user. */
export type SessionUser = SessionResponse['user'];

/** A browser session in the service's responses. It never contains a token. */
export interface Session {
  /** Null if no user is signed in. */
  readonly user: SessionUser | null;
  /** When it expires without further activity; ISO 8601, UTC. */
  readonly expiresAt: string | null;
  /** When the user last authenticated; ISO 8601, UTC. */
  readonly authenticatedAt: string | null;
  /** The factors of the login by challenge name, each with its time. */
  readonly proofs: readonly { readonly factor: string; readonly at: string }[];
  /** The absolute URL to open next; null if the requested one is not allowed. */
  readonly returnTo: string | null;
}

type SessionBody = RouteResponse<'webSession'>;

/** Acts as the user with a session cookie that scripts cannot read. */
export interface SessionMode extends Credentials, CurrentLogin {
  /** Fetches the session. @param returnTo the URL to open after login @throws {PoolgateError} */
  current(returnTo?: string): Promise<Session>;
  /** Discards what is known of the session, because another tab has changed it. */
  forget(): void;
}

/** The dependencies of session mode. */
export interface SessionModeOptions {
  readonly prefix: string;
  readonly load: (returnTo?: string) => Promise<SessionBody>;
  readonly onChange: () => void;
}

/** Creates the mode in which the service stores the tokens and the browser holds a cookie. */
export function createSessionMode({ prefix, load: ask, onChange }: SessionModeOptions): SessionMode {
  let csrf: Promise<string> | undefined;
  const askSession = async (returnTo?: string): Promise<SessionBody> => {
    const body = ask(returnTo);
    csrf = body.then(({ csrf_token }) => csrf_token);
    csrf.catch(() => {
      csrf = undefined;
    });
    return body;
  };
  const csrfToken = async (): Promise<string> => csrf ?? (await askSession()).csrf_token;
  /** The CSRF token changes with the session. */
  const changed = (): void => {
    csrf = undefined;
    onChange();
  };
  return {
    prefix,
    cookies: 'same-origin',
    current: async (returnTo) => toSession(await askSession(returnTo)),
    prepare: csrfToken,
    forget() {
      csrf = undefined;
    },
    drop: async () => changed(),
    username: async () => (await askSession()).user?.username ?? null,
    async headers({ method }) {
      return method === 'GET' ? {} : { 'x-csrf-token': await csrfToken() };
    },
    async renew({ code }) {
      if (code !== 'csrf_failed') return false;
      csrf = undefined;
      return true;
    },
    async accept(success) {
      const { user, csrf_token } = requireSession(success);
      csrf = Promise.resolve(csrf_token);
      onChange();
      return user;
    },
    setDevice: async () => undefined,
  };
}

function requireSession(success: LoginSuccess): SessionResponse {
  if (!('user' in success)) throw new PoolgateError({ code: 'unexpected_answer' });
  return success;
}

function toSession({ user, expires_at, authenticated_at, proofs, return_to }: SessionBody): Session {
  return { user, expiresAt: expires_at, authenticatedAt: authenticated_at, proofs, returnTo: return_to };
}
