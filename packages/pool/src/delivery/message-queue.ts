/**
 * Messages to users: templates, limits, queue and delivery. A message is stored in the write that causes it. Any replica leases it, marks
 * it as handed over and sends it. Texts are encrypted until they are sent.
 */
import type { Contact } from '../identity/contacts.ts';
import { generateUuid } from '../kernel/identifiers.ts';
import type { KeyRingPort, Transaction } from '../kernel/ports.ts';
import { PLACEHOLDER_KINDS } from '../settings/template-placeholders.ts';
import type { MessageKind } from '../store/pool-and-client-settings.ts';
import type { PoolRecord } from '../store/records.ts';
import { composeMessage } from './compose-message.ts';
import { type CustomMessageSubject, createPendingCustomMessage } from './custom-message.ts';
import type { QueuePorts } from './delivery-ports.ts';
import type { FactorChange } from './languages/factor-changes.ts';
import { encryptMessageContent } from './message-content.ts';

/** A message to send. */
export interface OutgoingMessage {
  readonly kind: MessageKind;
  readonly contact: Pick<Contact, 'channel' | 'destination'>;
  /** The value of `{username}`: the name with which the user signs in. */
  readonly username: string;
  /** The value of `{####}`: the code, the temporary password or the link; empty for none. */
  readonly code: string;
  /** The target of `{##words##}`. */
  readonly link?: string | undefined;
  /** The changes that a notice about sign-in methods names. */
  readonly changes?: readonly FactorChange[] | undefined;
  /** The date that a notice names, in milliseconds since the epoch. */
  readonly dateMs?: number | undefined;
  /** After this time the message is useless. */
  readonly expiresAtMs: number;
  /** The user's `locale` attribute. */
  readonly locale?: string | undefined;
  /** True for a decoy of a user who does not exist. It costs as much as a message and is never sent. */
  readonly discard?: boolean;
  /** The input of a message trigger; undefined to skip the trigger. */
  readonly about?: CustomMessageSubject | undefined;
}

/** A confirmation link also contains a code. */
const SHOWS_CODE: ReadonlySet<string> = new Set(['code', 'linked_words']);

/**
 * Queues a message in the write that it reports, so that both happen or neither. Call `consumeSendAllowance` before it, in the same write,
 * and `deliverAfterCommit` after the write.
 */
export function enqueueMessage(
  ports: QueuePorts & KeyRingPort,
  transaction: Transaction<'messages'>,
  pool: PoolRecord,
  {
    kind,
    contact,
    username,
    code,
    link,
    changes,
    dateMs,
    expiresAtMs,
    locale,
    discard = false,
    about,
  }: OutgoingMessage,
): Promise<void> {
  const { channel, destination } = contact;
  const identity = { id: generateUuid(ports.random), poolId: pool.id, channel };
  const values = { kind, locale, username, code, link };
  const brand = ports.findMailBrand?.(pool.id, ports.triggerInput.ClientId);
  const words = composeMessage(pool.settings, { ...values, changes, dateMs, channel, appName: ports.appName, brand });
  const wording = createPendingCustomMessage(ports, pool, about, values);
  const shown = SHOWS_CODE.has(PLACEHOLDER_KINDS[kind]) ? code : undefined;
  const content = { ...words, to: destination, code: shown, discard, wording };
  const nowMs = ports.clock.now();
  ports.undelivered.isAny = true;
  return transaction.messages.enqueue({
    ...identity,
    contentEncrypted: encryptMessageContent(ports.keyRing, identity, content),
    tries: 0,
    nextTryAtMs: nowMs,
    leasedUntilMs: 0,
    handedOver: false,
    expiresAtMs,
    deadAtMs: null,
    lastFailure: null,
    createdAtMs: nowMs,
  });
}
