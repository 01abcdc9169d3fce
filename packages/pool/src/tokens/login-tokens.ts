/**
 * Signing keys, and access, ID and refresh tokens with their claims. A refresh token is a MAC over the login's id and generation, so it is
 * not stored. Only `login-revocations` ends the tokens of a login or user (docs/decisions/0016-revocations-in-one-read.md).
 */
import { createHash } from 'node:crypto';
import { type Output, uuidV7 } from '@poolgate/provider';
import { requireEnabledUser } from '../identity/active-user.ts';
import { recordEvent } from '../kernel/audit-events.ts';
import { generateUuid } from '../kernel/identifiers.ts';
import type { ClockPort, EventPorts, MacPorts, RandomPort, Transaction } from '../kernel/ports.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import type { LoginRecord, PoolRecord, UserRecord } from '../store/records.ts';
import type { LoginAuthentication } from './authentication-methods.ts';
import { selectAccessTokenSigner, signJwts } from './jwt.ts';
import { revokeExcessLogins } from './login-revocations.ts';
import type { TokenChanges } from './override-claims.ts';
import { createRefreshToken } from './refresh-token.ts';
import { requireJwtSigners } from './signing-keys.ts';
import { createAccessTokenClaims, createIdTokenClaims, type TokenFacts } from './token-claims.ts';
import type { PublishedKeyPorts, SigningPorts, SignTextsPort } from './token-ports.ts';

/** The result of a finished sign-in (Cognito `AuthenticationResultType`). */
export type AuthenticationResult = NonNullable<Output<'InitiateAuth'>['AuthenticationResult']>;

/** The user, pool and client of a login. */
export interface TokenSubject extends PoolAndClient {
  readonly user: UserRecord;
}

/** The origin of a login: the device that it was given or proved, null if devices are not tracked; how it was proven; and the request of an OAuth client. */
export type LoginOrigin = Pick<LoginRecord, 'deviceKey'> &
  LoginAuthentication &
  Partial<Pick<LoginRecord, 'scope' | 'audience' | 'authTimeSeconds' | 'sessionId'>> & {
    /** The result of {@link generateLoginId}, if the login is named before it is opened. */
    readonly id?: string;
    /** The login behind the browser session, for an application that is signed in through it. That login is in use. */
    readonly sessionLoginId?: string;
    /** The user's logins that exceed the limit, if already read in this write. */
    readonly excess?: ExcessLogins | undefined;
  };

/** A user's active logins beyond the limit. */
export interface ExcessLogins {
  readonly most: number;
  readonly ids: readonly string[];
}

/**
 * Reads the first input of {@link createLogin}, so that it can share a round trip with other reads; undefined if logins are not limited.
 */
export async function readExcessLogins(
  transaction: Transaction<'logins'>,
  pool: PoolRecord,
  username: string,
  nowMs: number,
): Promise<ExcessLogins | undefined> {
  const { sessions } = pool.settings;
  if (!sessions?.tracked) return undefined;
  const most = sessions.mostPerUser - 1;
  return { most, ids: await transaction.logins.listExcess(pool.id, username, most, nowMs) };
}

/** Generates the id of a login before it is opened. */
export function generateLoginId(ports: ClockPort & RandomPort): string {
  return uuidV7(ports.clock.now(), ports.random);
}

/**
 * Opens the login of all tokens from one proof. Call it in the write that spends the proof.
 * @throws {ProviderError} `NotAuthorizedException`: the user is disabled or waits for deletion. Callers check that earlier
 */
export async function createLogin(
  ports: EventPorts,
  transaction: Transaction<'events' | 'logins' | 'revocations'>,
  { pool, client, user }: TokenSubject,
  from: LoginOrigin,
): Promise<LoginRecord> {
  requireEnabledUser(user);
  const nowMs = ports.clock.now();
  const login: LoginRecord = {
    id: from.id ?? generateLoginId(ports),
    poolId: pool.id,
    clientId: client.id,
    username: user.username,
    authTimeSeconds: from.authTimeSeconds ?? Math.floor(nowMs / 1000),
    refreshExpiresAtMs: nowMs + client.settings.refreshTokenSeconds * 1000,
    generation: 0,
    rotatedAtMs: null,
    revokedAtMs: null,
    deviceKey: from.deviceKey,
    sourceAddress: ports.call.sourceAddress || null,
    // An application exchanges its code on a server.
    userAgent: from.scope == null ? (ports.call.userAgent ?? null) : null,
    scope: from.scope ?? null,
    audience: from.audience ?? null,
    sessionId: from.sessionId ?? null,
    methods: from.methods,
    level: from.level,
    acr: from.acr,
    createdAtMs: nowMs,
  };
  await enforceLoginLimit(ports, transaction, { pool, client, user }, from);
  await transaction.logins.insert(login);
  return login;
}

/**
 * If a user has reached the limit, the least recently used login ends, as in Cognito. This happens before the new one exists, because
 * logins of one instant could not be distinguished.
 */
async function enforceLoginLimit(
  ports: EventPorts,
  transaction: Transaction<'events' | 'logins' | 'revocations'>,
  { pool, user }: TokenSubject,
  { sessionLoginId: keptId, excess }: LoginOrigin,
): Promise<void> {
  const { sessions } = pool.settings;
  if (!sessions?.tracked) return;
  const nowMs = ports.clock.now();
  const most = sessions.mostPerUser - 1;
  const known = excess?.most === most ? excess.ids : undefined;
  const ended = await revokeExcessLogins(transaction, user, most, nowMs, { keptId, known });
  for (const { id, clientId } of ended) {
    const details = { login: id, reason: 'too_many_sessions' };
    await recordEvent(ports, transaction, { type: 'login.ended', pool, user, clientId, details });
  }
}

/**
 * Signs the tokens of a login in its current state: access, ID, and the refresh token of its current generation. The names of a new device
 * are not included, because only a login returns them, never a refresh.
 * @param subject including the result of `requestTokenChanges`
 */
export async function signTokens(
  ports: SigningPorts & MacPorts & PublishedKeyPorts & RandomPort,
  subject: TokenSubject & Pick<TokenFacts, 'nonce'> & { readonly login: LoginRecord; readonly changes: TokenChanges },
): Promise<Required<Omit<AuthenticationResult, 'NewDeviceMetadata'>>> {
  const { pool, client, login } = subject;
  const keys = await requireJwtSigners(ports, pool);
  const facts: TokenFacts = {
    ...subject,
    nowSeconds: Math.floor(ports.clock.now() / 1000),
    // If no token names its origin, the event identifies a login that was ended.
    eventId: client.settings.tokenRevocation ? generateUuid(ports.random) : login.id,
  };
  const { AccessToken, IdToken } = await signTokenPair(ports, facts, keys);
  return {
    AccessToken,
    IdToken,
    RefreshToken: createRefreshToken(ports, pool, login.id, login.generation),
    ExpiresIn: client.settings.accessTokenSeconds,
    TokenType: 'Bearer',
  };
}

type Signers = Awaited<ReturnType<typeof requireJwtSigners>>;

/** The ID token of an OAuth login contains a hash of the access token, which must be signed first. Otherwise both are signed together. */
async function signTokenPair(ports: RandomPort & SignTextsPort, facts: TokenFacts, keys: Signers) {
  const { signTexts } = ports;
  const signer = selectAccessTokenSigner(keys.access, facts.client);
  const access = { signer, claims: createAccessTokenClaims(facts, generateUuid(ports.random)) };
  if (facts.login.scope === null) {
    const id = { signer: keys.id, claims: createIdTokenClaims(facts, generateUuid(ports.random)) };
    const [AccessToken = '', IdToken = ''] = await signJwts(signTexts, [access, id]);
    return { AccessToken, IdToken };
  }
  const [AccessToken = ''] = await signJwts(signTexts, [access]);
  const claims = createIdTokenClaims(facts, generateUuid(ports.random), computeAccessTokenHash(AccessToken));
  const [IdToken = ''] = await signJwts(signTexts, [{ signer: keys.id, claims }]);
  return { AccessToken, IdToken };
}

const HALF_OF_SHA_256 = 16;

/** `at_hash` (OpenID Connect Core §3.1.3.6). */
function computeAccessTokenHash(token: string): string {
  return createHash('sha256').update(token).digest().subarray(0, HALF_OF_SHA_256).toString('base64url');
}
