import { ProviderError } from '@poolgate/provider';
import type { PoolAndClient } from '../domain/pools.ts';
import type { PoolRuntime } from '../runtime.ts';
import type { LoginRecord, UserRecord } from '../store/records.ts';
import { addedClaims } from './added-claims.ts';
import { endLogin } from './ending.ts';
import { type AuthenticationResult, signTokens } from './login.ts';
import { openRefreshToken, type RefreshTokenContent } from './refresh-token.ts';

/** A refresh, by whichever operation it came. */
export interface RefreshInput extends PoolAndClient {
  readonly refreshToken: string;
  /** The device that the request names. */
  readonly deviceKey: string | undefined;
  /** Checks the client's secret proof as soon as the user is known, and throws; before anything is changed. */
  readonly authorize: (user: UserRecord) => void;
}

/**
 * New tokens for a refresh token. Where the client rotates, its successor comes with them: one token has one successor,
 * and within the grace everybody who comes with it gets that same one. One that comes later ends the login, for it was stolen,
 * or its successor was. A text that the pool did not make touches no login.
 * @throws {ProviderError} `NotAuthorizedException`, `RefreshTokenReuseException`, `PasswordResetRequiredException`
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-refresh-token.html
 */
export async function refreshTokens(context: PoolRuntime, input: RefreshInput): Promise<AuthenticationResult> {
  const token = openRefreshToken(context, input.pool, input.refreshToken);
  if (token === undefined) throw invalidRefreshToken();
  const login = await loginOf(context, input, token);
  const user = await ownerOf(context, input, login);
  input.authorize(user);
  await checkDevice(context, input, login);
  await judge(context, input, { token, user, login });
  const added = await addedClaims(context, { ...input, user });
  const current = await advance(context, input, { token, user, login });
  const { RefreshToken, ...tokens } = await signTokens(context, { ...input, user, login: current, added });
  return input.client.settings.refreshRotation === null ? tokens : { ...tokens, RefreshToken };
}

/** The login of a token; another client's token is no token here. */
async function loginOf(
  context: PoolRuntime,
  { pool, client }: PoolAndClient,
  token: RefreshTokenContent,
): Promise<LoginRecord> {
  const login = await context.store.login(token.loginId);
  if (login === undefined || login.poolId !== pool.id || login.clientId !== client.id) throw invalidRefreshToken();
  return login;
}

async function ownerOf(context: PoolRuntime, { pool }: PoolAndClient, login: LoginRecord): Promise<UserRecord> {
  const user = await context.store.user(pool.id, login.username);
  if (user === undefined) throw invalidRefreshToken();
  return user;
}

/**
 * A login belongs to its device once that is confirmed: whoever has the token alone gets nothing for it, and changes nothing.
 * A key that was only issued binds nothing, because many clients never confirm theirs.
 */
async function checkDevice(context: PoolRuntime, { pool, deviceKey }: RefreshInput, login: LoginRecord): Promise<void> {
  if (login.deviceKey === null || login.deviceKey === deviceKey || pool.settings.deviceTracking === null) return;
  const device = await context.store.device(pool.id, login.username, login.deviceKey);
  if (device !== undefined) throw refused('Invalid Refresh Token.');
}

/** A token that was made for a login, and what has become of both since. */
interface Presented {
  readonly token: RefreshTokenContent;
  readonly user: UserRecord;
  readonly login: LoginRecord;
}

/** Whether a token is good for new ones; where it was stolen, the login ends. */
async function judge(
  context: PoolRuntime,
  input: PoolAndClient,
  { token, user, login }: Presented,
): Promise<'current' | 'within_grace'> {
  const nowMs = context.clock.now();
  checkAlive(login, nowMs);
  const standing = standingOf(login, token, input.client.settings.refreshRotation?.graceSeconds ?? 0, nowMs);
  if (standing === 'unknown') throw invalidRefreshToken();
  if (standing === 'reused') throw await endReused(context, input, login);
  checkUser(user);
  return standing;
}

/**
 * Brings the login to the generation whose refresh token is to be given out. Where another request was faster,
 * this one is judged anew by what that one left.
 */
async function advance(context: PoolRuntime, input: PoolAndClient, presented: Presented): Promise<LoginRecord> {
  const { login, token } = presented;
  const standing = await judge(context, input, presented);
  if (standing === 'within_grace' || input.client.settings.refreshRotation === null) return login;
  const nowMs = context.clock.now();
  const { id, generation } = login;
  const isMine = await context.store.write((transaction) => transaction.rotateLogin(id, generation, nowMs));
  if (isMine) return { ...login, generation: generation + 1, rotatedAtMs: nowMs };
  return advance(context, input, { ...presented, login: await loginOf(context, input, token) });
}

async function endReused(context: PoolRuntime, { pool }: PoolAndClient, login: LoginRecord): Promise<ProviderError> {
  const told = { type: 'login.reuse_detected', outcome: 'failure' } as const;
  await context.store.write((transaction) => endLogin(context, transaction, pool, login, told));
  return new ProviderError('RefreshTokenReuseException', 'Refresh token has been used already.', {
    reason: 'invalid_grant',
  });
}

/** Where a genuine token stands in its family. */
export type Standing = 'current' | 'within_grace' | 'reused' | 'unknown';

/** Judges a token by the generation that its login has reached. `unknown`: made by a store that was lost since. */
export function standingOf(
  login: Pick<LoginRecord, 'generation' | 'rotatedAtMs'>,
  token: Pick<RefreshTokenContent, 'generation'>,
  graceSeconds: number,
  nowMs: number,
): Standing {
  if (token.generation > login.generation) return 'unknown';
  if (token.generation === login.generation) return 'current';
  const isLast = token.generation === login.generation - 1;
  const graceEndsMs = (login.rotatedAtMs ?? 0) + graceSeconds * 1000;
  return isLast && nowMs < graceEndsMs ? 'within_grace' : 'reused';
}

function checkAlive(login: LoginRecord, nowMs: number): void {
  if (login.revokedAtMs !== null) throw refused('Refresh Token has been revoked');
  if (login.refreshExpiresAtMs <= nowMs) throw refused('Refresh Token has expired');
}

function checkUser(user: UserRecord): void {
  if (!user.enabled) {
    throw new ProviderError('NotAuthorizedException', 'User is disabled.', { reason: 'user_disabled' });
  }
  if (user.status === 'RESET_REQUIRED') {
    throw new ProviderError('PasswordResetRequiredException', 'Password reset required for the user', {
      reason: 'invalid_grant',
    });
  }
}

function invalidRefreshToken(): ProviderError {
  return refused('Invalid Refresh Token');
}

function refused(message: string): ProviderError {
  return new ProviderError('NotAuthorizedException', message, { reason: 'invalid_grant' });
}
