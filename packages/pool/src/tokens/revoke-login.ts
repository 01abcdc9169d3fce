import { ProviderError } from '@poolgate/provider';
import { type NewAuditEvent, recordEvent } from '../kernel/audit-events.ts';
import type { EventPorts, StoreWrites, Transaction } from '../kernel/ports.ts';
import type { LoginRecord, PoolRecord, UserRecord } from '../store/records.ts';
import { revokeLoginById } from './login-revocations.ts';

/** A login that ends, as far as its event reports it. */
export type RevokedLogin = Pick<LoginRecord, 'id' | 'clientId' | 'username'>;

/**
 * Revokes one login: its tokens count no more.
 * @returns false where it was ended before, or is unknown: then nothing is told
 */
export async function revokeLogin(
  ports: EventPorts,
  transaction: Transaction<'events' | 'logins' | 'revocations' | 'users'>,
  pool: PoolRecord,
  { id, clientId, username }: RevokedLogin,
  event: Pick<NewAuditEvent, 'type' | 'outcome'> = { type: 'login.ended' },
): Promise<boolean> {
  if (!(await revokeLoginById(transaction, pool.id, id, ports.clock.now()))) return false;
  const user = await transaction.users.byUsername(pool.id, username);
  await recordEvent(ports, transaction, { ...event, pool, user, clientId, details: { login: id } });
  return true;
}

/**
 * Ends one active login of a user.
 * @throws {ProviderError} `ResourceNotFoundException`, reason `login_not_found`: the same for a login of somebody else, for one that has
 *   ended, and for one that never was
 */
export async function revokeActiveLogin(
  ports: EventPorts & StoreWrites<'events' | 'logins' | 'revocations' | 'users'>,
  { pool, user }: { readonly pool: PoolRecord; readonly user: Pick<UserRecord, 'username'> },
  loginId: string,
): Promise<void> {
  const wasAlive = await ports.store.write(async (transaction) => {
    const login = await transaction.logins.byId(loginId);
    if (login?.poolId !== pool.id || login.username !== user.username) return false;
    return login.refreshExpiresAtMs > ports.clock.now() && (await revokeLogin(ports, transaction, pool, login));
  });
  if (!wasAlive) throw loginNotFoundError();
}

/** There is no such login, or none of this user that lives. */
export function loginNotFoundError(): ProviderError {
  return new ProviderError('ResourceNotFoundException', 'Login does not exist.', { reason: 'login_not_found' });
}
