import type { NotMeLinkRecord } from './records.ts';

/** Writes "this was not me" links that were sent. */
export interface NotMeLinkRepository {
  insert(link: NotMeLinkRecord): Promise<void>;
  /** Takes a link away, by its digest. Defined for exactly one caller, and only before it expires. */
  take(digestHex: string, nowMs: number): Promise<NotMeLinkRecord | undefined>;
  /** Removes the links of a user that were sent after one that expires at this time. */
  deleteLater(poolId: string, username: string, expiresAtMs: number): Promise<void>;
}
