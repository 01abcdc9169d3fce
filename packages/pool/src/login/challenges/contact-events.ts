import type { Contact } from '../../identity/contacts.ts';
import { recordEvent } from '../../kernel/audit-events.ts';
import type { Transaction } from '../../kernel/ports.ts';
import type { UserRecord } from '../../store/records.ts';
import type { AnswerStep } from './challenge.ts';

/** A user before and after a code that was sent to a contact came back. */
export interface ContactProofChange {
  readonly before: UserRecord;
  readonly after: UserRecord;
  readonly attribute: Contact['attribute'];
  /** True: everything that was proven by others before is gone. */
  readonly areOtherProofsRemoved?: boolean;
}

/** Writes what such a code changed in the user, where it changed anything: at most logins there is nothing to tell. */
export async function recordContactProof(
  { ports, pool, client }: AnswerStep,
  transaction: Transaction<'events'>,
  { before, after, attribute, areOtherProofsRemoved = false }: ContactProofChange,
): Promise<void> {
  const about = { pool, user: after, clientId: client.id };
  const details = areOtherProofsRemoved ? { attribute, removed: 'proofs' } : { attribute };
  const flag = `${attribute}_verified`;
  if (before.attributes[flag] !== after.attributes[flag]) {
    await recordEvent(ports, transaction, { ...about, type: 'user.contact_verified', details });
  }
  if (before.status !== after.status) await recordEvent(ports, transaction, { ...about, type: 'user.confirmed' });
}
