import type { NotMeLinkRecord } from './records.ts';

/** Stores the "this wasn't me" links that were sent. */
export interface NotMeLinkRepository {
  insert(link: NotMeLinkRecord): Promise<void>;
  /** Removes and returns a link by its digest. Defined for exactly one caller, and only before it expires. */
  take(digestHex: string, nowMs: number): Promise<NotMeLinkRecord | undefined>;
  /** Deletes the links of a user that were sent after one that expires at this time. */
  deleteLater(poolId: string, username: string, expiresAtMs: number): Promise<void>;
}
