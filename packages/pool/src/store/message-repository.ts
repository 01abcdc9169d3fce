import type { MessageRecord } from './records.ts';

/** Reads messages. */
export interface MessageReads {
  /** Lists the failed messages of a pool, newest first. */
  listDead(poolId: string, limit: number): Promise<readonly MessageRecord[]>;
}

/** Reads and writes pending and failed messages. */
export interface MessageRepository extends MessageReads {
  enqueue(message: MessageRecord): Promise<void>;
  /**
   * Leases due messages that no one else has leased, oldest first. It includes expired ones, which the caller must mark as failed. No two
   * callers get the same message.
   */
  lease(nowMs: number, leasedUntilMs: number, limit: number): Promise<readonly MessageRecord[]>;
  /** Marks a leased message just before it is given to the sender. False if the lease was lost. */
  handOver(id: string, leasedUntilMs: number): Promise<boolean>;
  /** Deletes a delivered message. */
  delete(id: string): Promise<void>;
  /** Releases a message for a later attempt. */
  postpone(id: string, nextTryAtMs: number, failure: string): Promise<void>;
  /** Marks a message as failed: its content is erased, and its record is kept for inspection. */
  deadLetter(id: string, nowMs: number, failure: string): Promise<void>;
}
