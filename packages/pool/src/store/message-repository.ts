import type { MessageRecord } from './records.ts';

/** Reads messages. */
export interface MessageReads {
  /** Dead-lettered messages of a pool, newest first. */
  listDead(poolId: string, limit: number): Promise<readonly MessageRecord[]>;
}

/** Reads and writes messages that wait for their delivery, and those that were given up. */
export interface MessageRepository extends MessageReads {
  enqueue(message: MessageRecord): Promise<void>;
  /**
   * Takes messages that are due and that nobody is at, oldest first, and leases them; those that are of no use any more as well, for
   * their caller to give them up. No two callers get the same one.
   */
  lease(nowMs: number, leasedUntilMs: number, limit: number): Promise<readonly MessageRecord[]>;
  /** Marks a leased message just before it is given to the sender. False where the lease was lost. */
  handOver(id: string, leasedUntilMs: number): Promise<boolean>;
  /** Removes a message that was delivered. */
  delete(id: string): Promise<void>;
  /** Gives a message back for a later try. */
  postpone(id: string, nextTryAtMs: number, failure: string): Promise<void>;
  /** Moves a message to the dead letters: its content is erased, the record stays to be seen. */
  deadLetter(id: string, nowMs: number, failure: string): Promise<void>;
}
