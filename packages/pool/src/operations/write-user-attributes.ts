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
  /** Whether the owner of an old contact can undo the change: only a user's change, not an administrator's correction. */
  readonly isReversible: boolean;
  readonly nowMs: number;
}

/**
 * Writes the immediate changes of a request: attributes, names, and what depended on an old contact, whose owner is notified.
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
 * Writes attributes and names. Codes that were sent to an earlier contact become invalid.
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

/** The email goes to the user's previous address. Devices were trusted because of the old factor. */
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

/** Returns these contacts of a user, and whether they are verified. */
function pickContactAttributes({ attributes }: UserRecord, names: readonly string[]): Attributes {
  const kept = names.flatMap((name) => [name, `${name}_verified`]);
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => kept.includes(name)));
}
