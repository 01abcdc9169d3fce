/** A pending notification of an application about the end of a session. */
export interface LogoutNoticeRecord {
  readonly clientId: string;
  /** The `sid` of its ID tokens. */
  readonly sessionId: string;
  readonly userPoolId: string;
  readonly sub: string;
  readonly tries: number;
}

type NoticeId = Pick<LogoutNoticeRecord, 'clientId' | 'sessionId'>;

/** Stores the pending logout notifications of applications. */
export interface LogoutNoticeRecords {
  /** Leases due notices that no one else has leased, the longest overdue first. No two callers get the same one. */
  lease(nowMs: number, leasedUntilMs: number, limit: number): Promise<readonly LogoutNoticeRecord[]>;
  /** Deletes a notice that was delivered or has failed. */
  finish(notice: NoticeId): Promise<void>;
  /** Releases a notice for a later attempt, and counts the failed one. */
  postpone(notice: NoticeId, nextTryAtMs: number, failure: string): Promise<void>;
}
