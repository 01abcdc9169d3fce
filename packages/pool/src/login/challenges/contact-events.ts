import type { Contact } from '../../identity/contacts.ts';
import { recordEvent } from '../../kernel/audit-events.ts';
import type { Transaction } from '../../kernel/ports.ts';
import type { UserRecord } from '../../store/records.ts';
import type { AnswerStep } from './challenge.ts';

/** A user before and after a code verified one of its contacts. */
export interface ContactProofChange {
  readonly before: UserRecord;
  readonly after: UserRecord;
  readonly attribute: Contact['attribute'];
  /** Whether the code also removed earlier proofs of others. */
  readonly areOtherProofsRemoved?: boolean;
}

/** Records what the code changed about the user. Most logins change nothing and write no event. */
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
