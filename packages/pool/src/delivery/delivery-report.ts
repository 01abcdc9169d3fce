import type { Channel } from './sender.ts';

/** What became of one try to deliver a message. Nothing of its content, nor who was to get it. */
export interface DeliveryReport {
  readonly messageId: string;
  readonly poolId: string;
  readonly channel: Channel;
  /** `dead`: given up for good, to be seen in the list of dead messages. */
  readonly result: 'sent' | 'postponed' | 'dead';
  /** How often it was tried, this time included. */
  readonly tries: number;
  /** Why, as a snake_case word; null where it was sent. */
  readonly failure: string | null;
}
