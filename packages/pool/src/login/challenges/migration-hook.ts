/** A user of an older system, at the first login. */
export interface MigrationLogin {
  readonly userPoolId: string;
  readonly clientId: string;
  /** As it was typed. */
  readonly username: string;
  /** Only where the login form itself carries it. It is not kept, and must not be. */
  readonly password: string;
}

/** What an older system knows of a user whom it admits. */
export interface MigratedUser {
  readonly attributes: Readonly<Record<string, string>>;
  /** Default true: the password that was sent becomes the user's. False: it has to be reset. */
  readonly keepPassword?: boolean;
}

/** Admits a user of an older system whose password is right, or answers undefined. */
export type MigrateUserHook = (login: MigrationLogin) => Promise<MigratedUser | undefined>;
