import { ProviderError } from '@poolgate/provider';
import type { Message, PoolContext, Sender } from '../context.ts';

/**
 * The sender, for what must send. Ask before anything is written: a user who never gets the code could not go on.
 * @throws {ProviderError} `UnsupportedOperationException`: there is none
 */
export function requireSender({ sender }: Pick<PoolContext, 'sender'>): Sender {
  if (sender !== undefined) return sender;
  throw new ProviderError('UnsupportedOperationException', 'No sender of messages is configured.');
}

/**
 * Hands a message to the sender. Call it once the write that it tells of is settled: what was sent cannot be taken back.
 * @throws {ProviderError} `CodeDeliveryFailureException`: the sender refused; what was written stays
 */
export async function deliver(context: Pick<PoolContext, 'sender'>, message: Message): Promise<void> {
  const sender = requireSender(context);
  try {
    await sender.send(message);
  } catch (cause) {
    throw new ProviderError('CodeDeliveryFailureException', 'The message could not be delivered.', { cause });
  }
}
