import type { Transaction } from '../kernel/ports.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';
import { hasVerifiedContact } from './verified-contact.ts';

/** Whether nothing of a user was ever proven: it is a registration, and gives way to whoever proves more. */
export function isUnverifiedSignUp({ status, attributes }: UserRecord): boolean {
  return status === 'UNCONFIRMED' && !hasVerifiedContact(attributes);
}

/** Deletes the registration that holds a name, if one does. It is no event: whoever registered has proven nothing. */
export async function deleteUnverifiedSignUp(
  transaction: Transaction<'users'>,
  pool: PoolRecord,
  name: string,
  exceptUsername: string,
): Promise<void> {
  const holder = await transaction.users.lockByName(pool.id, name);
  if (holder === undefined || holder.user.username === exceptUsername || !isUnverifiedSignUp(holder.user)) return;
  await transaction.users.delete(pool.id, holder.user.username);
}
