import type { PasskeyCeremonyRecord } from './records.ts';

/** Stores pending passkey registrations, one for each user and client. */
export interface PasskeyCeremonyRepository {
  /** Stores a pending registration for its user and client, which invalidates the previous one. */
  put(ceremony: PasskeyCeremonyRecord): Promise<void>;
  /**
   * Removes and returns a pending registration, whichever client started it. Defined for exactly one caller, and only before it expires.
   */
  take(
    poolId: string,
    username: string,
    challengeDigestHex: string,
    nowMs: number,
  ): Promise<PasskeyCeremonyRecord | undefined>;
}
