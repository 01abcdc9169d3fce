import type { Input } from '@poolgate/provider';
import { type Contact, listContacts } from '../identity/contacts.ts';
import type { EventPorts, Transaction } from '../kernel/ports.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';
import { requireSender } from './deliver-after-commit.ts';
import type { CodeMessagePorts, SendersPort } from './delivery-ports.ts';
import { enqueueMessage } from './message-queue.ts';
import { consumeSendAllowance } from './send-limits.ts';

/**
 * Chooses the requested media, or by default the user's first one, email before SMS.
 * @throws {ProviderError} `UnsupportedOperationException`: nothing can be sent there
 */
export function chooseInvitedContacts(
  ports: SendersPort,
  { attributes }: Pick<UserRecord, 'attributes'>,
  { MessageAction, DesiredDeliveryMediums: wanted }: Input<'AdminCreateUser'>,
): readonly Contact[] {
  if (MessageAction === 'SUPPRESS') return [];
  const contacts = listContacts(attributes);
  const mailFirst = contacts.find(({ medium }) => medium === 'EMAIL') ?? contacts[0];
  const chosen = wanted ? contacts.filter(({ medium }) => wanted.includes(medium)) : mailFirst ? [mailFirst] : [];
  for (const { channel } of chosen) requireSender(ports, channel);
  return chosen;
}

/** The content of an invitation and its expiry. */
export interface Invitation {
  readonly user: UserRecord;
  readonly contacts: readonly Contact[];
  readonly typedName: string;
  readonly password: string;
  readonly untilMs: number;
}

/**
 * Queues an invitation in the write that sets the temporary password. It throws if nothing can be sent, so no user is left with a password
 * that was not sent.
 */
export async function queueInvitation(
  ports: CodeMessagePorts & EventPorts,
  transaction: Transaction<'allowances' | 'events' | 'messages'>,
  pool: PoolRecord,
  { user, contacts, typedName, password, untilMs }: Invitation,
): Promise<void> {
  const { username, attributes } = user;
  const nowMs = ports.clock.now();
  for (const contact of contacts) {
    const send = { pool, purpose: 'invitation', username, destination: contact.destination, nowMs } as const;
    const refusal = await consumeSendAllowance(ports, transaction, send);
    if (refusal !== undefined) throw refusal;
    await enqueueMessage(ports, transaction, pool, {
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
