import type { PasskeyCeremonyRecord } from './records.ts';

/** Writes started registrations of passkeys: one a user and client. */
export interface PasskeyCeremonyRepository {
  /** Sets the started registration of its user and client, voiding the one before. */
  put(ceremony: PasskeyCeremonyRecord): Promise<void>;
  /** Takes a started registration away, whichever client began it. Defined for exactly one caller, and only before it expires. */
  take(
    poolId: string,
    username: string,
    challengeDigestHex: string,
    nowMs: number,
  ): Promise<PasskeyCeremonyRecord | undefined>;
}
