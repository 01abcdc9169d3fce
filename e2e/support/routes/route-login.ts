import {
  type ClientStart,
  formatTimestamp,
  hashPassword,
  secureRandom,
  signPasswordClaim,
  startClient,
} from '@poolgate/srp';
import { openSslEngine as engine } from '@poolgate/srp/openssl';
import { postJson, requireBody } from '../requests/post-json.ts';

/** A successful login by the routes, and its last request. */
export interface RouteLogin {
  readonly username: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  /** The body of the request that returned the tokens. Sent again, it must return none. */
  readonly transcript: unknown;
}

interface Challenge {
  readonly session: string;
  readonly challenge_params: Readonly<Record<string, string>>;
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** A service and the name of its pool, as SRP hashes it. */
export interface RouteTarget {
  readonly url: string;
  readonly poolName: string;
  readonly clientId: string;
}

interface Parameters {
  readonly provider: { readonly user_pool_id: string; readonly client_id: string };
}

/** Reads the public parameters of a service. */
export async function readRouteTarget(url: string): Promise<RouteTarget> {
  const answer = await fetch(`${url}/login/parameters`);
  const { provider } = (await answer.json()) as Parameters;
  const [, poolName = ''] = provider.user_pool_id.split('_');
  return { url, poolName, clientId: provider.client_id };
}

/** Logs in by `/login/srp` and `/login/auth-challenge` with a finished signature. */
export async function logInByRoutes(target: RouteTarget, username: string, password: string): Promise<RouteLogin> {
  const { url, poolName } = target;
  const start = startClient({ engine, random: secureRandom });
  const asked = await postJson(`${url}/login/srp`, { username, srp_a: start.srpAHex });
  const { session, challenge_params } = requireBody<Challenge>(asked);
  const transcript = {
    challenge_name: 'PASSWORD_VERIFIER',
    session,
    username,
    challenge_value: createProof(challenge_params, start, { poolName, password }),
  };
  const answered = await postJson(`${url}/login/auth-challenge`, transcript);
  const { access_token, refresh_token } = requireBody<Tokens>(answered);
  return { username, accessToken: access_token, refreshToken: refresh_token, transcript };
}

function createProof(
  parameters: Readonly<Record<string, string>>,
  start: ClientStart,
  { poolName, password }: { readonly poolName: string; readonly password: string },
): Readonly<Record<string, string>> {
  const { SALT = '', SRP_B = '', SECRET_BLOCK = '', USER_ID_FOR_SRP = '' } = parameters;
  const identity = { poolName, userIdForSrp: USER_ID_FOR_SRP };
  const timestamp = formatTimestamp(Date.now());
  const signature = signPasswordClaim({
    engine,
    ...start,
    srpBHex: SRP_B,
    saltHex: SALT,
    passwordHash: hashPassword(engine, identity, password),
    identity,
    secretBlockB64: SECRET_BLOCK,
    timestamp,
  });
  return {
    PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
    PASSWORD_CLAIM_SIGNATURE: signature,
    TIMESTAMP: timestamp,
  };
}
