import type { AuditEvent, EventType } from '@poolgate/provider';

/** An event of the audit log, stored until `expiresAtMs`. */
export interface EventRecord extends AuditEvent {
  readonly expiresAtMs: number;
  /**
   * For events from anonymous requests. `bounded`: stored unless there are too many newer ones. `counted`: stored until it is aggregated
   * into its hour's record. Absent: never deleted early.
   */
  readonly retention?: 'bounded' | 'counted';
}

/** A filter on events. Omitted members do not filter. */
export interface EventFilter {
  readonly userPoolId: string;
  readonly sub?: string;
  readonly type?: EventType;
}

/** A page of the audit log, newest first. */
export interface EventPage {
  readonly rows: readonly AuditEvent[];
  /** The start of the next page; undefined on the last one. */
  readonly nextCursor: string | undefined;
}

/** The audit log. */
export interface EventRecords {
  /** Writes an event, and a delivery for each webhook that subscribes to its type. */
  append(event: EventRecord): Promise<void>;
  /** The same for something that has happened in any case. If it cannot be written, only the opener of the store is notified. */
  tryAppend(event: EventRecord): Promise<void>;
  /** Reads events after the cursor, newest first, at most `limit`, with one indexed read. */
  page(filter: EventFilter, limit: number, cursor: string | undefined): Promise<EventPage>;
}
