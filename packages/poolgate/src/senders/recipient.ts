import { type Message, SendFailure } from '@poolgate/pool';

/**
 * The last check of the recipient, whatever was checked before: exactly one plain address or one number.
 * @throws {SendFailure} the recipient is something else
 */
export function requireRecipient({ to }: Message, isOne: (text: string) => boolean): void {
  if (!isOne(to)) throw new SendFailure('recipient', 'refused');
}
