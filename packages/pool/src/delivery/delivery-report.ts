import type { Channel } from './sender.ts';

/** The result of one attempt to deliver a message. It contains neither content nor recipient. */
export interface DeliveryReport {
  readonly messageId: string;
  readonly poolId: string;
  readonly channel: Channel;
  /** `dead`: permanently failed, and shown in the list of failed messages. */
  readonly result: 'sent' | 'postponed' | 'dead';
  /** The number of attempts so far. */
  readonly tries: number;
  /** The reason as a snake_case code; null if the message was sent. */
  readonly failure: string | null;
}
