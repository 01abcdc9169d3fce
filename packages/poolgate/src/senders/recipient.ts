import { type Message, SendFailure } from '@poolgate/pool';

/**
 * The last look at where a message goes, whatever was checked before: one plain address, or one number, and nothing beside it.
 * @throws {SendFailure} it is not
 */
export function requireRecipient({ to }: Message, isOne: (text: string) => boolean): void {
  if (!isOne(to)) throw new SendFailure('recipient', 'refused');
}
