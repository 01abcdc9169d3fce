import { createHmac } from 'node:crypto';
import type { ClientSecretPlace } from '@poolgate/provider';

type Request = Readonly<Record<string, unknown>>;
type Texts = Readonly<Record<string, string>>;

/**
 * `SECRET_HASH`: Base64 of HMAC-SHA-256, keyed by the client's secret, over user name and client id.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/signing-up-users-in-your-app.html#cognito-user-pools-computing-secret-hash
 */
export function computeSecretHash(secret: string, username: string, clientId: string): string {
  return createHmac('sha256', secret).update(username).update(clientId).digest('base64');
}

/** How each place is filled. What a caller put there itself stays, and so does a request that names no user to prove it for. */
const PROOF_WRITERS: Readonly<
  Record<ClientSecretPlace, (request: Request, secret: string, clientId: string) => Request>
> = {
  SecretHash(request, secret, clientId) {
    const username = request.Username;
    if (request.SecretHash !== undefined || typeof username !== 'string') return request;
    return { ...request, SecretHash: computeSecretHash(secret, username, clientId) };
  },
  AuthParameters: (request, secret, clientId) => addHashToMap(request, 'AuthParameters', secret, clientId),
  ChallengeResponses: (request, secret, clientId) => addHashToMap(request, 'ChallengeResponses', secret, clientId),
  ClientSecret(request, secret) {
    return request.ClientSecret === undefined ? { ...request, ClientSecret: secret } : request;
  },
  // The secret is what the request is about: whoever has none of its own gets no token by ours.
  Secret: (request) => request,
};

/**
 * The hash goes over the very name that the same map sends as `USERNAME`: after SRP that is `USER_ID_FOR_SRP`, and not what
 * was typed. A refresh by `REFRESH_TOKEN_AUTH` needs no name, so a caller adds the user name or `sub` there for the hash alone.
 */
function addHashToMap(
  request: Request,
  place: 'AuthParameters' | 'ChallengeResponses',
  secret: string,
  clientId: string,
): Request {
  const map = (request[place] ?? {}) as Texts;
  const { USERNAME } = map;
  if (map.SECRET_HASH !== undefined || USERNAME === undefined) return request;
  return { ...request, [place]: { ...map, SECRET_HASH: computeSecretHash(secret, USERNAME, clientId) } };
}

/** The requests to try in turn, and what is learned from them. */
export interface SecretAttempts {
  /** One, or two where a second secret might be the right one. */
  readonly requests: readonly Request[];
  /** Notes that the second of two requests was the right one, however many callers find that out at once. */
  preferSecond(): void;
}

/** The secrets of the app client, the one that worked last first. */
export interface ClientSecrets {
  /** A request under each secret that it may be sent with. */
  createAttempts(place: ClientSecretPlace | null, request: Request): SecretAttempts;
}

/** Holds the secrets of one app client. Requests of any other client are left as they are. */
export function createClientSecrets(clientId: string, secrets: readonly string[]): ClientSecrets {
  let order = secrets;
  return {
    createAttempts(place, request) {
      const tried = order;
      return {
        requests: place !== null && request.ClientId === clientId ? filled(place, tried, request) : [request],
        preferSecond() {
          order = tried.toReversed();
        },
      };
    },
  };

  function filled(place: ClientSecretPlace, tried: readonly string[], request: Request): readonly Request[] {
    const requests = tried.map((secret) => PROOF_WRITERS[place](request, secret, clientId));
    return requests.length === 0 || requests.includes(request) ? [request] : requests;
  }
}
