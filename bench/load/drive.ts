/** A user that can log in. */
export interface Account {
  readonly username: string;
  readonly password: string;
  /** A remembered device, and its secret. */
  readonly device?: { readonly key: string; readonly groupKey: string; readonly secret: string };
  /** The secret of an authenticator, base32. */
  readonly totpSecret?: string;
  /** The tokens of a login. */
  readonly tokens?: { readonly access: string; readonly refresh: string };
  /** The cookie of a browser session. */
  readonly cookie?: string;
  /** A passkey: its private key as PKCS #8 in PEM. */
  readonly passkey?: { readonly id: string; readonly userHandle: string; readonly privateKeyPem: string };
}

/** The target of the load: plain data, because it travels between processes. */
export interface Target {
  readonly url: string;
  readonly accounts: readonly Account[];
  /** For the drives of a user pool. */
  readonly userPoolId?: string;
  readonly clientId?: string;
  /** The bearer form of an admin key. */
  readonly adminBearer?: string;
  /** For the drives of an authorization server. */
  readonly oauth?: {
    readonly authorizeUrl: string;
    readonly tokenUrl: string;
    readonly clientId: string;
    readonly clientSecret?: string;
  };
}

/** Creates the shared memory of the clients, and returns what one client repeats with one account. */
export type Drive = (target: Target) => (account: Account) => Promise<void>;
