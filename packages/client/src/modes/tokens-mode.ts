import type { CurrentLogin } from '../login/steps/login-run.ts';
import type { LoginSuccess, TokensResponse } from '../transport/login-responses.ts';
import { PoolgateError } from '../transport/poolgate-error.ts';
import type { RouteBody } from '../transport/routes.ts';
import type { Credentials } from '../transport/transport.ts';
import type { ExclusiveRunner } from './exclusive-runner.ts';
import { decodeClaims, readTokenUser } from './token-claims.ts';

/** The tokens of a login. */
export interface Tokens {
  readonly accessToken: string;
  readonly idToken: string;
  readonly refreshToken: string;
  /** When the access token expires, in milliseconds since 1970 by the client's clock. */
  readonly expiresAtMs: number;
  /** The device of this login, once registered. The refresh token is valid only together with it. */
  readonly deviceKey?: string;
}

/**
 * Stores tokens. Anyone who can read it can act as the user. By default, tokens stay in memory and are lost with the page. `null` clears
 * the storage.
 */
export interface TokenStorage {
  read(): Tokens | null | Promise<Tokens | null>;
  write(tokens: Tokens | null): void | Promise<void>;
}

/** Tokens that expire within this many milliseconds are refreshed before use. */
const REFRESH_BEFORE_MS = 60_000;

/** The dependencies of tokens mode. */
export interface TokensModeOptions {
  readonly prefix: string;
  readonly storage: TokenStorage;
  readonly now: () => number;
  /** Runs one task at a time across all tabs. */
  readonly lock: ExclusiveRunner;
  readonly refresh: (body: RouteBody<'tokenRefresh'>) => Promise<TokensResponse>;
  readonly onChange: () => void;
}

/** Acts as the user with an access token. */
export interface TokensMode extends Credentials, CurrentLogin {
  /** Returns valid tokens; null if no user is signed in. @throws {PoolgateError} */
  current(): Promise<Tokens | null>;
}

/** Stores tokens in memory. */
export function memoryStorage(): TokenStorage {
  let kept: Tokens | null = null;
  return {
    read: () => kept,
    write: (tokens) => {
      kept = tokens;
    },
  };
}

/** Creates the mode in which the program stores the tokens. */
export function createTokensMode(options: TokensModeOptions): TokensMode {
  const { prefix, storage, now } = options;
  const isFresh = (tokens: Tokens): boolean => tokens.expiresAtMs - now() > REFRESH_BEFORE_MS;
  const write = async (tokens: Tokens | null): Promise<void> => {
    await storage.write(tokens);
    options.onChange();
  };
  /** Of several simultaneous callers, one refreshes and the others read its result. */
  const refreshed = (stale: Tokens): Promise<Tokens | null> =>
    options.lock(async () => {
      const tokens = await storage.read();
      if (tokens === null || tokens.accessToken !== stale.accessToken) return tokens;
      const next = await refreshTokens(options, tokens);
      await write(next);
      return next;
    });
  const current = async (): Promise<Tokens | null> => {
    const tokens = await storage.read();
    return tokens === null || isFresh(tokens) ? tokens : refreshed(tokens);
  };
  return {
    prefix,
    cookies: 'omit',
    current,
    drop: () => write(null),
    async username() {
      const tokens = await storage.read();
      return tokens && String(decodeClaims(tokens.accessToken).username);
    },
    async headers({ asUser }) {
      if (!asUser) return {};
      const tokens = await current();
      if (tokens === null) throw new PoolgateError({ code: 'unauthenticated', status: 401 });
      return { authorization: `Bearer ${tokens.accessToken}` };
    },
    async renew({ code }, { asUser, headers }) {
      const tokens = await storage.read();
      if (code !== 'unauthenticated' || !asUser || tokens === null) return false;
      const isSame = headers?.authorization === `Bearer ${tokens.accessToken}`;
      return !isSame || (await refreshed(tokens)) !== null;
    },
    async accept(success) {
      const answer = requireTokens(success);
      await write(toTokens(answer, now()));
      return readTokenUser(answer);
    },
    prepare: async () => undefined,
    async setDevice(deviceKey) {
      const tokens = await storage.read();
      if (tokens !== null) await storage.write({ ...tokens, deviceKey });
    },
  };
}

function requireTokens(success: LoginSuccess): TokensResponse {
  if (!('access_token' in success)) throw new PoolgateError({ code: 'unexpected_answer' });
  return success;
}

function toTokens(answer: TokensResponse, nowMs: number, deviceKey?: string): Tokens {
  return {
    accessToken: answer.access_token,
    idToken: answer.id_token,
    refreshToken: answer.refresh_token,
    expiresAtMs: nowMs + answer.expires_in * 1000,
    ...(deviceKey === undefined ? {} : { deviceKey }),
  };
}

/** If the login has ended, nothing is stored. An unreachable service does not end a login. */
async function refreshTokens(
  { refresh: ask, now }: TokensModeOptions,
  { refreshToken, deviceKey }: Tokens,
): Promise<Tokens | null> {
  try {
    const body = { refresh_token: refreshToken, ...(deviceKey === undefined ? {} : { device_key: deviceKey }) };
    return toTokens(await ask(body), now(), deviceKey);
  } catch (error) {
    if (error instanceof PoolgateError && error.code === 'invalid_grant') return null;
    throw error;
  }
}
