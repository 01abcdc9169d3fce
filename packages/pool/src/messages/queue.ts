import type { KeyRingPort, Transaction } from '../kernel/ports.ts';
import type { MessageKind } from '../settings.ts';
import type { PoolRecord } from '../store/records.ts';
import type { Contact } from '../users/contacts.ts';
import { uuid } from '../users/identifiers.ts';
import { type MessageSubject, triggerWording } from './custom-message.ts';
import type { QueuePorts } from './delivery-ports.ts';
import { encryptContent } from './message-content.ts';
import { PLACEHOLDERS } from './placeholders.ts';
import { compose } from './templates.ts';

/** A message to be sent. */
export interface MessageOrder {
  readonly kind: MessageKind;
  readonly contact: Pick<Contact, 'channel' | 'destination'>;
  /** What stands for `{username}`: the name that the user signs in with. */
  readonly username: string;
  /** What stands for `{####}`: the code, the temporary password, or the link; empty where there is none. */
  readonly code: string;
  /** Where `{##words##}` lead. */
  readonly link?: string | undefined;
  /** After this time the message is of no use any more. */
  readonly expiresAtMs: number;
  /** The user's `locale` attribute. */
  readonly locale?: string | undefined;
  /** True for a stand-in of a user who does not exist: it costs what a message costs, and is never sent. */
  readonly discard?: boolean;
  /** What a trigger that words messages is told; undefined: it is not asked. */
  readonly about?: MessageSubject | undefined;
}

/** A link that confirms holds a code too. */
const SHOWS_CODE: ReadonlySet<string> = new Set(['code', 'linked_words']);

/**
 * Queues a message inside the write that it reports: both are there, or neither. Ask `consumeSendAllowance` before, in the same write,
 * and call `deliverAfterCommit` once the write is settled.
 */
export function enqueueCode(
  ports: QueuePorts & KeyRingPort,
  transaction: Transaction<'messages'>,
  pool: PoolRecord,
  { kind, contact, username, code, link, expiresAtMs, locale, discard = false, about }: MessageOrder,
): Promise<void> {
  const { channel, destination } = contact;
  const identity = { id: uuid(ports.random), poolId: pool.id, channel };
  const values = { kind, locale, username, code, link };
  const words = compose(pool.settings, { ...values, channel, appName: ports.appName });
  const wording = triggerWording(ports, pool, about, values);
  const shown = SHOWS_CODE.has(PLACEHOLDERS[kind]) ? code : undefined;
  const content = { ...words, to: destination, code: shown, discard, wording };
  const nowMs = ports.clock.now();
  ports.undelivered.isAny = true;
  return transaction.messages.enqueue({
    ...identity,
    contentEncrypted: encryptContent(ports.keyRing, identity, content),
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
