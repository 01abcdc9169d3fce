import { hash } from 'node:crypto';
import { ProviderError, parseScopes, USER_SCOPE } from '@poolgate/provider';
import type { JWTPayload } from 'jose';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { JOSEError, JWTExpired } from 'jose/errors';
import { decodeJwt } from 'jose/jwt/decode';
import { jwtVerify } from 'jose/jwt/verify';
import { lockUser, userNotFoundError } from '../identity/user-records.ts';
import type { ClockPort, StoreReads, Transaction } from '../kernel/ports.ts';
import { type PoolAndClient, requireClientAndPool } from '../settings/pools-and-clients.ts';
import type { SettingsPorts } from '../settings/settings-ports.ts';
import type { LoginRecord, UserRecord, UserWithCredential } from '../store/records.ts';
import type { TokenSubject } from './login-tokens.ts';
import { findPublicKey } from './signing-keys.ts';
import { findTokenDeviceKey } from './token-device.ts';
import type { AccessTokenPorts, TokenSignaturePorts } from './token-ports.ts';
import type { TokenIdentifiers, VerifiedToken } from './verified-token.ts';

/** A genuine access token that has not expired, whatever has become of its login and its user. */
export interface AccessToken extends PoolAndClient {
  readonly sub: string;
  readonly username: string;
  /** The login that it comes from; undefined where the client keeps no track of logins. */
  readonly loginId: string | undefined;
  /** What the token comes from: the login, where the client keeps no track of logins. */
  readonly eventId: string | undefined;
  /** The device that the login was given or proved; undefined where it has none. */
  readonly deviceKey: string | undefined;
  /** With spaces between. */
  readonly scope: string;
  readonly authTimeSeconds: number;
}

/** Whose token it is, of which login, and from which device. */
export interface AuthorizedUser extends TokenSubject, Pick<AccessToken, 'scope' | 'authTimeSeconds'> {
  /** Known also where the client keeps no track of logins, unless the token is older than that. */
  readonly loginId: string | undefined;
  /** Undefined also where the login was parted from its device since, and where an application has it through a browser's session. */
  readonly deviceKey: string | undefined;
}

/**
 * Whose access token it is, if it still counts.
 * @param scope the one that it must have
 * @throws {ProviderError} `NotAuthorizedException`, `UserNotFoundException`, `UserNotConfirmedException`, `PasswordResetRequiredException`
 */
export async function requireAccessToken(
  ports: AccessTokenPorts,
  token: string,
  scope: string = USER_SCOPE,
): Promise<AuthorizedUser> {
  const access = await verifyAccessToken(ports, token, scope);
  const { pool, client, deviceKey, scope: granted, authTimeSeconds } = access;
  const login = await findAccessTokenLogin(ports, access);
  const isGone = login === undefined ? access.loginId !== undefined : login.revokedAtMs !== null;
  if (isGone) throw invalidAccessTokenError('Access Token has been revoked');
  const user = await ports.store.users.byUsername(pool.id, access.username);
  if (user === undefined || user.sub !== access.sub) throw userNotFoundError('invalid_token');
  requireActiveUser(user);
  const known = { pool, client, user, scope: granted, authTimeSeconds };
  if (login === undefined) return { ...known, loginId: undefined, deviceKey };
  return { ...known, loginId: login.id, deviceKey: findTokenDeviceKey(login) ?? undefined };
}

/**
 * The user of an access token as it is in this write, if the token still counts there; until the write ends, no other one changes the user.
 * What gives or takes a way into an account asks for it, because all of a user's logins may have ended since {@link requireAccessToken}.
 * @throws {ProviderError} the same refusals
 */
export async function lockAuthorizedUser(
  transaction: Transaction<'logins' | 'users'>,
  { pool, user, loginId }: Pick<AuthorizedUser, 'pool' | 'user' | 'loginId'>,
): Promise<UserWithCredential & { readonly login: LoginRecord | undefined }> {
  const found = await lockUser(transaction, pool, user.username, 'invalid_token');
  // Whoever was made anew under the same name is somebody else.
  if (found.user.sub !== user.sub) throw userNotFoundError('invalid_token');
  const login = loginId === undefined ? undefined : await transaction.logins.byId(loginId);
  if (loginId !== undefined && login?.revokedAtMs !== null)
    throw invalidAccessTokenError('Access Token has been revoked');
  requireActiveUser(found.user);
  return { ...found, login };
}

/** A client that keeps no track of logins cannot end one by itself; that all of a user were ended counts for its tokens too. */
async function findAccessTokenLogin(
  { store }: StoreReads<'logins'>,
  access: AccessToken,
): Promise<LoginRecord | undefined> {
  const id = access.loginId ?? access.eventId;
  return id === undefined ? undefined : store.logins.byId(id);
}

/**
 * Checks an access token by itself: RS256 by one of this pool's access keys, issuer, use, life, a user, and the scope of users' operations.
 * @throws {ProviderError} `NotAuthorizedException`
 */
export async function verifyAccessToken(
  ports: TokenSignaturePorts,
  token: string,
  scope: string = USER_SCOPE,
): Promise<AccessToken> {
  try {
    return await verifySignature(ports, token, scope);
  } catch (cause) {
    if (cause instanceof JWTExpired) throw invalidAccessTokenError('Access Token has expired', cause);
    if (cause instanceof JOSEError) throw invalidAccessTokenError('Invalid Access Token', cause);
    throw cause;
  }
}

/** The client that the token names says which pool's keys to try; nothing else of it counts before they fit. */
async function verifySignature(ports: TokenSignaturePorts, token: string, needed: string): Promise<AccessToken> {
  const digest = hash('sha256', token, 'base64url');
  const known = ports.verifiedTokens.get(digest);
  const { clientId, kid } = known ?? decodeUnverifiedToken(token);
  const owner = await requireTokenClient(ports, clientId);
  const key = await findPublicKey(ports, owner.pool, 'access', kid);
  if (key === undefined) throw invalidAccessTokenError('Invalid Access Token');
  const { issuer } = owner.pool.settings;
  let payload = findValidClaims(ports, known, issuer);
  if (payload === undefined) {
    ({ payload } = await jwtVerify(token, key, {
      algorithms: ['RS256'],
      issuer,
      currentDate: new Date(ports.clock.now()),
      requiredClaims: ['exp', 'iat', 'jti'],
    }));
    ports.verifiedTokens.set(digest, { clientId, kid, payload });
  }
  const { sub, username, token_use: use, scope } = payload;
  if (use !== 'access') throw invalidAccessTokenError('Invalid Access Token');
  if (typeof sub !== 'string' || typeof username !== 'string') throw invalidAccessTokenError('Invalid Access Token');
  if (!parseScopes(scope).includes(needed)) throw invalidAccessTokenError('Access Token does not have required scopes');
  // Whoever else it is meant for could use it here in the user's name (RFC 8707 §3).
  if (needed === USER_SCOPE && payload.aud !== undefined) {
    throw invalidAccessTokenError('Access Token does not have required scopes');
  }
  const { origin_jti: origin, event_id: event, device_key: device } = payload;
  return {
    ...owner,
    sub,
    username,
    loginId: toClaimText(origin),
    eventId: toClaimText(event),
    deviceKey: toClaimText(device),
    scope: String(scope),
    authTimeSeconds: Number(payload.auth_time),
  };
}

/** What can change of a token whose signature was good: its time is over, or the pool has another issuer. Then all of it is looked at again. */
function findValidClaims(
  { clock }: ClockPort,
  known: VerifiedToken | undefined,
  issuer: string,
): JWTPayload | undefined {
  const { iss, exp = 0, nbf } = known?.payload ?? {};
  const isGood = iss === issuer && exp > Math.floor(clock.now() / 1000) && nbf === undefined;
  return isGood ? known?.payload : undefined;
}

function toClaimText(claim: unknown): string | undefined {
  return typeof claim === 'string' ? claim : undefined;
}

function decodeUnverifiedToken(token: string): TokenIdentifiers {
  const { client_id: clientId } = decodeJwt(token);
  const { alg: _alg, kid = '', ...more } = decodeTokenHeader(token);
  // The pool writes nothing else into a header: whatever points elsewhere serves an attacker only.
  if (Object.keys(more).length > 0) throw invalidAccessTokenError('Invalid Access Token');
  if (typeof clientId !== 'string') throw invalidAccessTokenError('Invalid Access Token');
  return { clientId, kid };
}

/** jose reports an unreadable header as a programmer's error. */
function decodeTokenHeader(token: string) {
  try {
    return decodeProtectedHeader(token);
  } catch (cause) {
    throw invalidAccessTokenError('Invalid Access Token', cause);
  }
}

async function requireTokenClient(ports: SettingsPorts, clientId: string): Promise<PoolAndClient> {
  try {
    return await requireClientAndPool(ports, clientId);
  } catch (cause) {
    if (cause instanceof ProviderError) throw invalidAccessTokenError('Invalid Access Token', cause);
    throw cause;
  }
}

function requireActiveUser(user: UserRecord): void {
  if (!user.enabled) {
    throw new ProviderError('NotAuthorizedException', 'User is disabled.', { reason: 'user_disabled' });
  }
  if (user.status === 'UNCONFIRMED') throw new ProviderError('UserNotConfirmedException', 'User is not confirmed.');
  if (user.status === 'RESET_REQUIRED') {
    throw new ProviderError('PasswordResetRequiredException', 'Password reset required for the user');
  }
}

function invalidAccessTokenError(message: string, cause?: unknown): ProviderError {
  return new ProviderError('NotAuthorizedException', message, { reason: 'invalid_token', cause });
}
