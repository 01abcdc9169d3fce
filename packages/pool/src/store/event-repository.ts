import type { EventRecord } from './records.ts';

/** Writes the audit log. */
export interface EventRepository {
  /** Writes an event, and a delivery for each webhook that subscribes to its type. */
  append(event: EventRecord): Promise<void>;
  /**
   * Does the same in a separate write, after this one is committed and before it resolves. If it fails, this write still counts, and the
   * opener of the store is notified.
   */
  appendAfterCommit(event: EventRecord): Promise<void>;
}
