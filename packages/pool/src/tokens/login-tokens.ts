/**
 * Signing keys, and access, ID and refresh tokens with their claims. A refresh token is a MAC over the login's id and generation, so it is
 * not stored. Only `login-revocations` ends the tokens of a login or user (docs/decisions/0016-revocations-in-one-read.md).
 */
import { createHash } from 'node:crypto';
import { type Output, uuidV7 } from '@poolgate/provider';
import { recordEvent } from '../kernel/audit-events.ts';
import { generateUuid } from '../kernel/identifiers.ts';
import type { ClockPort, EventPorts, MacPorts, RandomPort, Transaction } from '../kernel/ports.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import type { LoginRecord, PoolRecord, UserRecord } from '../store/records.ts';
import { selectAccessTokenSigner, signJwts } from './jwt.ts';
import { revokeExcessLogins } from './login-revocations.ts';
import type { TokenChanges } from './override-claims.ts';
import { createRefreshToken } from './refresh-token.ts';
import { requireJwtSigners } from './signing-keys.ts';
import { createAccessTokenClaims, createIdTokenClaims, type TokenFacts } from './token-claims.ts';
import type { PublishedKeyPorts, SigningPorts, SignTextsPort } from './token-ports.ts';

/** What a finished sign-in gives (Cognito `AuthenticationResultType`). */
export type AuthenticationResult = NonNullable<Output<'InitiateAuth'>['AuthenticationResult']>;

/** Who logged in, and where. */
export interface TokenSubject extends PoolAndClient {
  readonly user: UserRecord;
}

/** What a login is made of: the device that it was given or proved, null where devices are not tracked; and what an OAuth client asked for. */
export type LoginOrigin = Pick<LoginRecord, 'deviceKey'> &
  Partial<Pick<LoginRecord, 'scope' | 'audience' | 'authTimeSeconds' | 'sessionId'>> & {
    /** What {@link generateLoginId} gave, where the login is named before it is opened. */
    readonly id?: string;
    /** The login behind the browser's session, where an application is given one through it: that one is in use. */
    readonly sessionLoginId?: string;
    /** The logins of the user that are too many, where they were read in this write already. */
    readonly excess?: ExcessLogins | undefined;
  };

/** The active logins of a user beyond so many. */
export interface ExcessLogins {
  readonly most: number;
  readonly ids: readonly string[];
}

/** Reads what {@link createLogin} asks first, so that it can be read together with other things; undefined where logins are not limited. */
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

/** Generates the id of a login that is about to be opened. */
export function generateLoginId(ports: ClockPort & RandomPort): string {
  return uuidV7(ports.clock.now(), ports.random);
}

/**
 * Opens the login from which all tokens of one proof come. Call it in the write that spends the proof.
 */
export async function createLogin(
  ports: EventPorts,
  transaction: Transaction<'events' | 'logins' | 'revocations'>,
  { pool, client, user }: TokenSubject,
  from: LoginOrigin,
): Promise<LoginRecord> {
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
    scope: from.scope ?? null,
    audience: from.audience ?? null,
    sessionId: from.sessionId ?? null,
    createdAtMs: nowMs,
  };
  await enforceLoginLimit(ports, transaction, { pool, client, user }, from);
  await transaction.logins.insert(login);
  return login;
}

/**
 * Where a user has as many logins as there may be, the one that was used least recently ends, as in Cognito. Before the new one is there:
 * of logins of one instant it could not be told from the others.
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
 * Signs the tokens of a login as it stands: access, ID, and the refresh token of its current generation. The names of a new device
 * are no part of it: a login gives them, a refresh never does.
 * @param subject with what `requestTokenChanges` gave
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
    // Where no token names its origin, the event is what a login that was ended is known by.
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

/** The ID token of an OAuth login names the access token beside it, which must be signed first; others are signed together. */
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
