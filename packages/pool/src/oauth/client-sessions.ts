import type { Transaction } from '../kernel/ports.ts';
import type { LoginRecord } from '../store/records.ts';
import type { TokenSubject } from '../tokens/login-tokens.ts';

/** Returns the browser session of a login, which ID tokens name as `sid`. */
export function readSessionId({ id, sessionId }: Pick<LoginRecord, 'id' | 'sessionId'>): string {
  return sessionId ?? id;
}

/**
 * Records that a client is signed in through a session, if a setting of the client concerns the session's end. It runs in the write that
 * creates the login.
 */
export async function recordClientSession(
  transaction: Transaction<'logins'>,
  { pool, client, user }: TokenSubject,
  { sessionId, refreshExpiresAtMs }: LoginRecord,
  sessionLoginId: string,
): Promise<void> {
  const { backchannelLogoutUri, endsGrantsAtSignOut: endsGrants = false } = client.settings.extensions ?? {};
  if (sessionId === null || (backchannelLogoutUri === undefined && !endsGrants)) return;
  await transaction.logins.putClientSession({
    ...{ clientId: client.id, sessionId, poolId: pool.id, username: user.username, sub: user.sub },
    ...{ sessionLoginId, endsGrants, expiresAtMs: refreshExpiresAtMs, endedAtMs: null },
    ...{ tries: 0, nextTryAtMs: 0, leasedUntilMs: 0, lastFailure: null },
  });
}
