import type { CredentialRecord, UserWithCredential } from '../store/records.ts';

/**
 * The user that a typed name may mean. An unknown name gets a decoy that looks and costs like a user, so that the same steps run for both.
 * Only `found` distinguishes them, and it never reaches a response.
 */
export interface LoginCandidate {
  readonly typedName: string;
  /** The username, or a decoy's username that is the same each time this name is used. */
  readonly userId: string;
  /** The salt of the password, or a decoy's constant salt; a hexadecimal integer. */
  readonly saltHex: string;
  /** Lets the login recognize a changed password; see `passwordVersion`. */
  readonly passwordVersion: string;
  /** The password to compare with. For a user without one, it is a password that no one knows, and a match proves nothing. */
  readonly credential: CredentialRecord;
  readonly found: UserWithCredential | undefined;
}
