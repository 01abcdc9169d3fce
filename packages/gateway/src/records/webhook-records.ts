import type { EventType } from '@poolgate/provider';

/** A URL to which events are posted. */
export interface WebhookRecord {
  readonly id: string;
  readonly url: string;
  /** The types to which it subscribes; empty for all. */
  readonly events: readonly EventType[];
  /** The Standard Webhooks secret (`whsec_…`), encrypted. */
  readonly secretEncrypted: string;
  readonly description: string;
  readonly createdAtMs: number;
}

/** Stores webhooks. */
export interface WebhookRecords {
  insert(webhook: WebhookRecord): Promise<void>;
  /** All webhooks, oldest first. */
  list(): Promise<readonly WebhookRecord[]>;
  /** Deletes a webhook and its pending deliveries. False if it does not exist. */
  delete(id: string): Promise<boolean>;
}
