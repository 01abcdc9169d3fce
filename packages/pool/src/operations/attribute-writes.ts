import { type AttributeChange, VERIFY } from '../domain/attribute-changes.ts';
import type { Attributes } from '../domain/attributes.ts';
import { restsOn } from '../domain/mfa-settings.ts';
import { hasProvenContact } from '../domain/proven-contact.ts';
import { keepRegistration } from '../domain/registrations.ts';
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
  /** Whether the owner of an old contact can take the change back: what the user changed, not what an administrator set right. */
  readonly isReversible: boolean;
  readonly nowMs: number;
}

/**
 * Writes what a request changes at once: attributes, names, and what rested on an old contact, whose owner is told.
 * @throws {ProviderError} `AliasExistsException`
 */
export async function writeAttributes(
  context: PoolRuntime,
  transaction: PoolTransaction,
  writing: Writing,
): Promise<void> {
  await putAttributes(context, transaction, writing);
  await tellOfContacts(context, transaction, writing);
}

/**
 * Writes attributes and names. Codes that were sent to a contact before prove nothing any more.
 * @throws {ProviderError} `AliasExistsException`
 */
export async function putAttributes(
  context: PoolRuntime,
  transaction: PoolTransaction,
  { pool, user, change, nowMs }: Omit<Writing, 'isReversible'>,
): Promise<void> {
  const { username } = user;
  const { attributes, changed, contacts } = change;
  for (const contact of contacts) await transaction.deleteCode(pool.id, username, VERIFY[contact]);
  if (changed.length === 0) return;
  await transaction.updateUser(pool.id, username, { attributes, modifiedAtMs: nowMs });
  await claimNames(transaction, pool, { ...user, attributes }, changed);
  if (user.status === 'UNCONFIRMED' && hasProvenContact(attributes)) await keepRegistration(transaction, user);
  await recordEvent(context, transaction, {
    type: 'user.updated',
    pool,
    user,
    details: { attributes: changed.join(' ') },
  });
}

/** The mail goes to the address that the user had before; devices were trusted on the strength of the old factor. */
export async function tellOfContacts(
  context: PoolRuntime,
  transaction: PoolTransaction,
  {
    pool,
    user,
    change,
    isReversible,
    nowMs,
  }: Omit<Writing, 'change'> & { readonly change: Pick<AttributeChange, 'changed'> },
): Promise<void> {
  const lost = change.changed.filter((name) => (name === 'email' || name === 'phone_number') && user.attributes[name]);
  if (lost.length === 0) return;
  if (lost.some((name) => restsOn(user, name))) await transaction.distrustDevices(pool.id, user.username, nowMs);
  const before = isReversible ? contactsOf(user, lost) : {};
  await noticeOwner(context, transaction, pool, user, 'contact_changed', before);
}

/** What a user has of these contacts, and whether they are proven. */
function contactsOf({ attributes }: UserRecord, names: readonly string[]): Attributes {
  const kept = names.flatMap((name) => [name, `${name}_verified`]);
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => kept.includes(name)));
}
