import type { CredentialRecord } from './records.ts';

/** Writes the passwords of users. They are read together with their users. */
export interface CredentialRepository {
  /** Sets or replaces the password of a user. */
  put(credential: CredentialRecord): Promise<void>;
}
