import { type AttributeChange, VERIFY } from '../domain/attribute-changes.ts';
import { restsOn } from '../domain/mfa-settings.ts';
import { claimNames } from '../domain/users.ts';
import { recordEvent } from '../events.ts';
import { noticeOwner } from '../messages/notices.ts';
import type { PoolRuntime } from '../runtime.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';

/** A user as read in the write that changes its attributes. */
export interface Writing {
  readonly pool: PoolRecord;
  readonly user: UserRecord;
  readonly change: AttributeChange;
  readonly nowMs: number;
}

/**
 * Writes what a request changes at once: attributes, names, and what rested on an old contact. Codes that were sent before
 * prove nothing any more.
 * @throws {ProviderError} `AliasExistsException`
 */
export async function writeAttributes(
  context: PoolRuntime,
  transaction: PoolTransaction,
  { pool, user, change, nowMs }: Writing,
): Promise<void> {
  const { username } = user;
  const { attributes, changed, contacts } = change;
  for (const contact of contacts) await transaction.deleteCode(pool.id, username, VERIFY[contact]);
  if (changed.length === 0) return;
  await transaction.updateUser(pool.id, username, { attributes, modifiedAtMs: nowMs });
  await claimNames(transaction, pool, { ...user, attributes }, changed);
  await recordEvent(context, transaction, {
    type: 'user.updated',
    pool,
    user,
    details: { attributes: changed.join(' ') },
  });
  await tellOfContacts(context, transaction, { pool, user, change, nowMs });
}

/** The mail goes to the address that the user had before; devices were trusted on the strength of the old factor. */
export async function tellOfContacts(
  context: PoolRuntime,
  transaction: PoolTransaction,
  {
    pool,
    user,
    change,
    nowMs,
  }: Pick<Writing, 'pool' | 'user' | 'nowMs'> & { readonly change: Pick<AttributeChange, 'changed'> },
): Promise<void> {
  const lost = change.changed.filter((name) => (name === 'email' || name === 'phone_number') && user.attributes[name]);
  if (lost.length === 0) return;
  if (lost.some((name) => restsOn(user, name))) await transaction.distrustDevices(pool.id, user.username, nowMs);
  await noticeOwner(context, transaction, pool, user, 'contact_changed');
}
