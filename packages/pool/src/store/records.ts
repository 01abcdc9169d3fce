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
  /** 32 random bytes of this pool, encrypted: masks unknown users, signs refresh tokens, keys code digests. */
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
  /** Its secrets, encrypted: none for a public client, two while one is being replaced. */
  readonly secretsEncrypted: readonly string[];
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

/** A domain of a pool (Cognito `DomainDescriptionType`): while the served pool has one, the OAuth endpoints exist. */
export interface DomainRecord {
  /** A prefix or a whole host name; unique over all pools. */
  readonly name: string;
  readonly poolId: string;
  readonly settings: DomainSettings;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

/** An API with scopes of its own (Cognito `ResourceServerType`). A scope is asked for as `{identifier}/{name}`. */
export interface ResourceServerRecord {
  readonly poolId: string;
  readonly identifier: string;
  readonly name: string;
  readonly scopes: readonly ResourceServerScope[];
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
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
  readonly createdAtMs: number;
}

/** What an authorization code stands for. */
export type AuthorizationGrant = Pick<
  OAuthAuthorizationRequest,
  'redirectUri' | 'isRedirectUriSent' | 'scope' | 'isScopeOmitted' | 'nonce' | 'codeChallenge' | 'audience'
> & { readonly authTimeSeconds: number };

/** An authorization code (RFC 6749 §4.1), kept after its use so that a second use is known for what it is. */
export interface AuthorizationCodeRecord {
  /** SHA-256 of the code, hex; the code has 256 random bits. */
  readonly digestHex: string;
  readonly poolId: string;
  readonly clientId: string;
  readonly username: string;
  /** The login that stood behind it: once that has ended the code is worth nothing. */
  readonly sessionLoginId: string;
  readonly authorization: AuthorizationGrant;
  /** The login that its tokens come from, once it was used; null where it gave none. */
  readonly tokenLoginId: string | null;
  readonly usedAtMs: number | null;
  readonly expiresAtMs: number;
  readonly createdAtMs: number;
}

/** The states of a user (Cognito `UserStatusType`) that this pool knows. */
export type UserStatus = 'UNCONFIRMED' | 'CONFIRMED' | 'EXTERNAL_PROVIDER' | 'FORCE_CHANGE_PASSWORD' | 'RESET_REQUIRED';

/** A user. Attribute values are text, as in Cognito: `email_verified` is `"true"` or `"false"`. */
export interface UserRecord {
  readonly poolId: string;
  /** The canonical user name, fixed at creation; it is the identity in SRP. */
  readonly username: string;
  readonly sub: string;
  readonly status: UserStatus;
  readonly enabled: boolean;
  readonly attributes: Readonly<Record<string, string>>;
  /** The second factors that are switched on for this user. */
  readonly mfaMethods: readonly MfaMethod[];
  /** One of {@link mfaMethods}. */
  readonly preferredMfa: MfaMethod | null;
  /** The groups that the user is in, by precedence (none is last), then by name. Read with the user; changed by memberships only. */
  readonly groups: readonly UserGroup[];
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

/** A group as its members carry it. */
export type UserGroup = Pick<GroupRecord, 'name' | 'precedence' | 'roleArn'>;

/** A group of users. */
export interface GroupRecord {
  readonly poolId: string;
  readonly name: string;
  readonly description: string | null;
  /** Lower counts more; null counts least. */
  readonly precedence: number | null;
  readonly roleArn: string | null;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

/** An attribute that users can be searched by (Cognito `ListUsers`). Without case, `username` and `status` apart. */
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

/** One condition on users. `status` is `Enabled` or `Disabled`. */
export interface UserSearch {
  readonly attribute: SearchableAttribute;
  readonly match: 'equals' | 'prefix';
  readonly value: string;
}

/** An event of the audit log, kept until `expiresAtMs`. */
export interface EventRecord extends AuditEvent {
  readonly expiresAtMs: number;
  /**
   * Of what an anonymous request caused: `bounded` is kept while there are not too many newer ones, `counted` until it is counted into a
   * record of its hour. Absent: it is never removed early.
   */
  readonly retention?: 'bounded' | 'counted';
  /**
   * Nobody's `sub`, which is kept in the place of one where the event is about nobody who exists, and is never shown: an index of users
   * takes the event as it takes a user's, which takes as long.
   */
  readonly standInSub?: string;
}

/** A "this was not me" link that was sent. */
export interface NotMeLinkRecord {
  readonly poolId: string;
  readonly username: string;
  /** SHA-256 of the token, hex; the token has 256 random bits. */
  readonly digestHex: string;
  readonly expiresAtMs: number;
}

/** The password of a user, as an SRP verifier only. */
export interface CredentialRecord {
  readonly poolId: string;
  readonly username: string;
  /** The SRP salt as an integer, lower-case hex without leading zeros. */
  readonly saltHex: string;
  /** The SRP verifier, encrypted with a key that is kept outside the database. */
  readonly verifierEncrypted: string;
  /** Set for a temporary password: when it stops working. */
  readonly temporaryUntilMs: number | null;
  readonly setAtMs: number;
  /** 16 random characters, drawn when the password is set; `null` where that was before passwords had one. */
  readonly version: string | null;
}

/** A user with the password that belongs to it; undefined where none is set. */
export interface UserWithCredential {
  readonly user: UserRecord;
  readonly credential: CredentialRecord | undefined;
}

/**
 * A sign-up that waits until its contact is proven. Its user is `UNCONFIRMED`; it ends when that changes, and takes its user along
 * when it expires.
 */
export interface RegistrationRecord {
  readonly poolId: string;
  readonly username: string;
  /** The canonical name that was signed up with: several registrations may wait for one. */
  readonly name: string;
  /** True: the name leads to somebody else until this registration is proven. Its user is in no list, and is found by the own user name only. */
  readonly isAside: boolean;
  /** True once the name was signed up with by others too, with another password: only a session tells them apart. */
  readonly isContested: boolean;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

/** What a code proves. A code of one purpose is worth nothing for another. */
export type CodePurpose = 'sign_up' | 'forgot_password' | 'verify_email' | 'verify_phone_number';

/** A code that was sent to a user. There is one at most per user and purpose: a new one voids the old one. */
export interface CodeRecord {
  readonly poolId: string;
  readonly username: string;
  readonly purpose: CodePurpose;
  /** Keyed digest of the code, hex. */
  readonly digestHex: string;
  readonly channel: 'email' | 'sms';
  /** Where it was sent. A contact that is changed only once it is proven waits here. */
  readonly destination: string;
  readonly expiresAtMs: number;
  readonly createdAtMs: number;
}

/**
 * One login: the family of all tokens that come from one proof (Cognito `origin_jti`).
 * A refresh token is not kept: it names the login and a generation, signed with the pool's secret.
 */
export interface LoginRecord {
  /** The `origin_jti`. */
  readonly id: string;
  readonly poolId: string;
  readonly clientId: string;
  readonly username: string;
  readonly authTimeSeconds: number;
  readonly refreshExpiresAtMs: number;
  /** Which refresh token of the family is the current one; grows by one with each rotation. */
  readonly generation: number;
  readonly rotatedAtMs: number | null;
  readonly revokedAtMs: number | null;
  /**
   * The device that the login was given or proved, or that of the browser where it comes from the authorization endpoint; null where devices
   * are not tracked. It binds refreshes once it is confirmed, but not those of applications.
   */
  readonly deviceKey: string | null;
  /** The address from which it was begun; null where that was not noted. */
  readonly sourceAddress: string | null;
  /** What its access tokens are for, with spaces between; null for a login at the API, whose tokens have the scope of users alone. */
  readonly scope: string | null;
  /** The resource that its access tokens are bound to (RFC 8707); null where they are bound to none. */
  readonly audience: string | null;
  /**
   * The session of a browser, as the `sid` of ID tokens names it: of an application's login the one that it was made through, of the login
   * behind a browser's session the one that it goes on with; null where it began one, and where there is none.
   */
  readonly sessionId: string | null;
  readonly createdAtMs: number;
}

/** An application that is signed in through a browser's session and wants to be told of its end, or have its grants ended then. */
export interface ClientSessionRecord {
  readonly clientId: string;
  /** The `sid` of its ID tokens. */
  readonly sessionId: string;
  readonly poolId: string;
  readonly username: string;
  readonly sub: string;
  /** The login behind the browser's session now: with it the session ends. */
  readonly sessionLoginId: string;
  /** Whether the client's logins end then. */
  readonly endsGrants: boolean;
  /** After this time the row is of no use any more. */
  readonly expiresAtMs: number;
  /** Set once the session has ended: from then on the client is to be told. */
  readonly endedAtMs: number | null;
  readonly tries: number;
  readonly nextTryAtMs: number;
  readonly leasedUntilMs: number;
  /** Why the last try to tell it failed, as a code word. */
  readonly lastFailure: string | null;
}

/** A confirmed device of a user. An issued, unconfirmed key has no record: it lives in its login. */
export interface DeviceRecord {
  readonly poolId: string;
  readonly username: string;
  /** `{region}_{uuid}`; the identity in the device's SRP. */
  readonly key: string;
  readonly groupKey: string;
  readonly name: string | null;
  /** The SRP salt as an integer, lower-case hex without leading zeros. */
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
  /** Base64url; unique in the pool. */
  readonly credentialId: string;
  readonly username: string;
  /** The COSE key (RFC 9052 §7), base64url. */
  readonly publicKey: string;
  /** The signature counter of the last ceremony; 0 where the authenticator counts nothing. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly attachment: 'platform' | 'cross-platform' | null;
  /** The kind of authenticator, a UUID; all zeros where it does not say. */
  readonly aaguid: string;
  /** Given by the service. */
  readonly name: string;
  readonly relyingPartyId: string;
  /** Whether it may be copied to other devices, fixed at registration, and whether it has been. */
  readonly isBackupEligible: boolean;
  readonly isBackedUp: boolean;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
}

/** A started registration of a passkey. There is one at most per user and client: a new one voids the old one. */
export interface PasskeyCeremonyRecord {
  readonly poolId: string;
  readonly username: string;
  readonly clientId: string;
  /** SHA-256 of the challenge, hex. */
  readonly challengeDigestHex: string;
  readonly expiresAtMs: number;
}

/** An authenticator application of a user. A pending one never replaces the active one before it is proven. */
export interface TotpRecord {
  readonly poolId: string;
  readonly username: string;
  readonly state: 'pending' | 'active';
  readonly secretEncrypted: string;
  readonly name: string;
  /** The latest time step whose code was used; none at or before it works again. */
  readonly lastStep: number;
  readonly createdAtMs: number;
}

/** A message that waits for its delivery, or that could not be delivered. A delivered one is gone. */
export interface MessageRecord {
  readonly id: string;
  readonly poolId: string;
  readonly channel: 'email' | 'sms';
  /** Recipient, subject, text and code, encrypted; empty once the message is dead. */
  readonly contentEncrypted: string;
  readonly tries: number;
  /** Not to be tried before. */
  readonly nextTryAtMs: number;
  /** Somebody is at it until then; 0 when nobody is. */
  readonly leasedUntilMs: number;
  /** True from just before the sender is called: what is found so after a crash may have been sent already. */
  readonly handedOver: boolean;
  /** After this time the message is of no use any more. */
  readonly expiresAtMs: number;
  /** Set once it was given up. */
  readonly deadAtMs: number | null;
  /** Why the last try failed, as a code word. */
  readonly lastFailure: string | null;
  readonly createdAtMs: number;
}

/** A pair of keys that signs one kind of token. */
export interface SigningKeyRecord {
  readonly poolId: string;
  readonly kid: string;
  readonly purpose: 'access' | 'id';
  readonly algorithm: 'RS256' | 'ES256';
  /** Modulus and exponent of an RSA key (RFC 7518 §6.3.1), base64url; empty for a key of another kind. */
  readonly n: string;
  readonly e: string;
  /** The coordinates of a point on P-256 (RFC 7518 §6.2.1), base64url; empty for an RSA key. */
  readonly x: string;
  readonly y: string;
  /** PKCS #8 DER, encrypted. */
  readonly privateEncrypted: string;
  readonly createdAtMs: number;
  /** From then on it signs nothing new; it stays published until the last token it signed has expired. */
  readonly retiredAtMs: number | null;
}

/** The state of a guess counter. */
export interface LockoutRecord {
  readonly failures: number;
  /** Guesses are refused until then; 0 when not locked. */
  readonly lockedUntilMs: number;
}

/** What was taken of an allowance. */
export interface AllowanceRecord {
  /** How many, since all were there. */
  readonly taken: number;
  /** When all are there again. */
  readonly expiresAtMs: number;
}

/** A bucket of what may be done so often: it begins full, and gets one more each time that so long has passed, until it is full. */
export interface BucketSize {
  readonly most: number;
  readonly everyMs: number;
}
