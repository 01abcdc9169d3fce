import type { AuditEvent } from '@poolgate/provider';

/** An event on its way to a webhook. */
export interface DeliveryRecord {
  readonly webhookId: string;
  readonly event: AuditEvent;
  readonly tries: number;
  readonly nextTryAtMs: number;
  /** Set once it was given up. */
  readonly deadAtMs: number | null;
  /** Why the last try failed, as a code word. */
  readonly lastFailure: string | null;
}

/** Events on their way to webhooks, and those that were given up. */
export interface DeliveryRecords {
  /** Takes deliveries that are due and that nobody is at, those due the longest first, and leases them. No two callers get the same one. */
  lease(nowMs: number, leasedUntilMs: number, limit: number): Promise<readonly DeliveryRecord[]>;
  /** Removes a delivery that arrived. */
  finish(webhookId: string, eventId: string): Promise<void>;
  /** Gives a delivery back for a later try, which counts one. */
  postpone(webhookId: string, eventId: string, nextTryAtMs: number, failure: string): Promise<void>;
  /** Gives a delivery up, after a try that counts one; it stays to be seen until its event expires. */
  deadLetter(webhookId: string, eventId: string, nowMs: number, failure: string): Promise<void>;
  /** Deliveries of a webhook that were given up, newest first. */
  listDead(webhookId: string, limit: number): Promise<readonly DeliveryRecord[]>;
}
