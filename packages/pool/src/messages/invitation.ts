import type { Input } from '@poolgate/provider';
import type { PoolRuntime } from '../runtime.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';
import { type Contact, contactsOf } from '../users/contacts.ts';
import { requireSender } from './deliver.ts';
import { enqueueCode } from './queue.ts';
import { consumeSendAllowance } from './send-limit.ts';

/**
 * Over the media that were asked for; where none was, over the first one that the user has, mail before SMS.
 * @throws {ProviderError} `UnsupportedOperationException`: nothing can be sent there
 */
export function invitedContacts(
  context: PoolRuntime,
  { attributes }: Pick<UserRecord, 'attributes'>,
  { MessageAction, DesiredDeliveryMediums: wanted }: Input<'AdminCreateUser'>,
): readonly Contact[] {
  if (MessageAction === 'SUPPRESS') return [];
  const contacts = contactsOf(attributes);
  const mailFirst = contacts.find(({ medium }) => medium === 'EMAIL') ?? contacts[0];
  const chosen = wanted ? contacts.filter(({ medium }) => wanted.includes(medium)) : mailFirst ? [mailFirst] : [];
  for (const { channel } of chosen) requireSender(context, channel);
  return chosen;
}

/** What an invited user is told, and until when it is of use. */
export interface Invitation {
  readonly user: UserRecord;
  readonly contacts: readonly Contact[];
  readonly typedName: string;
  readonly password: string;
  readonly untilMs: number;
}

/** Queues an invitation in the write that sets the temporary password. Refused by throwing: nobody is left with a password that was not sent. */
export async function invite(
  context: PoolRuntime,
  transaction: PoolTransaction,
  pool: PoolRecord,
  { user, contacts, typedName, password, untilMs }: Invitation,
): Promise<void> {
  const { username, attributes } = user;
  const nowMs = context.clock.now();
  for (const contact of contacts) {
    const send = { pool, purpose: 'invitation', username, destination: contact.destination, nowMs } as const;
    const refusal = await consumeSendAllowance(context, transaction, send);
    if (refusal !== undefined) throw refusal;
    await enqueueCode(context, transaction, pool, {
      kind: 'invitation',
      contact,
      username: typedName,
      code: password,
      expiresAtMs: untilMs,
      locale: attributes.locale,
      about: { userName: username, source: 'CustomMessage_AdminCreateUser' },
    });
  }
}
