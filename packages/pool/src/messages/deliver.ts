import { ProviderError } from '@poolgate/provider';
import type { Channel, PoolContext } from '../context.ts';
import type { PoolRuntime } from '../runtime.ts';

/**
 * Asked for what must send, before anything is written: a user who never gets the code could not go on.
 * @throws {ProviderError} `UnsupportedOperationException`: nothing can be sent over this channel
 */
export function requireSender({ senders }: Pick<PoolContext, 'senders'>, channel: Channel): void {
  if (senders[channel] !== undefined) return;
  throw new ProviderError('UnsupportedOperationException', 'No sender of messages is configured.');
}

/**
 * Call it once a write that queued messages is settled. It resolves at once, so that sending neither delays nor reveals;
 * where a sender is immediate, it resolves when its messages are sent. It never rejects: what fails is tried again.
 */
export function deliverAfterCommit({ delivery, undelivered }: PoolRuntime): Promise<void> {
  undelivered.isAny = false;
  return delivery.wake();
}

/** Delivers what an operation queued although it was refused, such as the notice to an owner whose codes are guessed. */
export async function deliverWhatIsLeft(context: PoolRuntime): Promise<void> {
  if (context.undelivered.isAny) await deliverAfterCommit(context);
}
