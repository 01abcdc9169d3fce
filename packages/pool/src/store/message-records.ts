import type { AuditEvent } from '@poolgate/provider';

/** A pending or failed message. Delivered messages are deleted. */
export interface MessageRecord {
  readonly id: string;
  readonly poolId: string;
  readonly channel: 'email' | 'sms';
  /** Recipient, subject, text and code, encrypted; empty once the message has failed. */
  readonly contentEncrypted: string;
  readonly tries: number;
  /** When to try next. */
  readonly nextTryAtMs: number;
  /** When the current lease ends; 0 without a lease. */
  readonly leasedUntilMs: number;
  /** True from just before the sender is called. If it is true after a crash, the message may have been sent. */
  readonly handedOver: boolean;
  /** After this time the message is useless. */
  readonly expiresAtMs: number;
  /** Set once it has failed permanently. */
  readonly deadAtMs: number | null;
  /** Why the last attempt failed, as a code word. */
  readonly lastFailure: string | null;
  readonly createdAtMs: number;
}

/** An event of the audit log, stored until `expiresAtMs`. */
export interface EventRecord extends AuditEvent {
  readonly expiresAtMs: number;
  /**
   * For events from anonymous requests. `bounded`: stored unless there are too many newer ones. `counted`: stored until it is aggregated
   * into its hour's record. Absent: never deleted early.
   */
  readonly retention?: 'bounded' | 'counted';
  /**
   * A `sub` that belongs to no user. It is stored instead of one if the event concerns no existing user, and never shown. The index of
   * users then takes the same time as for a user's event.
   */
  readonly standInSub?: string;
}
