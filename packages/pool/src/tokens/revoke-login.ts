import { ProviderError } from '@poolgate/provider';
import { type NewEvent, recordEvent } from '../events.ts';
import type { PoolRuntime } from '../runtime.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { LoginRecord, PoolRecord, UserRecord } from '../store/records.ts';
import { revokeLoginById } from './revocations.ts';

/** A login that ends, as far as its event reports it. */
export type RevokedLogin = Pick<LoginRecord, 'id' | 'clientId' | 'username'>;

/**
 * Revokes one login: its tokens count no more.
 * @returns false where it was ended before, or is unknown: then nothing is told
 */
export async function revokeLogin(
  context: PoolRuntime,
  transaction: PoolTransaction,
  pool: PoolRecord,
  { id, clientId, username }: RevokedLogin,
  event: Pick<NewEvent, 'type' | 'outcome'> = { type: 'login.ended' },
): Promise<boolean> {
  if (!(await revokeLoginById(transaction, pool.id, id, context.clock.now()))) return false;
  const user = await transaction.users.byUsername(pool.id, username);
  await recordEvent(context, transaction, { ...event, pool, user, clientId, details: { login: id } });
  return true;
}

/**
 * Ends one active login of a user.
 * @throws {ProviderError} `ResourceNotFoundException`, reason `login_not_found`: the same for a login of somebody else, for one that has
 *   ended, and for one that never was
 */
export async function revokeActiveLogin(
  context: PoolRuntime,
  { pool, user }: { readonly pool: PoolRecord; readonly user: Pick<UserRecord, 'username'> },
  loginId: string,
): Promise<void> {
  const wasAlive = await context.store.write(async (transaction) => {
    const login = await transaction.logins.byId(loginId);
    if (login?.poolId !== pool.id || login.username !== user.username) return false;
    return login.refreshExpiresAtMs > context.clock.now() && (await revokeLogin(context, transaction, pool, login));
  });
  if (!wasAlive) throw noSuchLogin();
}

/** There is no such login, or none of this user that lives. */
export function noSuchLogin(): ProviderError {
  return new ProviderError('ResourceNotFoundException', 'Login does not exist.', { reason: 'login_not_found' });
}
