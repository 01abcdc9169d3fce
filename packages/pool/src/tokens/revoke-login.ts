import { ProviderError } from '@poolgate/provider';
import { type NewAuditEvent, recordEvent } from '../kernel/audit-events.ts';
import type { EventPorts, StoreWrites, Transaction } from '../kernel/ports.ts';
import type { LoginRecord, PoolRecord, UserRecord } from '../store/records.ts';
import { revokeLoginById } from './login-revocations.ts';

/** The parts of a revoked login that its event contains. */
export type RevokedLogin = Pick<LoginRecord, 'id' | 'clientId' | 'username'>;

/**
 * Revokes one login and its tokens.
 * @returns false if it had already ended or is unknown, in which case no event is written
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
 * Ends an active login of a user.
 * @throws {ProviderError} `ResourceNotFoundException`, reason `login_not_found`: the same for another user's login, one that has ended, and
 *   one that never existed
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

/** This user has no such active login. */
export function loginNotFoundError(): ProviderError {
  return new ProviderError('ResourceNotFoundException', 'Login does not exist.', { reason: 'login_not_found' });
}
