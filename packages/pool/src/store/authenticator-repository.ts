import type { TotpRecord } from './records.ts';

/** Reads authenticator applications: a pending and an active one a user. */
export interface AuthenticatorReads {
  byState(poolId: string, username: string, state: TotpRecord['state']): Promise<TotpRecord | undefined>;
}

/** Reads and writes authenticator applications. */
export interface AuthenticatorRepository extends AuthenticatorReads {
  /** Sets the authenticator of its state, replacing the one of the same state. */
  put(totp: TotpRecord): Promise<void>;
  /** Takes an authenticator away. Defined for exactly one caller. */
  take(poolId: string, username: string, state: TotpRecord['state']): Promise<TotpRecord | undefined>;
  /**
   * Uses up a time step of the active authenticator and all before it. Read in the same write that it was not used up before: where another
   * write was faster since, this one fails, and is run again where that can happen.
   */
  useStep(poolId: string, username: string, step: number): Promise<void>;
}
