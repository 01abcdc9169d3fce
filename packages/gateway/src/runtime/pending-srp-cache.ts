import { BoundedMap } from '../kernel/bounded-map.ts';

/** What the gateway must remember between the `SRP_A` and the proof. */
export interface PendingSrp {
  /** As it was typed. */
  readonly username: string;
  /** The user's canonical name; of a device its key. */
  readonly userIdForSrp: string;
  /** How `SRP_A` ends, in its canonical form: the value itself would be most of a row that every login writes. */
  readonly srpAEndHex: string;
  /** What the client may send as session, short as it is. */
  readonly handle?: string;
  /** The same, of whatever length: the digest of the client's own token, or of the provider's session. */
  readonly sessionDigestHex?: string;
  /** The private value, where the service made it. Good for one answer. */
  readonly aHex?: string;
  /** Where the provider gave one. */
  readonly providerSession?: string;
}

/**
 * The started logins that this instance itself has stored, by the digest under which they are stored, so that an answer which comes to it
 * again needs no read. Rows never change, and one with a private value, which is taken away by one answer, is never here.
 */
export type PendingSrpCache = BoundedMap<string, CachedPendingSrp>;

interface CachedPendingSrp {
  readonly pending: PendingSrp;
  readonly expiresAtMs: number;
}

/** How many started logins an instance has cached: some megabytes. */
const MAX_STARTED_LOGINS = 10_000;

export function createPendingSrpCache(): PendingSrpCache {
  return new BoundedMap(MAX_STARTED_LOGINS);
}
