import type { EventRecord } from './records.ts';

/** Writes the audit log. */
export interface EventRepository {
  /** Writes an event, and a delivery for each webhook that listens to its type. */
  append(event: EventRecord): Promise<void>;
  /**
   * The same in a write of its own, once this one is committed and before it resolves. Nothing depends on it: where it fails, this
   * write stands, and whoever opened the store hears of it.
   */
  appendAfterCommit(event: EventRecord): Promise<void>;
}
