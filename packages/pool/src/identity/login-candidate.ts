import type { CredentialRecord, UserWithCredential } from '../store/records.ts';

/**
 * Whoever a typed name may mean. An unknown name gets a stand-in that looks and costs like a user, so that
 * the same steps run for both; only `found` tells them apart, and it never reaches an answer.
 */
export interface LoginCandidate {
  readonly typedName: string;
  /** The user name, or a decoy one that is the same each time this name is tried. */
  readonly userId: string;
  /** The salt of the password, or a decoy one that is the same each time; hex as integer. */
  readonly saltHex: string;
  /** What the login knows the password again by, see `passwordVersion`. */
  readonly passwordVersion: string;
  /** The password to compare with. Where the user has none it is one that nobody knows: a match proves nothing. */
  readonly credential: CredentialRecord;
  readonly found: UserWithCredential | undefined;
}
