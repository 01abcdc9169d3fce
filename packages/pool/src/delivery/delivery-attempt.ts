import type { MessageRecord } from '../store/records.ts';
import { invokeCustomMessage } from './custom-message.ts';
import type { DeliveryAttemptPorts } from './delivery-ports.ts';
import { decryptMessageContent } from './message-content.ts';
import { computeBackoffMs, MAX_DELIVERY_TRIES } from './retry-backoff.ts';
import { SendFailure } from './send-failure.ts';
import type { Message, Sender } from './sender.ts';

/** The result of one attempt, and how often the message was given to a sender so far. */
export type DeliveryAttemptResult =
  | { readonly result: 'sent'; readonly tries: number }
  | { readonly result: 'retry'; readonly tries: number; readonly failure: string; readonly waitMs: number }
  | { readonly result: 'dead'; readonly tries: number; readonly failure: string };

/** The maximum time to wait for a sender, which is less than the duration of a lease. */
const MAX_SENDING_MS = 30_000;

/** Another instance may have the sender that this one lacks. */
const RETRY_WITHOUT_SENDER_MS = 30_000;

/** Mapping a trigger requires a restart, and another instance may already have the mapping. */
const RETRY_UNMAPPED_MS = 30_000;

/** A message trigger may recover soon. It is retried until the message expires. */
const RETRY_TRIGGER_MS = 20_000;

/**
 * Tries once to deliver a leased message. Nothing is awaited between hand-over and sending.
 * @returns undefined if the lease was lost to another instance
 */
export async function attemptDelivery(
  ports: DeliveryAttemptPorts,
  record: MessageRecord,
): Promise<DeliveryAttemptResult | undefined> {
  const { tries } = record;
  if (record.handedOver) return { result: 'dead', tries, failure: 'in_doubt' };
  if (record.expiresAtMs <= ports.clock.now())
    return { result: 'dead', tries, failure: record.lastFailure ?? 'expired' };
  const content = decryptMessageContent(ports.keyRing, record);
  if (content === undefined) return { result: 'dead', tries, failure: 'unreadable' };
  const { discard, wording, ...words } = content;
  const sender = discard ? DISCARDING_SENDER : ports.senders[record.channel];
  if (sender === undefined) return { result: 'retry', tries, failure: 'no_sender', waitMs: RETRY_WITHOUT_SENDER_MS };
  const reworded = wording === undefined || discard ? undefined : await invokeCustomMessage(ports, record, wording);
  if (reworded === 'refused') return { result: 'dead', tries, failure: 'trigger_refused' };
  if (reworded === 'not_mapped')
    return { result: 'retry', tries, failure: 'trigger_not_mapped', waitMs: RETRY_UNMAPPED_MS };
  if (reworded === 'failed') return { result: 'retry', tries, failure: 'trigger_failed', waitMs: RETRY_TRIGGER_MS };
  const isMine = await ports.store.write((transaction) =>
    transaction.messages.handOver(record.id, record.leasedUntilMs),
  );
  if (!isMine) return undefined;
  const failure = await sendOnce(ports, sender, { ...words, ...reworded, id: record.id, channel: record.channel });
  return failure === undefined ? { result: 'sent', tries: tries + 1 } : toAttemptResult(ports, failure, tries + 1);
}

const DISCARDING_SENDER: Sender = { send: () => Promise.resolve() };

/** Returns the failure; undefined if the message was sent. */
async function sendOnce(
  { timer }: DeliveryAttemptPorts,
  sender: Sender,
  message: Message,
): Promise<SendFailure | undefined> {
  const { promise: tooLate, resolve } = Promise.withResolvers<SendFailure>();
  const abort = new AbortController();
  const forget = timer.after(MAX_SENDING_MS, () => {
    resolve(new SendFailure('timeout', 'unknown'));
    abort.abort();
  });
  try {
    return await Promise.race([sender.send(message, abort.signal).then(() => undefined), tooLate]);
  } catch (error) {
    return error instanceof SendFailure ? error : new SendFailure('sender_defect', 'unknown');
  } finally {
    forget();
  }
}

/** A message whose failure is not certain may have been sent, so it is not sent again. */
function toAttemptResult(
  { random }: DeliveryAttemptPorts,
  { outcome, code: failure }: SendFailure,
  tries: number,
): DeliveryAttemptResult {
  return outcome === 'retry' && tries < MAX_DELIVERY_TRIES
    ? { result: 'retry', tries, failure, waitMs: computeBackoffMs(random, tries) }
    : { result: 'dead', tries, failure };
}
