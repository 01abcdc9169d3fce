import { ProviderError } from '@poolgate/provider';
import type { DeliveryPorts, SendersPort } from './delivery-ports.ts';
import type { Channel } from './sender.ts';

/**
 * Call it before anything is written, for operations that must send a message. Otherwise a user could wait for a code that never arrives.
 * @throws {ProviderError} `UnsupportedOperationException`: the channel has no sender
 */
export function requireSender({ senders }: SendersPort, channel: Channel): void {
  if (senders[channel] !== undefined) return;
  throw new ProviderError('UnsupportedOperationException', 'No sender of messages is configured.');
}

/**
 * Call it after a write that queued messages. It resolves at once, so that sending neither delays nor reveals anything; with an immediate
 * sender it resolves when the messages are sent. It never rejects, because failed messages are retried.
 */
export function deliverAfterCommit({ delivery, undelivered }: DeliveryPorts): Promise<void> {
  undelivered.isAny = false;
  return delivery.wake();
}

/** Delivers what an operation queued although it failed, such as the notice to an owner whose codes are being guessed. */
export async function deliverRemainingMessages(ports: DeliveryPorts): Promise<void> {
  if (ports.undelivered.isAny) await deliverAfterCommit(ports);
}
