import {
  machineTokenSubject,
  ProviderError,
  revocationSubjects,
  type TokenState,
  tokenState,
  USER_SCOPE,
} from '@poolgate/provider';
import { requireEnabledUser } from '../identity/active-user.ts';
import { lockUser, userNotFoundError } from '../identity/user-records.ts';
import type { ClockPort, Transaction } from '../kernel/ports.ts';
import type { AccessTokenFacts } from '../store/access-token-reads.ts';
import type { LoginRecord, UserRecord, UserWithCredential } from '../store/records.ts';
import type { LoginAuthentication } from './authentication-methods.ts';
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

/** The user, login and device of a token. */
export interface AuthorizedUser extends TokenSubject, Pick<AccessToken, 'scope' | 'authTimeSeconds'> {
  /** Known even if the client does not track logins, unless the token is older than this field. */
  readonly loginId: string | undefined;
  /** Also undefined if the login was detached from its device since, or if an application has it through a browser session. */
  readonly deviceKey: string | undefined;
  /** How its login was proven; undefined if that is not known. */
  readonly authentication: LoginAuthentication | undefined;
}

/**
 * Returns the user of an access token, if it is still valid.
 * @param scope the required scope; null for any
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
  const known = { pool, client, user, scope: granted, authTimeSeconds, authentication: login };
  if (login === undefined) return { ...known, loginId: undefined, deviceKey };
  return { ...known, loginId: login.id, deviceKey: findTokenDeviceKey(login) ?? undefined };
}

/**
 * Returns the current user of an access token in this write, if the token is still valid, and locks the user until the write ends. Every
 * write that adds or removes access to an account must call it, because all of the user's logins may have ended since
 * {@link requireAccessToken}.
 * @throws {ProviderError} the same errors
 */
export async function lockAuthorizedUser(
  transaction: Transaction<'logins' | 'users'>,
  { pool, user, loginId }: Pick<AuthorizedUser, 'pool' | 'user' | 'loginId'>,
): Promise<UserWithCredential & { readonly login: LoginRecord | undefined }> {
  // Both statements are sent together. The user's comes first, because rows read after a lock cannot change.
  const [found, login] = await Promise.all([
    lockUser(transaction, pool, user.username, 'invalid_token'),
    loginId === undefined ? undefined : transaction.logins.byId(loginId),
  ]);
  // A new user with the same name is another user.
  if (found.user.sub !== user.sub) throw userNotFoundError('invalid_token');
  if (loginId !== undefined && login?.revokedAtMs !== null)
    throw invalidAccessTokenError('Access Token has been revoked');
  requireActiveUser(found.user);
  return { ...found, login };
}

/**
 * Whether an access token is still valid, for a guard. The result stays with the call, and its first operation uses it
 * (docs/decisions/0077-one-read-per-access-token.md).
 * @throws {ProviderError} `NotAuthorizedException`: the token is not for users' operations
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
 * Returns the claims of a valid access token of a user or a machine, whatever its scope.
 * @throws {ProviderError} the errors of {@link requireAccessToken}
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

/** A client that does not track logins cannot end a single one, but ending all of a user's logins also affects its tokens. */
async function checkAccessToken(ports: AccessTokenPorts, token: string, scope: string | null): Promise<CheckedToken> {
  const access = await verifyAccessToken(ports, token, scope);
  const { pool, sub, username, kid, loginId: originJti, eventId = '' } = access;
  const subjects = revocationSubjects({ sub, originJti });
  const query = { poolId: pool.id, username, loginId: originJti ?? eventId, kid, subjects };
  return { access, facts: await ports.store.accessTokens.findFacts(query, ports.clock.now()) };
}

/** A key that another replica withdrew invalidates its tokens, although this replica still caches the key and the signature. */
function requirePublishedKey({ clock }: ClockPort, { key }: AccessTokenFacts): void {
  if (key === undefined || !isPublishedKey(key, clock.now())) throw invalidAccessTokenError('Invalid Access Token');
}

/** Within one second, the login shows which was first: a token or the end of all logins. */
function isRevoked({ sub, loginId, issuedAtSeconds }: AccessToken, { login, revocations }: AccessTokenFacts): boolean {
  const isLoginGone = login === undefined ? loginId !== undefined : login.revokedAtMs !== null;
  return isLoginGone || tokenState({ sub, originJti: loginId, issuedAtSeconds }, revocations) === 'revoked';
}

function requireActiveUser(user: UserRecord): void {
  requireEnabledUser(user);
  if (user.status === 'UNCONFIRMED') throw new ProviderError('UserNotConfirmedException', 'User is not confirmed.');
  if (user.status === 'RESET_REQUIRED') {
    throw new ProviderError('PasswordResetRequiredException', 'Password reset required for the user');
  }
}
