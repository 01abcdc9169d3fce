/**
 * Requests to the service, for the rest of the client. They are typed by the contract's routes, and every failure becomes a
 * `PoolgateError`.
 */
import { PoolgateError, toNetworkError, toPoolgateError } from './poolgate-error.ts';
import { CLIENT_ROUTES, type ClientRoute, type RouteInput, type RouteResponse } from './routes.ts';

/** Sends requests to the service. */
export interface Transport {
  /** @throws {PoolgateError} */
  send<Name extends ClientRoute>(name: Name, input?: RouteInput<Name>): Promise<RouteResponse<Name>>;
}

/** A request before credentials were added. */
export interface RouteRequest {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  /** Whether it acts for the signed-in user. */
  readonly asUser: boolean;
}

/** A request as it was sent. */
export interface AuthenticatedRequest extends RouteRequest {
  readonly headers: Readonly<Record<string, string>>;
}

/** Identifies the caller to the service by a cookie or an access token. */
export interface Credentials {
  /** The prefix of every path. */
  readonly prefix: string;
  /** Whether cookies are sent. */
  readonly cookies: RequestCredentials;
  /** Returns the headers of a request. @throws {PoolgateError} */
  headers(request: RouteRequest): Promise<Readonly<Record<string, string>>>;
  /** Called after a refusal. Returns whether the request is worth a second try. */
  renew(error: PoolgateError, sent: AuthenticatedRequest): Promise<boolean>;
}

/** Options of the transport. */
export interface TransportOptions {
  /** The base URL of the service without a trailing slash. Empty: the origin of the page. */
  readonly baseUrl: string;
  readonly fetch: typeof globalThis.fetch;
  /** Called with the `Date` header of each response. */
  readonly onDate: (date: string | null) => void;
}

/** A transport that identifies the caller by the given credentials. */
export function createTransport(options: TransportOptions, credentials: Credentials): Transport {
  return {
    send(name, input = {}) {
      const plain = toRouteRequest(name, input);
      const attempt = async (renews: boolean): Promise<unknown> => {
        const sent = { ...plain, headers: await credentials.headers(plain) };
        try {
          return await sendRequest(options, credentials, sent);
        } catch (error) {
          if (!renews || !(error instanceof PoolgateError && (await credentials.renew(error, sent)))) throw error;
          return attempt(false);
        }
      };
      return attempt(true) as Promise<RouteResponse<typeof name>>;
    },
  };
}

function toRouteRequest<Name extends ClientRoute>(name: Name, { params, query, body }: RouteInput<Name>): RouteRequest {
  const [method, path, guard] = CLIENT_ROUTES[name];
  const filled = path.replace(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(String((params as Readonly<Record<string, unknown>> | undefined)?.[key])),
  );
  const search = new URLSearchParams(query as Record<string, string> | undefined).toString();
  const hasSession = Object.hasOwn(Object(body), 'session');
  const asUser = guard === 'user' || (guard === 'user-or-session' && !hasSession);
  return { method, path: search ? `${filled}?${search}` : filled, body, asUser };
}

/** Sends one request. @throws {PoolgateError} */
async function sendRequest(
  { baseUrl, fetch, onDate }: TransportOptions,
  { prefix, cookies }: Pick<Credentials, 'prefix' | 'cookies'>,
  { method, path, body, headers }: Omit<AuthenticatedRequest, 'asUser'>,
): Promise<unknown> {
  const answer = await fetch(`${baseUrl}${prefix}${path}`, {
    method,
    headers: method === 'GET' ? headers : { ...headers, 'content-type': 'application/json' },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
    credentials: cookies,
    cache: 'no-store',
    redirect: 'error',
  }).catch((cause: unknown) => {
    throw toNetworkError(cause);
  });
  onDate(answer.headers.get('date'));
  if (!answer.ok) throw await toPoolgateError(answer);
  return answer.json().catch((cause: unknown) => {
    throw new PoolgateError({ code: 'unexpected_answer', status: answer.status, cause });
  });
}
