import { createHash, timingSafeEqual } from 'node:crypto';
import { OAuthError, type OAuthTokens, ProviderError } from '@poolgate/provider';
import type { ClockPort, EventPorts, RandomPort, StorePort, StoreReads, StoreWrites } from '../kernel/ports.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import type { AuthorizationCodeRecord, AuthorizationGrant, LoginRecord, UserRecord } from '../store/records.ts';
import { type AuthorizedUser, lockAuthorizedUser } from '../tokens/access-tokens.ts';
import { inheritAuthentication } from '../tokens/authentication-methods.ts';
import { generateLoginId, readExcessLogins } from '../tokens/login-tokens.ts';
import { revokeLogin } from '../tokens/revoke-login.ts';
import { requestTokenChanges } from '../tokens/token-changes.ts';
import type { TokenPorts } from '../tokens/token-ports.ts';
import { readSessionId } from './client-sessions.ts';
import { digestOAuthSecret, generateOAuthSecret } from './oauth-secrets.ts';
import { createApplicationLogin, createHostedAuthTriggerInput, signOAuthTokens } from './oauth-tokens.ts';
import { narrowAudience } from './resource-audience.ts';

/** The lifetime of Cognito's codes. */
const LIFE_MS = 5 * 60_000;

/** A logged-in user, with the known login. */
export type AuthorizingUser = AuthorizedUser & { readonly loginId: string };

/** Creates a code for the client's grant. It belongs to the login that authorized it, and expires with that login. */
export async function issueAuthorizationCode(
  ports: ClockPort & RandomPort & StoreWrites<'authorizations'>,
  { pool, client }: PoolAndClient,
  { user, loginId }: AuthorizingUser,
  authorization: AuthorizationGrant,
): Promise<string> {
  const code = generateOAuthSecret(ports);
  const nowMs = ports.clock.now();
  const record: AuthorizationCodeRecord = {
    digestHex: digestOAuthSecret(code),
    poolId: pool.id,
    clientId: client.id,
    username: user.username,
    sessionLoginId: loginId,
    authorization,
    tokenLoginId: null,
    usedAtMs: null,
    expiresAtMs: nowMs + LIFE_MS,
    createdAtMs: nowMs,
  };
  await ports.store.write((transaction) => transaction.authorizations.insertCode(record), { isIssuedAtOnce: true });
  return code;
}

/** A request to exchange a code. */
export interface CodeExchange extends PoolAndClient {
  readonly code: string;
  readonly redirectUri: string | undefined;
  readonly codeVerifier: string | undefined;
  /** The resource for which the tokens are issued (RFC 8707). */
  readonly resource: string | null;
}

/**
 * Exchanges a code for tokens. One statement uses it up. A second exchange ends the login of the first, because someone else has the code.
 * So does an exchange with a wrong verifier or client: the code has leaked.
 */
export async function exchangeAuthorizationCode(
  ports: TokenPorts & StorePort,
  exchange: CodeExchange,
): Promise<OAuthTokens> {
  const found = await ports.store.authorizations.codeWithUser(digestOAuthSecret(exchange.code));
  if (found === undefined || found.code.poolId !== exchange.pool.id) throw invalidCodeError();
  const { code: record, user } = found;
  if (record.usedAtMs !== null) throw await revokeReusedCode(ports, exchange, record);
  if (!isValidExchange(record, exchange)) {
    const nowMs = ports.clock.now();
    await ports.store.write(({ authorizations }) => authorizations.useCode(record.digestHex, null, nowMs), {
      isIssuedAtOnce: true,
    });
    throw invalidCodeError();
  }
  if (user === undefined) throw invalidCodeError();
  return createLoginFromCode(ports, exchange, record, user);
}

function isValidExchange(
  { clientId, authorization }: AuthorizationCodeRecord,
  { client, redirectUri, codeVerifier }: CodeExchange,
): boolean {
  const { redirectUri: asked, isRedirectUriSent, codeChallenge } = authorization;
  const isSameUri = redirectUri === asked || (redirectUri === undefined && !isRedirectUriSent);
  return clientId === client.id && isSameUri && isCodeVerifierRight(codeChallenge, codeVerifier);
}

/** RFC 7636 §4.1. */
const VERIFIER = /^[\w.~-]{43,128}$/;

/** A verifier without an earlier challenge suggests that a code was injected into another session (RFC 9700 §2.1.1). */
function isCodeVerifierRight(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null) return verifier === undefined;
  const [given] = VERIFIER.exec(verifier ?? '') ?? [];
  if (given === undefined) return false;
  const made = createHash('sha256').update(given).digest('base64url');
  return timingSafeEqual(Buffer.from(made), Buffer.from(challenge));
}

async function createLoginFromCode(
  ports: TokenPorts & StorePort,
  exchange: CodeExchange,
  record: AuthorizationCodeRecord,
  found: UserRecord,
): Promise<OAuthTokens> {
  const { pool, client } = exchange;
  const changes = await requestTokenChanges(
    ports,
    { pool, client, user: found },
    createHostedAuthTriggerInput(record.authorization.scope),
  );
  const { scope, authTimeSeconds, nonce, isScopeOmitted = false, isLevelRequested } = record.authorization;
  const audience = narrowAudience(record.authorization.audience, exchange.resource);
  const { sessionLoginId } = record;
  const createdLogin = await translateEndedLogin(
    ports.store.write(async (transaction) => {
      const [id, nowMs] = [generateLoginId(ports), ports.clock.now()];
      // Together, the user first.
      const [{ user, login: session }, isMine, excess] = await Promise.all([
        lockAuthorizedUser(transaction, { pool, user: found, loginId: sessionLoginId }),
        transaction.authorizations.useCode(record.digestHex, id, nowMs),
        readExcessLogins(transaction, pool, found.username, nowMs),
      ]);
      if (!isMine) throw invalidCodeError();
      const ofSession = {
        deviceKey: session?.deviceKey ?? null,
        ...(session !== undefined && { sessionId: readSessionId(session) }),
        ...inheritAuthentication(pool.settings, session, isLevelRequested),
      };
      const from = { id, ...ofSession, scope, audience, authTimeSeconds, sessionLoginId, excess };
      const how = { grant: 'authorization_code', session: sessionLoginId } as const;
      return createApplicationLogin(ports, transaction, { pool, client, user }, from, how);
    }),
  ).catch(async (error: unknown) => {
    // A request that lost the race to a concurrent one still counts as a second use of the code.
    const now = await ports.store.authorizations.code(record.digestHex);
    throw now !== undefined && now.usedAtMs !== null ? await revokeReusedCode(ports, exchange, now) : error;
  });
  const tokens = await signOAuthTokens(ports, { pool, client, ...createdLogin, changes, nonce });
  return isScopeOmitted ? { ...tokens, IsScopeChanged: true } : tokens;
}

/** The login behind the code has ended, or its user may no longer log in. */
async function translateEndedLogin<Result>(loginCreation: Promise<Result>): Promise<Result> {
  try {
    return await loginCreation;
  } catch (cause) {
    if (!(cause instanceof ProviderError)) throw cause;
    throw new OAuthError('invalid_grant', 'The login behind the code has ended.', { cause });
  }
}

async function revokeReusedCode(
  ports: EventPorts & StoreReads<'logins'> & StoreWrites<'events' | 'logins' | 'revocations' | 'users'>,
  { pool }: PoolAndClient,
  { tokenLoginId }: AuthorizationCodeRecord,
): Promise<OAuthError> {
  const login = tokenLoginId === null ? undefined : await ports.store.logins.byId(tokenLoginId);
  if (login !== undefined) await revokeTokenLogin(ports, pool, login);
  return invalidCodeError();
}

async function revokeTokenLogin(
  ports: EventPorts & StoreWrites<'events' | 'logins' | 'revocations' | 'users'>,
  pool: PoolAndClient['pool'],
  login: LoginRecord,
): Promise<void> {
  const event = { type: 'login.reuse_detected', outcome: 'failure' } as const;
  await ports.store.write((transaction) => revokeLogin(ports, transaction, pool, login, event));
}

function invalidCodeError(): OAuthError {
  return new OAuthError('invalid_grant', 'The code is unknown, expired or used, or is not for this request.');
}
