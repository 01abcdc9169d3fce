import type { AuditEvent, OAuthAuthorizationRequest } from '@poolgate/provider';
import type {
  ClientSettings,
  DomainSettings,
  IdentityProviderSettings,
  MfaMethod,
  PoolSettings,
  ResourceServerScope,
} from './pool-and-client-settings.ts';

/** A user pool. */
export interface PoolRecord {
  /** `{region}_{9 letters and digits}`. */
  readonly id: string;
  readonly name: string;
  readonly region: string;
  readonly settings: PoolSettings;
  /** 32 random bytes of this pool, encrypted. They mask unknown users, sign refresh tokens and key the digests of codes. */
  readonly secretEncrypted: string;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

/** An app client of a pool. */
export interface ClientRecord {
  readonly poolId: string;
  readonly id: string;
  readonly name: string;
  readonly settings: ClientSettings;
  /** Its encrypted secrets: none for a public client, two during a rotation. */
  readonly secretsEncrypted: readonly string[];
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

/** A domain of a pool (Cognito `DomainDescriptionType`). The served pool's OAuth endpoints exist while it has one. */
export interface DomainRecord {
  /** A prefix or a whole host name, unique across all pools. */
  readonly name: string;
  readonly poolId: string;
  readonly settings: DomainSettings;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

/** An API with its own scopes (Cognito `ResourceServerType`). A scope is requested as `{identifier}/{name}`. */
export interface ResourceServerRecord {
  readonly poolId: string;
  readonly identifier: string;
  readonly name: string;
  readonly scopes: readonly ResourceServerScope[];
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

/** The look of the pages of an app client, or of a pool, as Cognito's operations set it. */
export interface BrandingRecord {
  readonly poolId: string;
  /** `ALL`: for every client without its own. */
  readonly clientId: string;
  readonly kind: 'classic' | 'managed';
  /** Cognito's `ManagedLoginBrandingId`. */
  readonly id: string;
  readonly content: ClassicBranding | ManagedBranding;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

/** The look of `SetUICustomization`. */
export interface ClassicBranding {
  readonly css?: string;
  /** The logo, base64. */
  readonly image?: string;
}

/** The style of `CreateManagedLoginBranding`. */
export interface ManagedBranding {
  /** True: the style of pages without a brand. */
  readonly usesDefaults: boolean;
  /** Undefined if none were set. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly assets: readonly BrandingAsset[];
}

/** An image of a style (Cognito `AssetType`). */
export interface BrandingAsset {
  readonly Category: string;
  readonly ColorMode: string;
  readonly Extension: string;
  /** Base64. */
  readonly Bytes?: string;
  readonly ResourceId?: string;
}

/** Another identity provider whose users sign in to a pool (Cognito `IdentityProviderType`). */
export interface IdentityProviderRecord {
  readonly poolId: string;
  readonly name: string;
  readonly settings: IdentityProviderSettings;
  /** The client secret or private key, encrypted. */
  readonly secretEncrypted: string;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

/** An account at another identity provider that signs in a user of the pool. */
export interface FederatedIdentityRecord {
  readonly poolId: string;
  readonly providerName: string;
  /** `Cognito_Subject` for the provider's own id of the account; otherwise the attribute that is compared. */
  readonly attribute: string;
  readonly value: string;
  readonly username: string;
  /** The issuer of the provider at that time. An account of another issuer is another account. */
  readonly issuer: string;
  /** True for the identity that the user was created from, false for one that was linked. */
  readonly isPrimary: boolean;
  /** True where a rule of the provider made the link, and no person. */
  readonly isByRule: boolean;
  readonly createdAtMs: number;
}

/** One resource that was made from an infrastructure file: the id that the file gives it, and ours. */
export interface StackResourceRecord {
  readonly stack: string;
  /** Its name in the file, unique within the stack. */
  readonly logicalId: string;
  /** Such as `UserPool`. */
  readonly type: string;
  /** The pool that it is or belongs to. */
  readonly poolId: string;
  /** Its id within the pool: a client id, the name of a group. */
  readonly physicalId: string;
  /** `pending` from before the call that makes or changes it until the result is known. */
  readonly state: 'pending' | 'applied';
  /** What the file said when it was last applied, without secrets. */
  readonly applied: Readonly<Record<string, unknown>>;
  /** How the resource looked afterwards, without secrets. */
  readonly described: Readonly<Record<string, unknown>>;
  readonly modifiedAtMs: number;
}

/** What an authorization code grants. */
export type AuthorizationGrant = Pick<
  OAuthAuthorizationRequest,
  'redirectUri' | 'isRedirectUriSent' | 'scope' | 'isScopeOmitted' | 'nonce' | 'codeChallenge' | 'audience'
> & {
  readonly authTimeSeconds: number;
  /** Whether the tokens name the level of the login. */
  readonly isLevelRequested?: boolean;
};

/** An authorization code (RFC 6749 §4.1). It is kept after its use, so that a second use is detected. */
export interface AuthorizationCodeRecord {
  /** SHA-256 of the code, hex; the code has 256 random bits. */
  readonly digestHex: string;
  readonly poolId: string;
  readonly clientId: string;
  readonly username: string;
  /** The login from which it was issued. When that login ends, the code is worthless. */
  readonly sessionLoginId: string;
  readonly authorization: AuthorizationGrant;
  /** The login of its tokens, once it was used; null if it issued none. */
  readonly tokenLoginId: string | null;
  readonly usedAtMs: number | null;
  readonly expiresAtMs: number;
  readonly createdAtMs: number;
}

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

/** An event of the audit log, stored until `expiresAtMs`. */
export interface EventRecord extends AuditEvent {
  readonly expiresAtMs: number;
  /**
   * For events from anonymous requests. `bounded`: stored unless there are too many newer ones. `counted`: stored until it is aggregated
   * into its hour's record. Absent: never deleted early.
   */
  readonly retention?: 'bounded' | 'counted';
  /**
   * A `sub` that belongs to no user. It is stored instead of one if the event concerns no existing user, and never shown. The index of
   * users then takes the same time as for a user's event.
   */
  readonly standInSub?: string;
}

/** A "this wasn't me" link that was sent. */
export interface NotMeLinkRecord {
  readonly poolId: string;
  readonly username: string;
  /** SHA-256 of the token in hex. The token has 256 random bits. */
  readonly digestHex: string;
  readonly expiresAtMs: number;
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

/**
 * A login: the family of all tokens from one proof (Cognito `origin_jti`). Refresh tokens are not stored, because they contain the login
 * and a generation, signed with the pool's secret.
 */
export interface LoginRecord {
  /** The `origin_jti`. */
  readonly id: string;
  readonly poolId: string;
  readonly clientId: string;
  readonly username: string;
  readonly authTimeSeconds: number;
  readonly refreshExpiresAtMs: number;
  /** The generation of the current refresh token, which increases with each rotation. */
  readonly generation: number;
  readonly rotatedAtMs: number | null;
  readonly revokedAtMs: number | null;
  /**
   * The device that the login was given or proved, or that of the browser if it comes from the authorization endpoint; null if devices are
   * not tracked. Once confirmed, it binds refreshes, except those of applications.
   */
  readonly deviceKey: string | null;
  /** The address where it started; null if it was not recorded. */
  readonly sourceAddress: string | null;
  /** The browser or program in which it started, as it names itself; null if unknown, and for logins of applications. */
  readonly userAgent: string | null;
  /** The scopes of its access tokens, space-separated; null for an API login, whose tokens have only the scope for users. */
  readonly scope: string | null;
  /** The resource of its access tokens (RFC 8707); null for none. */
  readonly audience: string | null;
  /**
   * The browser session, as the `sid` of ID tokens names it. For an application's login, it is the session that issued it. For the login
   * behind a browser session, it is the session that it continues. Null if it started one, and for logins without a session.
   */
  readonly sessionId: string | null;
  /** How the user proved who they are, as in `amr`, space-separated; null for a login of an earlier release. */
  readonly methods: string | null;
  /** The authentication level that they reached, 1 to 4; null for none. */
  readonly level: number | null;
  /** The `acr` of its tokens, empty for none. Null if no level was requested: then its tokens have neither `acr` nor `amr`. */
  readonly acr: string | null;
  readonly createdAtMs: number;
}

/** An application that is signed in through a browser session, and wants to be notified of its end or have its grants ended. */
export interface ClientSessionRecord {
  readonly clientId: string;
  /** The `sid` of its ID tokens. */
  readonly sessionId: string;
  readonly poolId: string;
  readonly username: string;
  readonly sub: string;
  /** The login behind the browser session. The session ends with it. */
  readonly sessionLoginId: string;
  /** Whether the client's logins end with it. */
  readonly endsGrants: boolean;
  /** After this time the row is useless. */
  readonly expiresAtMs: number;
  /** Set once the session has ended. The client must then be notified. */
  readonly endedAtMs: number | null;
  readonly tries: number;
  readonly nextTryAtMs: number;
  readonly leasedUntilMs: number;
  /** Why the last notification failed, as a code word. */
  readonly lastFailure: string | null;
}

/** A confirmed device of a user. An issued but unconfirmed key has no record; its login contains it. */
export interface DeviceRecord {
  readonly poolId: string;
  readonly username: string;
  /** `{region}_{uuid}`, the SRP identity of the device. */
  readonly key: string;
  readonly groupKey: string;
  readonly name: string | null;
  /** The SRP salt as an integer: lowercase hex without leading zeros. */
  readonly saltHex: string;
  readonly verifierEncrypted: string;
  readonly remembered: boolean;
  readonly lastIp: string | null;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
  readonly lastAuthenticatedAtMs: number;
}

/** A passkey of a user (WebAuthn Level 3 §4, credential record). */
export interface PasskeyRecord {
  readonly poolId: string;
  /** Base64url, unique in the pool. */
  readonly credentialId: string;
  readonly username: string;
  /** The COSE key (RFC 9052 §7), base64url. */
  readonly publicKey: string;
  /** The signature counter of the last ceremony; 0 if the authenticator has none. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly attachment: 'platform' | 'cross-platform' | null;
  /** The kind of authenticator, a UUID; all zeros if unknown. */
  readonly aaguid: string;
  /** Assigned by the service. */
  readonly name: string;
  readonly relyingPartyId: string;
  /** Whether it may be copied to other devices, which is fixed at registration, and whether it was. */
  readonly isBackupEligible: boolean;
  readonly isBackedUp: boolean;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
}

/** A pending passkey registration. There is at most one for each user and client, because a new one invalidates the old one. */
export interface PasskeyCeremonyRecord {
  readonly poolId: string;
  readonly username: string;
  readonly clientId: string;
  /** SHA-256 of the challenge, hex. */
  readonly challengeDigestHex: string;
  readonly expiresAtMs: number;
}

/** An authenticator app of a user. A pending one does not replace the active one until it is verified. */
export interface TotpRecord {
  readonly poolId: string;
  readonly username: string;
  readonly state: 'pending' | 'active';
  readonly secretEncrypted: string;
  readonly name: string;
  /** The latest time step whose code was used. Codes up to this step no longer work. */
  readonly lastStep: number;
  readonly createdAtMs: number;
}

/** A pending or failed message. Delivered messages are deleted. */
export interface MessageRecord {
  readonly id: string;
  readonly poolId: string;
  readonly channel: 'email' | 'sms';
  /** Recipient, subject, text and code, encrypted; empty once the message has failed. */
  readonly contentEncrypted: string;
  readonly tries: number;
  /** When to try next. */
  readonly nextTryAtMs: number;
  /** When the current lease ends; 0 without a lease. */
  readonly leasedUntilMs: number;
  /** True from just before the sender is called. If it is true after a crash, the message may have been sent. */
  readonly handedOver: boolean;
  /** After this time the message is useless. */
  readonly expiresAtMs: number;
  /** Set once it has failed permanently. */
  readonly deadAtMs: number | null;
  /** Why the last attempt failed, as a code word. */
  readonly lastFailure: string | null;
  readonly createdAtMs: number;
}

/** A key pair that signs one kind of token. */
export interface SigningKeyRecord {
  readonly poolId: string;
  readonly kid: string;
  readonly purpose: 'access' | 'id';
  readonly algorithm: 'RS256' | 'ES256';
  /** Modulus and exponent of an RSA key (RFC 7518 §6.3.1), base64url; empty for other keys. */
  readonly n: string;
  readonly e: string;
  /** The coordinates of a point on P-256 (RFC 7518 §6.2.1), base64url; empty for an RSA key. */
  readonly x: string;
  readonly y: string;
  /** PKCS #8 DER, encrypted. */
  readonly privateEncrypted: string;
  readonly createdAtMs: number;
  /** From then on it signs nothing. It stays published until the last token that it signed has expired. */
  readonly retiredAtMs: number | null;
}

/** The state of a guess counter. */
export interface LockoutRecord {
  readonly failures: number;
  /** Until then, guesses are refused; 0 if not locked. */
  readonly lockedUntilMs: number;
}

/** The use of an allowance. */
export interface AllowanceRecord {
  /** How many were taken since it was full. */
  readonly taken: number;
  /** When it is full again. */
  readonly expiresAtMs: number;
}

/** A bucket that limits how often something may happen: it starts full, and refills by one after each interval. */
export interface BucketSize {
  readonly most: number;
  readonly everyMs: number;
}
