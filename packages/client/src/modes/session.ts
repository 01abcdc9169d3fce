import type { LoginSuccess, SessionUser } from '../answers.ts';
import { PoolgateError } from '../errors.ts';
import type { LoginKeeper } from '../login/run.ts';
import type { Credentials } from '../transport.ts';

/** A browser session, as the service shows it: never with a token. */
export interface Session {
  /** Null where nobody is logged in. */
  readonly user: SessionUser | null;
  /** ISO 8601, UTC. */
  readonly expiresAt: string | null;
  /** ISO 8601, UTC. */
  readonly authenticatedAt: string | null;
  /** What this login was proven with. */
  readonly proofs: readonly string[];
}

/** `GET /cognito/session`. */
export interface SessionBody {
  readonly user: SessionUser | null;
  readonly csrf_token: string;
  readonly expires_at?: string | null;
  readonly authenticated_at?: string | null;
  readonly proofs?: readonly string[] | null;
}

/** Acts as the user by a session cookie, which no script can read. */
export interface SessionMode extends Credentials, LoginKeeper {
  /** Asks the service. @throws {PoolgateError} */
  current(): Promise<Session>;
}

/** What session mode needs. */
export interface SessionModeOptions {
  readonly prefix: string;
  readonly ask: () => Promise<SessionBody>;
  readonly onChange: () => void;
}

/** A mode in which the service holds the tokens, and the browser a cookie. */
export function createSessionMode({ prefix, ask, onChange }: SessionModeOptions): SessionMode {
  let csrf: Promise<string> | undefined;
  const askSession = async (): Promise<SessionBody> => {
    const body = ask();
    csrf = body.then(({ csrf_token }) => csrf_token);
    csrf.catch(() => {
      csrf = undefined;
    });
    return body;
  };
  const csrfToken = async (): Promise<string> => csrf ?? (await askSession()).csrf_token;
  /** The token changes with the session. */
  const changed = (): void => {
    csrf = undefined;
    onChange();
  };
  return {
    prefix,
    cookies: 'same-origin',
    current: async () => presentSession(await askSession()),
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
      const { username } = requireSession(success).user;
      changed();
      return username;
    },
    deviceRegistered: async () => undefined,
  };
}

function requireSession(success: LoginSuccess): Extract<LoginSuccess, { readonly user: unknown }> {
  if (!('user' in success)) throw new PoolgateError({ code: 'unexpected_answer' });
  return success;
}

function presentSession({ user, expires_at, authenticated_at, proofs }: SessionBody): Session {
  return {
    user,
    expiresAt: expires_at ?? null,
    authenticatedAt: authenticated_at ?? null,
    proofs: proofs ?? [],
  };
}
