import type { RevocationRecord } from '@poolgate/provider';

/** Writes the rows with which API guards refuse access tokens before they expire. */
export interface RevocationRepository {
  /** Of two rows for one subject, the later times count. */
  record(revocation: RevocationRecord): Promise<void>;
}
