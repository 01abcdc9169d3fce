import type { RegistrationRecord } from './records.ts';

/** Reads the registrations of users who are not confirmed yet. */
export interface RegistrationReads {
  /** The registration of a user; undefined where the user is confirmed, or never registered. */
  byUsername(poolId: string, username: string): Promise<RegistrationRecord | undefined>;
  /** The registrations that wait for a canonical name, those that wait longest first, `limit` at most. Whether they have expired is for the caller to ask. */
  listByName(poolId: string, name: string, limit: number): Promise<readonly RegistrationRecord[]>;
}

/** Reads and writes the registrations of users who are not confirmed yet. */
export interface RegistrationRepository extends RegistrationReads {
  /** Sets or replaces the registration of an unconfirmed user. It ends by itself once the user's status is another one. */
  put(registration: RegistrationRecord): Promise<void>;
  /** Marks all registrations that wait for a name as contested. */
  contest(poolId: string, name: string): Promise<void>;
  /** Deletes the users of all registrations that wait for a name, apart from one. */
  deleteOthers(poolId: string, name: string, exceptUsername: string): Promise<void>;
}
