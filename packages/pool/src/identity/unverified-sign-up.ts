import type { Transaction } from '../kernel/ports.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';
import { hasVerifiedContact } from './verified-contact.ts';

/** Whether nothing about a user was ever verified. Such a user is only a registration and yields to anyone who proves more. */
export function isUnverifiedSignUp({ status, attributes }: UserRecord): boolean {
  return status === 'UNCONFIRMED' && !hasVerifiedContact(attributes);
}

/** Deletes the registration that holds a name, if any. This is not an event, because the person who registered has proven nothing. */
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
