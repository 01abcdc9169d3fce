import { createHmac } from 'node:crypto';
import type { ClientSecretPlace } from '@poolgate/provider';

type Request = Readonly<Record<string, unknown>>;
type Texts = Readonly<Record<string, string>>;

/**
 * Computes `SECRET_HASH`: Base64 of HMAC-SHA-256 with the client's secret as the key, over username and client id.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/signing-up-users-in-your-app.html#cognito-user-pools-computing-secret-hash
 */
export function computeSecretHash(secret: string, username: string, clientId: string): string {
  return createHmac('sha256', secret).update(username).update(clientId).digest('base64');
}

/** How each place is filled. A caller's own value stays, and so does a request without a username. */
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
  // The request is about the secret itself: callers without a secret must not get a token with ours.
  Secret: (request) => request,
};

/**
 * The hash covers the name that the same map sends as `USERNAME`, which after SRP is `USER_ID_FOR_SRP` and not the typed name. A refresh by
 * `REFRESH_TOKEN_AUTH` needs no name, so a caller adds the username or `sub` there only for the hash.
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

/** The requests to try in turn, and how to record the result. */
export interface SecretAttempts {
  /** One, or two if the second secret might be the correct one. */
  readonly requests: readonly Request[];
  /** Records that the second request was correct, however many callers find out at once. */
  preferSecond(): void;
}

/** The secrets of the app client, the one that worked last first. */
export interface ClientSecrets {
  /** Creates the request with each secret to try. */
  createAttempts(place: ClientSecretPlace | null, request: Request): SecretAttempts;
}

/** Manages the secrets of one app client. Requests of other clients stay unchanged. */
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
