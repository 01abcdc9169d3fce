import type { MfaMethod } from './pool-and-client-settings.ts';

/** The states of a user (Cognito `UserStatusType`) that this pool uses. */
export type UserStatus = 'UNCONFIRMED' | 'CONFIRMED' | 'EXTERNAL_PROVIDER' | 'FORCE_CHANGE_PASSWORD' | 'RESET_REQUIRED';

/** A user. Attribute values are strings, as in Cognito: `email_verified` is `"true"` or `"false"`. */
export interface UserRecord {
  readonly poolId: string;
  /** The canonical username, fixed at creation. It is the SRP identity. */
  readonly username: string;
  readonly sub: string;
  readonly status: UserStatus;
  readonly enabled: boolean;
  readonly attributes: Readonly<Record<string, string>>;
  /** The second factors that are enabled for this user. */
  readonly mfaMethods: readonly MfaMethod[];
  /** One of {@link mfaMethods}. */
  readonly preferredMfa: MfaMethod | null;
  /** The user's groups, by precedence (none comes last), then by name. Read with the user; only memberships change it. */
  readonly groups: readonly UserGroup[];
  /** When the account is deleted because its user asked for that; null if not. Until then it is as good as disabled. */
  readonly deletionAtMs: number | null;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

/** A group as its members contain it. */
export type UserGroup = Pick<GroupRecord, 'name' | 'precedence' | 'roleArn'>;

/** A group of users. */
export interface GroupRecord {
  readonly poolId: string;
  readonly name: string;
  readonly description: string | null;
  /** Lower values take precedence; null comes last. */
  readonly precedence: number | null;
  readonly roleArn: string | null;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

/** An attribute by which users can be searched (Cognito `ListUsers`). Case is ignored, except for `username` and `status`. */
export type SearchableAttribute =
  | 'username'
  | 'sub'
  | 'email'
  | 'phone_number'
  | 'name'
  | 'given_name'
  | 'family_name'
  | 'preferred_username'
  | 'cognito:user_status'
  | 'status';

/** A condition on users. `status` is `Enabled` or `Disabled`. */
export interface UserSearch {
  readonly attribute: SearchableAttribute;
  readonly match: 'equals' | 'prefix';
  readonly value: string;
}

/** The password of a user, as an SRP verifier only. */
export interface CredentialRecord {
  readonly poolId: string;
  readonly username: string;
  /** The SRP salt as an integer: lowercase hex without leading zeros. */
  readonly saltHex: string;
  /** The SRP verifier, encrypted with a key that is stored outside the database. */
  readonly verifierEncrypted: string;
  /** Set for a temporary password: when it expires. */
  readonly temporaryUntilMs: number | null;
  readonly setAtMs: number;
  /** 16 random characters, generated when the password is set; `null` for passwords from before versions existed. */
  readonly version: string | null;
}

/** A user with its password; undefined if none is set. */
export interface UserWithCredential {
  readonly user: UserRecord;
  readonly credential: CredentialRecord | undefined;
}

/**
 * A sign-up that waits for the verification of its contact. Its user is `UNCONFIRMED`. It ends when that changes, and deletes its user when
 * it expires.
 */
export interface RegistrationRecord {
  readonly poolId: string;
  readonly username: string;
  /** The canonical name of the sign-up. Several registrations may wait for one name. */
  readonly name: string;
  /**
   * True if the name belongs to another user until this registration is verified. Its user is in no list and can be found only by the own
   * username.
   */
  readonly isAside: boolean;
  /** True once others signed up with the name and another password. Only a session distinguishes them. */
  readonly isContested: boolean;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

/** What a code proves. A code of one purpose is worthless for another. */
export type CodePurpose = 'sign_up' | 'forgot_password' | 'verify_email' | 'verify_phone_number';

/** A code that was sent to a user. There is at most one for each user and purpose, because a new one invalidates the old one. */
export interface CodeRecord {
  readonly poolId: string;
  readonly username: string;
  readonly purpose: CodePurpose;
  /** Keyed digest of the code in hex. */
  readonly digestHex: string;
  readonly channel: 'email' | 'sms';
  /** Where it was sent. A contact that is changed only after its verification waits here. */
  readonly destination: string;
  readonly expiresAtMs: number;
  readonly createdAtMs: number;
}

/** A "this wasn't me" link that was sent. */
export interface NotMeLinkRecord {
  readonly poolId: string;
  readonly username: string;
  /** SHA-256 of the token in hex. The token has 256 random bits. */
  readonly digestHex: string;
  readonly expiresAtMs: number;
}
