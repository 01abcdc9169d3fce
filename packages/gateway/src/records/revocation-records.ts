import type { RevocationRecord } from '@poolgate/provider';

/** Stores revocations of tokens that have not expired. */
export interface RevocationRecords {
  /** Revokes a login or a user's earlier tokens. A later revocation only moves the times forward. */
  record(revocation: RevocationRecord): Promise<void>;
  /** Lists the revocations of these subjects, with one indexed read. */
  listBySubjects(userPoolId: string, subjects: readonly string[], nowMs: number): Promise<readonly RevocationRecord[]>;
}
