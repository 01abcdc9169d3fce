import type { AuditEvent, EventType } from '@poolgate/provider';

/** An event of the audit log, kept until `expiresAtMs`. */
export interface EventRecord extends AuditEvent {
  readonly expiresAtMs: number;
  /**
   * Of what an anonymous request caused: `bounded` is kept while there are not too many newer ones, `counted` until it is counted into a
   * record of its hour. Absent: it is never removed early.
   */
  readonly retention?: 'bounded' | 'counted';
}

/** Which events are asked for. What is left out is not asked. */
export interface EventFilter {
  readonly userPoolId: string;
  readonly sub?: string;
  readonly type?: EventType;
}

/** A page of the audit log, newest first. */
export interface EventPage {
  readonly rows: readonly AuditEvent[];
  /** Where the next page starts; undefined on the last one. */
  readonly nextCursor: string | undefined;
}

/** The audit log. */
export interface EventRecords {
  /** Writes an event, and a delivery for each webhook that listens to its type. */
  append(event: EventRecord): Promise<void>;
  /** The same for what happened whether it is written or not: where it cannot be, whoever opened the store hears of it, and nobody else. */
  tryAppend(event: EventRecord): Promise<void>;
  /** Events, newest first, `limit` at most, after the cursor: one indexed read. */
  page(filter: EventFilter, limit: number, cursor: string | undefined): Promise<EventPage>;
}
