import { ProviderError, parseScopes } from '@poolgate/provider';
import { requireEnabledUser } from '../identity/active-user.ts';
import type { EventPorts, StoreReads, StoreWrites } from '../kernel/ports.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import type { LoginWithUser } from '../store/login-repository.ts';
import type { LoginRecord, UserRecord } from '../store/records.ts';
import type { TriggerData } from '../triggers/trigger-definitions.ts';
import { type AuthenticationResult, signTokens } from './login-tokens.ts';
import { type RefreshTokenContent, verifyRefreshToken } from './refresh-token.ts';
import { revokeLogin } from './revoke-login.ts';
import { requestTokenChanges } from './token-changes.ts';
import { findTokenDeviceKey } from './token-device.ts';
import type { TokenPorts } from './token-ports.ts';

/** A refresh, by any operation. */
export interface RefreshInput extends PoolAndClient {
  readonly refreshToken: string;
  /** The device in the request. */
  readonly deviceKey: string | undefined;
  /** Checks the client's secret hash as soon as the user is known, before anything changes. Throws if it is wrong. */
  readonly authorize: (user: UserRecord) => void;
  /** The request's data for triggers. */
  readonly clientMetadata?: TriggerData | undefined;
  /** The resource of the access token; absent: the login's. */
  readonly audience?: string | null;
}

/**
 * Issues new tokens for a refresh token, with its successor if the client rotates. A token has one successor, and everyone who sends the
 * token within the grace period gets the same one. A later use ends the login, because the token or its successor was stolen. A text that
 * the pool did not create affects no login.
 * @throws {ProviderError} `NotAuthorizedException`, `RefreshTokenReuseException`, `PasswordResetRequiredException`
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-refresh-token.html
 */
export async function refreshTokens(
  ports: TokenPorts & StoreReads<'logins'> & StoreWrites<'events' | 'logins' | 'revocations' | 'users'>,
  input: RefreshInput,
): Promise<AuthenticationResult> {
  const token = verifyRefreshToken(ports, input.pool, input.refreshToken);
  if (token === undefined) throw invalidRefreshTokenError();
  const found = await ports.store.logins.byIdWithUser(token.loginId);
  if (found?.login.clientId !== input.client.id || found.user === undefined) throw invalidRefreshTokenError();
  const { login, user } = found;
  input.authorize(user);
  requireLoginDevice(input, found);
  await requireUsableToken(ports, input, { token, user, login });
  const { clientMetadata } = input;
  const asked = login.scope === null ? {} : { scopes: parseScopes(login.scope) };
  const origin = { source: 'TokenGeneration_RefreshTokens', ...asked, clientMetadata } as const;
  const changes = await requestTokenChanges(ports, { ...input, user }, origin);
  const rotated = await rotateLogin(ports, input, { token, user, login });
  const current = input.audience === undefined ? rotated : { ...rotated, audience: input.audience };
  const { RefreshToken, ...tokens } = await signTokens(ports, { ...input, user, login: current, changes });
  return input.client.settings.refreshRotation === null ? tokens : { ...tokens, RefreshToken };
}

/** Returns the login of the token. Another client's token is invalid here. */
async function requireRefreshTokenLogin(
  ports: StoreReads<'logins'>,
  { client }: PoolAndClient,
  token: RefreshTokenContent,
): Promise<LoginRecord> {
  const login = await ports.store.logins.byId(token.loginId);
  if (login?.clientId !== client.id) throw invalidRefreshTokenError();
  return login;
}

/**
 * Once its device is confirmed, a login belongs to it: the token alone gets and changes nothing. A key that was only issued has no effect,
 * because many clients never confirm theirs.
 */
function requireLoginDevice({ pool, deviceKey }: RefreshInput, { login, hasConfirmedDevice }: LoginWithUser): void {
  const own = findTokenDeviceKey(login);
  if (own === null || own === deviceKey || pool.settings.deviceTracking === null) return;
  if (hasConfirmedDevice) throw refreshRefusedError('Invalid Refresh Token.');
}

/** A token of a login, and the current state of both. */
interface PresentedRefreshToken {
  readonly token: RefreshTokenContent;
  readonly user: UserRecord;
  readonly login: LoginRecord;
}

/** Requires that a token can be refreshed. If it was stolen, the login ends. */
async function requireUsableToken(
  ports: EventPorts & StoreWrites<'events' | 'logins' | 'revocations' | 'users'>,
  input: PoolAndClient,
  { token, user, login }: PresentedRefreshToken,
): Promise<'current' | 'within_grace'> {
  const nowMs = ports.clock.now();
  requireActiveLogin(login, nowMs);
  const freshness = classifyRefreshToken(login, token, input.client.settings.refreshRotation?.graceSeconds ?? 0, nowMs);
  if (freshness === 'unknown') throw invalidRefreshTokenError();
  if (freshness === 'reused') throw await revokeReusedLogin(ports, input, login);
  requireRefreshableUser(user);
  return freshness;
}

/**
 * Moves the login to the generation whose refresh token will be returned. If another request was faster, this one is checked again against
 * its result.
 */
async function rotateLogin(
  ports: EventPorts & StoreReads<'logins'> & StoreWrites<'events' | 'logins' | 'revocations' | 'users'>,
  input: PoolAndClient,
  presented: PresentedRefreshToken,
): Promise<LoginRecord> {
  const { login, token } = presented;
  const freshness = await requireUsableToken(ports, input, presented);
  if (freshness === 'within_grace' || input.client.settings.refreshRotation === null) return login;
  const nowMs = ports.clock.now();
  const { id, generation } = login;
  const isMine = await ports.store.write((transaction) => transaction.logins.rotate(id, generation, nowMs), {
    isIssuedAtOnce: true,
  });
  if (isMine) return { ...login, generation: generation + 1, rotatedAtMs: nowMs };
  return rotateLogin(ports, input, { ...presented, login: await requireRefreshTokenLogin(ports, input, token) });
}

async function revokeReusedLogin(
  ports: EventPorts & StoreWrites<'events' | 'logins' | 'revocations' | 'users'>,
  { pool }: PoolAndClient,
  login: LoginRecord,
): Promise<ProviderError> {
  const event = { type: 'login.reuse_detected', outcome: 'failure' } as const;
  await ports.store.write((transaction) => revokeLogin(ports, transaction, pool, login, event));
  return new ProviderError('RefreshTokenReuseException', 'Refresh token has been used already.', {
    reason: 'invalid_grant',
  });
}

/** The position of a genuine token in its family. */
export type RefreshTokenFreshness = 'current' | 'within_grace' | 'reused' | 'unknown';

/** Compares a token with the current generation of its login. `unknown`: created with a store that was lost since. */
export function classifyRefreshToken(
  login: Pick<LoginRecord, 'generation' | 'rotatedAtMs'>,
  token: Pick<RefreshTokenContent, 'generation'>,
  graceSeconds: number,
  nowMs: number,
): RefreshTokenFreshness {
  if (token.generation > login.generation) return 'unknown';
  if (token.generation === login.generation) return 'current';
  const isLast = token.generation === login.generation - 1;
  // In both directions, because a clock that was set back must not make a used token valid again, and replicas' clocks differ a little.
  const isWithinGrace = Math.abs(nowMs - (login.rotatedAtMs ?? 0)) < graceSeconds * 1000;
  return isLast && isWithinGrace ? 'within_grace' : 'reused';
}

function requireActiveLogin(login: LoginRecord, nowMs: number): void {
  if (login.revokedAtMs !== null) throw refreshRefusedError('Refresh Token has been revoked');
  if (login.refreshExpiresAtMs <= nowMs) throw refreshRefusedError('Refresh Token has expired');
}

function requireRefreshableUser(user: UserRecord): void {
  requireEnabledUser(user);
  if (user.status === 'RESET_REQUIRED') {
    throw new ProviderError('PasswordResetRequiredException', 'Password reset required for the user', {
      reason: 'invalid_grant',
    });
  }
}

function invalidRefreshTokenError(): ProviderError {
  return refreshRefusedError('Invalid Refresh Token');
}

function refreshRefusedError(message: string): ProviderError {
  return new ProviderError('NotAuthorizedException', message, { reason: 'invalid_grant' });
}
