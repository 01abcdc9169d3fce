import { BoundedMap } from '../kernel/bounded-map.ts';

/** What the gateway must remember between the `SRP_A` and the proof. */
export interface PendingSrp {
  /** As typed. */
  readonly username: string;
  /** The user's canonical name, or a device's key. */
  readonly userIdForSrp: string;
  /** The end of `SRP_A` in its canonical form. The whole value would be most of a row that every login writes. */
  readonly srpAEndHex: string;
  /** A short session of the client. */
  readonly handle?: string;
  /** The same for any length: the digest of the client's own token, or of the provider's session. */
  readonly sessionDigestHex?: string;
  /** The private value, if the service generated it. Single-use. */
  readonly aHex?: string;
  /** The provider's session, if any. */
  readonly providerSession?: string;
}

/**
 * The started logins that this instance has stored, by their digest, so that an answer to the same instance needs no read. Rows never
 * change. Single-use ones with a private value are never cached.
 */
export type PendingSrpCache = BoundedMap<string, CachedPendingSrp>;

interface CachedPendingSrp {
  readonly pending: PendingSrp;
  readonly expiresAtMs: number;
}

/** The capacity of the cache: some megabytes. */
const MAX_STARTED_LOGINS = 10_000;

export function createPendingSrpCache(): PendingSrpCache {
  return new BoundedMap(MAX_STARTED_LOGINS);
}
