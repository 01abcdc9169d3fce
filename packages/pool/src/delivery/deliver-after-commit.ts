import { ProviderError } from '@poolgate/provider';
import type { DeliveryPorts, SendersPort } from './delivery-ports.ts';
import type { Channel } from './sender.ts';

/**
 * Asked for what must send, before anything is written: a user who never gets the code could not go on.
 * @throws {ProviderError} `UnsupportedOperationException`: nothing can be sent over this channel
 */
export function requireSender({ senders }: SendersPort, channel: Channel): void {
  if (senders[channel] !== undefined) return;
  throw new ProviderError('UnsupportedOperationException', 'No sender of messages is configured.');
}

/**
 * Call it once a write that queued messages is settled. It resolves at once, so that sending neither delays nor reveals;
 * where a sender is immediate, it resolves when its messages are sent. It never rejects: what fails is tried again.
 */
export function deliverAfterCommit({ delivery, undelivered }: DeliveryPorts): Promise<void> {
  undelivered.isAny = false;
  return delivery.wake();
}

/** Delivers what an operation queued although it was refused, such as the notice to an owner whose codes are guessed. */
export async function deliverRemainingMessages(ports: DeliveryPorts): Promise<void> {
  if (ports.undelivered.isAny) await deliverAfterCommit(ports);
}
