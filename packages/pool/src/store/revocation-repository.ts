import type { RevocationRecord } from '@poolgate/provider';

/** Writes the rows by which whoever guards an API refuses access tokens before they expire. */
export interface RevocationRepository {
  /** Of two rows on one subject the later times count. */
  record(revocation: RevocationRecord): Promise<void>;
}
