/** An application that is to be told of the end of a session. */
export interface LogoutNoticeRecord {
  readonly clientId: string;
  /** The `sid` of its ID tokens. */
  readonly sessionId: string;
  readonly userPoolId: string;
  readonly sub: string;
  readonly tries: number;
}

type NoticeId = Pick<LogoutNoticeRecord, 'clientId' | 'sessionId'>;

/** Applications that are to be told of the end of sessions. */
export interface LogoutNoticeRecords {
  /** Takes notices that are due and that nobody is at, those due the longest first, and leases them. No two callers get the same one. */
  lease(nowMs: number, leasedUntilMs: number, limit: number): Promise<readonly LogoutNoticeRecord[]>;
  /** Removes a notice that arrived, or was given up. */
  finish(notice: NoticeId): Promise<void>;
  /** Gives a notice back for a later try, which counts one. */
  postpone(notice: NoticeId, nextTryAtMs: number, failure: string): Promise<void>;
}
