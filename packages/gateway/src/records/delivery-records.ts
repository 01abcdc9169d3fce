import type { AuditEvent } from '@poolgate/provider';

/** The delivery of an event to a webhook. */
export interface DeliveryRecord {
  readonly webhookId: string;
  readonly event: AuditEvent;
  readonly tries: number;
  readonly nextTryAtMs: number;
  /** Set once it has failed permanently. */
  readonly deadAtMs: number | null;
  /** Why the last attempt failed, as a code word. */
  readonly lastFailure: string | null;
}

/** Stores pending and failed webhook deliveries. */
export interface DeliveryRecords {
  /** Leases due deliveries that no one else has leased, the longest overdue first. No two callers get the same one. */
  lease(nowMs: number, leasedUntilMs: number, limit: number): Promise<readonly DeliveryRecord[]>;
  /** Deletes a successful delivery. */
  finish(webhookId: string, eventId: string): Promise<void>;
  /** Releases a delivery for a later attempt, and counts the failed one. */
  postpone(webhookId: string, eventId: string, nextTryAtMs: number, failure: string): Promise<void>;
  /** Marks a delivery as failed after another attempt. It is kept for inspection until its event expires. */
  deadLetter(webhookId: string, eventId: string, nowMs: number, failure: string): Promise<void>;
  /** Lists a webhook's failed deliveries, newest first. */
  listDead(webhookId: string, limit: number): Promise<readonly DeliveryRecord[]>;
}
