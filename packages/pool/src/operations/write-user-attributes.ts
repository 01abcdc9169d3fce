import type { NotificationPorts } from '../delivery/delivery-ports.ts';
import { queueNotice } from '../delivery/notices.ts';
import type { Attributes } from '../identity/attributes.ts';
import { claimSignInNames } from '../identity/user-records.ts';
import { hasVerifiedContact } from '../identity/verified-contact.ts';
import { recordEvent } from '../kernel/audit-events.ts';
import type { EventPorts, Transaction } from '../kernel/ports.ts';
import { disableRegistrationExpiry } from '../registrations/pending-registrations.ts';
import { isMfaContact } from '../settings/second-factors.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';
import { type AttributeChange, CONTACT_CODE_PURPOSES } from '../users/attribute-changes.ts';

/** A user as read in the write that changes its attributes. */
export interface AttributeWrite {
  readonly pool: PoolRecord;
  readonly user: UserRecord;
  readonly change: AttributeChange;
  /** Whether the owner of an old contact can take the change back: what the user changed, not what an administrator set right. */
  readonly isReversible: boolean;
  readonly nowMs: number;
}

/**
 * Writes what a request changes at once: attributes, names, and what rested on an old contact, whose owner is notified.
 * @throws {ProviderError} `AliasExistsException`
 */
export async function writeAttributes(
  ports: NotificationPorts,
  transaction: PoolTransaction,
  writing: AttributeWrite,
): Promise<void> {
  await updateAttributesAndNames(ports, transaction, writing);
  await queueContactChangeNotice(ports, transaction, writing);
}

/**
 * Writes attributes and names. Codes that were sent to a contact before prove nothing any more.
 * @throws {ProviderError} `AliasExistsException`
 */
export async function updateAttributesAndNames(
  ports: EventPorts,
  transaction: Transaction<'codes' | 'events' | 'registrations' | 'users'>,
  { pool, user, change, nowMs }: Omit<AttributeWrite, 'isReversible'>,
): Promise<void> {
  const { username } = user;
  const { attributes, changed, contacts } = change;
  for (const contact of contacts) await transaction.codes.delete(pool.id, username, CONTACT_CODE_PURPOSES[contact]);
  if (changed.length === 0) return;
  await transaction.users.update(pool.id, username, { attributes, modifiedAtMs: nowMs });
  await claimSignInNames(transaction, pool, { ...user, attributes }, changed);
  if (user.status === 'UNCONFIRMED' && hasVerifiedContact(attributes))
    await disableRegistrationExpiry(transaction, user);
  await recordEvent(ports, transaction, {
    type: 'user.updated',
    pool,
    user,
    details: { attributes: changed.join(' ') },
  });
}

/** The mail goes to the address that the user had before; devices were trusted on the strength of the old factor. */
export async function queueContactChangeNotice(
  ports: NotificationPorts,
  transaction: PoolTransaction,
  {
    pool,
    user,
    change,
    isReversible,
    nowMs,
  }: Omit<AttributeWrite, 'change'> & { readonly change: Pick<AttributeChange, 'changed'> },
): Promise<void> {
  const previousContacts = change.changed.filter(
    (name) => (name === 'email' || name === 'phone_number') && user.attributes[name],
  );
  if (previousContacts.length === 0) return;
  if (previousContacts.some((name) => isMfaContact(user, name)))
    await transaction.devices.forgetTrust(pool.id, user.username, nowMs);
  const before = isReversible ? pickContactAttributes(user, previousContacts) : {};
  await queueNotice(ports, transaction, pool, user, 'contact_changed', before);
}

/** What a user has of these contacts, and whether they are proven. */
function pickContactAttributes({ attributes }: UserRecord, names: readonly string[]): Attributes {
  const kept = names.flatMap((name) => [name, `${name}_verified`]);
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => kept.includes(name)));
}
