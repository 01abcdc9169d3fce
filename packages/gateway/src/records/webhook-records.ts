import type { EventType } from '@poolgate/provider';

/** Where events are posted to. */
export interface WebhookRecord {
  readonly id: string;
  readonly url: string;
  /** The types it listens to; empty is all. */
  readonly events: readonly EventType[];
  /** The Standard Webhooks secret (`whsec_…`), encrypted. */
  readonly secretEncrypted: string;
  readonly description: string;
  readonly createdAtMs: number;
}

/** Where events are posted to. */
export interface WebhookRecords {
  insert(webhook: WebhookRecord): Promise<void>;
  /** All webhooks, oldest first. */
  list(): Promise<readonly WebhookRecord[]>;
  /** Removes a webhook and what is on its way to it. False where there is none. */
  delete(id: string): Promise<boolean>;
}
