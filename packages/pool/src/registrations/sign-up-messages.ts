import { ProviderError } from '@poolgate/provider';
import { createConfirmLink, hasConfirmLinks } from '../delivery/confirm-link.ts';
import type { CodeMessagePorts, NotificationPorts } from '../delivery/delivery-ports.ts';
import { queueNotice } from '../delivery/notices.ts';
import { consumeSendAllowance } from '../delivery/send-limits.ts';
import type { Contact } from '../identity/contacts.ts';
import { recordEvent } from '../kernel/audit-events.ts';
import type { EventPorts } from '../kernel/ports.ts';
import { sendCode, storeCode } from '../proofs/codes/send-code.ts';
import type { NewPassword } from '../proofs/passwords/new-password.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';

/** A user who is about to be registered. */
export interface RegistrationRequest {
  readonly user: UserRecord;
  readonly typedName: string;
  /** Undefined for a registration without a password, whose user logs in with codes. */
  readonly password: NewPassword | undefined;
  /** The contact that receives the code; undefined if this pool verifies none. */
  readonly contact: Contact | undefined;
  /** Whether the username was issued before, so that a client could compute a verifier for it. */
  readonly isReserved: boolean;
}

/** Throws if the code cannot be sent, so that the user is not registered. */
export async function sendSignUpCode(
  ports: CodeMessagePorts & EventPorts,
  transaction: PoolTransaction,
  { pool, client }: PoolAndClient,
  { user, typedName, contact }: RegistrationRequest & { readonly contact: Contact },
): Promise<void> {
  const message = { username: user.username, shownName: typedName, locale: user.attributes.locale };
  const order = { purpose: 'sign_up', contact, ...message, linkThrough: client.id } as const;
  const refusal = await sendCode(ports, transaction, pool, order);
  if (refusal !== undefined) throw refusal;
}

/**
 * Notifies the current owner of the name, who would otherwise not learn of it. It uses the same allowance as a new user's code and is
 * refused alike, so the remaining allowance does not reveal which users exist.
 */
export async function notifyNameOwner(
  ports: NotificationPorts,
  transaction: PoolTransaction,
  { pool, client }: PoolAndClient,
  { user, contact }: RegistrationRequest,
  known: UserRecord | undefined,
): Promise<void> {
  const { username } = user;
  const decoy = contact && ({ purpose: 'sign_up', contact, username, isDecoy: true, notifiesOwner: true } as const);
  const placed = decoy && (await storeCode(ports, transaction, pool, decoy));
  if (placed instanceof ProviderError) throw placed;
  // Always computed, so that timing reveals nothing.
  if (placed && contact?.channel === 'email' && hasConfirmLinks(pool.settings)) {
    createConfirmLink(ports, pool.settings, { clientId: client.id, username, code: placed.code });
  }
  if (known) await queueNotice(ports, transaction, pool, known, 'sign_up_known');
  await recordNameTaken(ports, transaction, { pool, client }, known);
}

/**
 * The same if the response says that the name is taken, so that there is nothing to hide. It uses no code allowance, because the notice has
 * its own limits.
 */
export async function notifyOwnerOfRefusedSignUp(
  ports: NotificationPorts,
  transaction: PoolTransaction,
  { pool, client }: PoolAndClient,
  { contact }: RegistrationRequest,
  known: UserRecord | undefined,
): Promise<void> {
  if (known && (await consumeRefusalNotice(ports, transaction, pool, known, contact))) {
    await queueNotice(ports, transaction, pool, known, 'sign_up_known');
  }
  await recordNameTaken(ports, transaction, { pool, client }, known);
}

/** False if the call's source, or the day, has no such notice left. */
async function consumeRefusalNotice(
  ports: NotificationPorts,
  transaction: PoolTransaction,
  pool: PoolRecord,
  { username }: UserRecord,
  contact: Contact | undefined,
): Promise<boolean> {
  if (contact === undefined) return true;
  const { destination } = contact;
  const notice = { pool, purpose: 'sign_up_refused', username, destination, nowMs: ports.clock.now() } as const;
  return (
    (await consumeSendAllowance(ports, transaction, { ...notice, isDecoy: true, notifiesOwner: true })) === undefined
  );
}

function recordNameTaken(
  ports: EventPorts,
  transaction: PoolTransaction,
  { pool, client }: PoolAndClient,
  known: UserRecord | undefined,
): Promise<void> {
  const event = { type: 'user.signed_up', pool, user: known, clientId: client.id } as const;
  return recordEvent(ports, transaction, { ...event, outcome: 'failure', details: { reason: 'name_taken' } });
}
