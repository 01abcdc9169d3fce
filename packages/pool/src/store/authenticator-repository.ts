import type { TotpRecord } from './records.ts';

/** Reads authenticator apps: at most a pending and an active one for each user. */
export interface AuthenticatorReads {
  byState(poolId: string, username: string, state: TotpRecord['state']): Promise<TotpRecord | undefined>;
}

/** Reads and writes authenticator apps. */
export interface AuthenticatorRepository extends AuthenticatorReads {
  /** Stores the authenticator, replacing the one with the same state. */
  put(totp: TotpRecord): Promise<void>;
  /** Removes and returns an authenticator. Defined for exactly one caller. */
  take(poolId: string, username: string, state: TotpRecord['state']): Promise<TotpRecord | undefined>;
  /**
   * Consumes a time step of the active authenticator and all earlier ones. The caller has read in the same write that it was unused. If
   * another write was faster, this one fails, and is repeated where possible.
   */
  useStep(poolId: string, username: string, step: number): Promise<void>;
}
