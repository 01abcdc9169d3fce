import {
  machineTokenSubject,
  ProviderError,
  revocationSubjects,
  type TokenState,
  tokenState,
  USER_SCOPE,
} from '@poolgate/provider';
import { lockUser, userNotFoundError } from '../identity/user-records.ts';
import type { ClockPort, Transaction } from '../kernel/ports.ts';
import type { AccessTokenFacts } from '../store/access-token-reads.ts';
import type { LoginRecord, UserRecord, UserWithCredential } from '../store/records.ts';
import type { CheckedToken } from './checked-tokens.ts';
import type { TokenSubject } from './login-tokens.ts';
import { isPublishedKey } from './signing-keys.ts';
import { findTokenDeviceKey } from './token-device.ts';
import type { AccessTokenPorts } from './token-ports.ts';
import type { AccessToken } from './verified-token.ts';
import {
  invalidAccessTokenError,
  type VerifiedClaims,
  verifyAccessToken,
  verifyAccessTokenClaims,
} from './verify-access-token.ts';

/** Whose token it is, of which login, and from which device. */
export interface AuthorizedUser extends TokenSubject, Pick<AccessToken, 'scope' | 'authTimeSeconds'> {
  /** Known also where the client keeps no track of logins, unless the token is older than that. */
  readonly loginId: string | undefined;
  /** Undefined also where the login was parted from its device since, and where an application has it through a browser's session. */
  readonly deviceKey: string | undefined;
}

/**
 * Whose access token it is, if it still counts.
 * @param scope the one that it must have; null: whatever it is for
 * @throws {ProviderError} `NotAuthorizedException`, `UserNotFoundException`, `UserNotConfirmedException`, `PasswordResetRequiredException`
 */
export async function requireAccessToken(
  ports: AccessTokenPorts,
  token: string,
  scope: string | null = USER_SCOPE,
): Promise<AuthorizedUser> {
  const { access, facts } = ports.checkedToken?.take(token, scope) ?? (await checkAccessToken(ports, token, scope));
  const { pool, client, deviceKey, scope: granted, authTimeSeconds } = access;
  requirePublishedKey(ports, facts);
  if (isRevoked(access, facts)) throw invalidAccessTokenError('Access Token has been revoked');
  const { login, user } = facts;
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
  // Together, the user first: what is read behind a lock is as it stays.
  const [found, login] = await Promise.all([
    lockUser(transaction, pool, user.username, 'invalid_token'),
    loginId === undefined ? undefined : transaction.logins.byId(loginId),
  ]);
  // Whoever was made anew under the same name is somebody else.
  if (found.user.sub !== user.sub) throw userNotFoundError('invalid_token');
  if (loginId !== undefined && login?.revokedAtMs !== null)
    throw invalidAccessTokenError('Access Token has been revoked');
  requireActiveUser(found.user);
  return { ...found, login };
}

/**
 * Whether an access token still counts, for a guard. What was read stays with the call, and its first operation uses it
 * (docs/decisions/0077-one-read-per-access-token.md).
 * @throws {ProviderError} `NotAuthorizedException`: not a token of users' operations
 */
export async function readTokenState(ports: AccessTokenPorts, token: string): Promise<TokenState> {
  const checked = await checkAccessToken(ports, token, USER_SCOPE);
  const { access, facts } = checked;
  requirePublishedKey(ports, facts);
  if (isRevoked(access, facts) || facts.user?.sub !== access.sub) return 'revoked';
  ports.checkedTokens.put(ports.call, token, checked);
  return 'active';
}

/**
 * The claims of an access token that still counts, of a user or of a machine, whatever it is for.
 * @throws {ProviderError} the refusals of {@link requireAccessToken}
 */
export async function requireAccessTokenClaims(ports: AccessTokenPorts, token: string): Promise<VerifiedClaims> {
  const verified = await verifyAccessTokenClaims(ports, token);
  const { pool, client, kid, payload } = verified;
  if (payload.username === undefined && payload.sub === client.id) {
    const subjects = [machineTokenSubject(String(payload.jti))];
    const query = { poolId: pool.id, username: '', loginId: '', kid, subjects };
    const facts = await ports.store.accessTokens.findFacts(query, ports.clock.now());
    requirePublishedKey(ports, facts);
    if (facts.revocations.length > 0) throw invalidAccessTokenError('Access Token has been revoked');
  } else {
    await requireAccessToken(ports, token, null);
  }
  return verified;
}

/** A client that keeps no track of logins cannot end one by itself; that all of a user were ended counts for its tokens too. */
async function checkAccessToken(ports: AccessTokenPorts, token: string, scope: string | null): Promise<CheckedToken> {
  const access = await verifyAccessToken(ports, token, scope);
  const { pool, sub, username, kid, loginId: originJti, eventId = '' } = access;
  const subjects = revocationSubjects({ sub, originJti });
  const query = { poolId: pool.id, username, loginId: originJti ?? eventId, kid, subjects };
  return { access, facts: await ports.store.accessTokens.findFacts(query, ports.clock.now()) };
}

/** A key that another replica withdrew takes its tokens with it, though this one remembers the key and the signature. */
function requirePublishedKey({ clock }: ClockPort, { key }: AccessTokenFacts): void {
  if (key === undefined || !isPublishedKey(key, clock.now())) throw invalidAccessTokenError('Invalid Access Token');
}

/** Of one second the login tells what was first: a token or the end of all logins. */
function isRevoked({ sub, loginId, issuedAtSeconds }: AccessToken, { login, revocations }: AccessTokenFacts): boolean {
  const isLoginGone = login === undefined ? loginId !== undefined : login.revokedAtMs !== null;
  return isLoginGone || tokenState({ sub, originJti: loginId, issuedAtSeconds }, revocations) === 'revoked';
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
