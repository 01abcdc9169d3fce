import type { PoolTransaction } from '../store/pool-store.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';
import { hasProvenContact } from './proven-contact.ts';

/** Whether nothing of a user was ever proven: it is a registration, and gives way to whoever proves more. */
export function isUnproven({ status, attributes }: UserRecord): boolean {
  return status === 'UNCONFIRMED' && !hasProvenContact(attributes);
}

/** Deletes the registration that holds a name, if one does. It is no event: whoever registered has proven nothing. */
export async function dropRegistration(
  transaction: PoolTransaction,
  pool: PoolRecord,
  name: string,
  exceptUsername: string,
): Promise<void> {
  const holder = await transaction.userByName(pool.id, name);
  if (holder === undefined || holder.user.username === exceptUsername || !isUnproven(holder.user)) return;
  await transaction.deleteUser(pool.id, holder.user.username);
}
