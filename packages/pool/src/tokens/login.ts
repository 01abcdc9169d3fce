import { type Output, uuidV7 } from '@poolgate/provider';
import { recordEvent } from '../events.ts';
import type { PoolAndClient } from '../pools/pools.ts';
import type { PoolRuntime } from '../runtime.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { LoginRecord, UserRecord } from '../store/records.ts';
import { uuid } from '../users/identifiers.ts';
import { accessClaims, idClaims, type TokenFacts } from './claims.ts';
import { signTokensWith } from './jwt.ts';
import { signingKeysOf } from './keys.ts';
import type { TokenChanges } from './overridden-claims.ts';
import { mintRefreshToken } from './refresh-token.ts';
import { revokeExcessLogins } from './revocations.ts';

/** What a finished sign-in gives (Cognito `AuthenticationResultType`). */
export type AuthenticationResult = NonNullable<Output<'InitiateAuth'>['AuthenticationResult']>;

/** Who logged in, and where. */
export interface TokenSubject extends PoolAndClient {
  readonly user: UserRecord;
}

/**
 * Opens the login from which all tokens of one proof come. Call it in the write that spends the proof.
 * @param from the device that the login was given or proved; null where devices are not tracked
 */
export async function startTokenFamily(
  context: PoolRuntime,
  transaction: PoolTransaction,
  { pool, client, user }: TokenSubject,
  from: Pick<LoginRecord, 'deviceKey'>,
): Promise<LoginRecord> {
  const nowMs = context.clock.now();
  const login: LoginRecord = {
    id: uuidV7(nowMs, context.random),
    poolId: pool.id,
    clientId: client.id,
    username: user.username,
    authTimeSeconds: Math.floor(nowMs / 1000),
    refreshExpiresAtMs: nowMs + client.settings.refreshTokenSeconds * 1000,
    generation: 0,
    rotatedAtMs: null,
    revokedAtMs: null,
    deviceKey: from.deviceKey,
    sourceAddress: context.call.sourceAddress || null,
    scope: null,
    audience: null,
    createdAtMs: nowMs,
  };
  await endExcessLogins(context, transaction, { pool, client, user });
  await transaction.logins.insert(login);
  return login;
}

/**
 * Where a user has as many logins as there may be, the one that was used least recently ends, as in Cognito. Before the new one is there:
 * of logins of one instant it could not be told from the others.
 */
async function endExcessLogins(
  context: PoolRuntime,
  transaction: PoolTransaction,
  { pool, user }: TokenSubject,
): Promise<void> {
  const { sessions } = pool.settings;
  if (!sessions?.tracked) return;
  const nowMs = context.clock.now();
  const ended = await revokeExcessLogins(transaction, user, sessions.mostPerUser - 1, nowMs);
  for (const { id, clientId } of ended) {
    const details = { login: id, reason: 'too_many_sessions' };
    await recordEvent(context, transaction, { type: 'login.ended', pool, user, clientId, details });
  }
}

/**
 * Signs the tokens of a login as it stands: access, ID, and the refresh token of its current generation. The names of a new device
 * are no part of it: a login gives them, a refresh never does.
 * @param subject with what `requestTokenChanges` gave
 */
export async function signTokens(
  context: PoolRuntime,
  subject: TokenSubject & { readonly login: LoginRecord; readonly changes: TokenChanges },
): Promise<Required<Omit<AuthenticationResult, 'NewDeviceMetadata'>>> {
  const { pool, client, login } = subject;
  const keys = await signingKeysOf(context, pool);
  const facts: TokenFacts = {
    ...subject,
    nowSeconds: Math.floor(context.clock.now() / 1000),
    // Where no token names its origin, the event is what a login that was ended is known by.
    eventId: client.settings.tokenRevocation ? uuid(context.random) : login.id,
  };
  const [AccessToken = '', IdToken = ''] = await signTokensWith(context.computations.signTexts, [
    { signer: keys.access, claims: accessClaims(facts, uuid(context.random)) },
    { signer: keys.id, claims: idClaims(facts, uuid(context.random)) },
  ]);
  return {
    AccessToken,
    IdToken,
    RefreshToken: mintRefreshToken(context, pool, login.id, login.generation),
    ExpiresIn: client.settings.accessTokenSeconds,
    TokenType: 'Bearer',
  };
}
