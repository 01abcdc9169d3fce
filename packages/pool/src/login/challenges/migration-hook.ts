/** The first login of a user from an older system. */
export interface MigrationLogin {
  readonly userPoolId: string;
  readonly clientId: string;
  /** As typed. */
  readonly username: string;
  /** The password, if the login sends it. It is not stored, and the hook must not store it. */
  readonly password: string;
}

/** The older system's data about a user that it accepts. */
export interface MigratedUser {
  readonly attributes: Readonly<Record<string, string>>;
  /** Default true: the sent password becomes the user's password. False: the password must be reset. */
  readonly keepPassword?: boolean;
}

/** Accepts a user of an older system whose password is correct, or returns undefined. */
export type MigrateUserHook = (login: MigrationLogin) => Promise<MigratedUser | undefined>;
