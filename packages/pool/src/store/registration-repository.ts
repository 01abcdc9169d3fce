import type { RegistrationRecord } from './records.ts';

/** Reads the registrations of unconfirmed users. */
export interface RegistrationReads {
  /** Returns a user's registration; undefined if the user is confirmed or never registered. */
  byUsername(poolId: string, username: string): Promise<RegistrationRecord | undefined>;
  /** Lists the registrations of a canonical name, oldest first, at most `limit`. The caller must check whether they have expired. */
  listByName(poolId: string, name: string, limit: number): Promise<readonly RegistrationRecord[]>;
}

/** Reads and writes the registrations of unconfirmed users. */
export interface RegistrationRepository extends RegistrationReads {
  /** Stores the registration of an unconfirmed user. It ends automatically when the user's status changes. */
  put(registration: RegistrationRecord): Promise<void>;
  /** Marks all registrations of a name as contested. */
  contest(poolId: string, name: string): Promise<void>;
  /** Deletes the users of all registrations of a name except one. */
  deleteOthers(poolId: string, name: string, exceptUsername: string): Promise<void>;
}
