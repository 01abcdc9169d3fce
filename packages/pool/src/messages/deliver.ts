import { ProviderError } from '@poolgate/provider';
import type { Message, PoolContext } from '../context.ts';

/**
 * Hands a message to the sender. Call it once the write that it tells of is settled: what was sent cannot be taken back.
 * @throws {ProviderError} `CodeDeliveryFailureException`: the sender refused; what was written stays
 */
export async function deliver({ sender }: Pick<PoolContext, 'sender'>, message: Message): Promise<void> {
  try {
    await sender.send(message);
  } catch (cause) {
    throw new ProviderError('CodeDeliveryFailureException', 'The message could not be delivered.', { cause });
  }
}
