import type { RevocationRecord } from '@poolgate/provider';

/** What was revoked before its tokens expired. */
export interface RevocationRecords {
  /** Revokes a login or a user's earlier tokens; a later revocation moves the times forward, never back. */
  record(revocation: RevocationRecord): Promise<void>;
  /** What is revoked among these subjects: one indexed read. */
  listBySubjects(userPoolId: string, subjects: readonly string[], nowMs: number): Promise<readonly RevocationRecord[]>;
}
