import type { CallContext } from './call-context.ts';
import type { ChallengeName } from './challenges.ts';
import type { ClientExtensionOperations } from './client-extensions.ts';
import type { Federation } from './federation.ts';
import type { OAuthServer } from './oauth-server.ts';
import type { OperationName } from './operations.ts';
import type { TokenState } from './revocation-records.ts';
import type { Operations } from './shapes.ts';
import type { SigningKeyOperations } from './signing-key-operations.ts';

/** An SRP verifier that a client computed, so that the password does not leave the client. */
export interface PasswordVerifier {
  /** The salt as a hexadecimal integer of 16 to 64 bytes. */
  readonly SaltHex: string;
  /** The verifier `g^x mod N` in hexadecimal. */
  readonly VerifierHex: string;
}

/** A login as its user sees it. */
export interface LoginDescription {
  /** The `origin_jti` of its tokens. */
  readonly Id: string;
  /** Its id among the user's sessions (`ListUserSessions`). */
  readonly SessionId: string;
  readonly ClientId: string;
  /** Seconds since the epoch. */
  readonly StartedAt: number;
  /** When its tokens were last refreshed, in seconds since the epoch; absent if never. */
  readonly RefreshedAt?: number;
  readonly ExpiresAt: number;
  readonly DeviceKey?: string;
  /** The address where it started; absent if it was not recorded. */
  readonly SourceAddress?: string;
  /** The browser or program in which it started, as it names itself; absent if unknown. */
  readonly UserAgent?: string;
  /** Whether it belongs to an application that is signed in through OAuth. */
  readonly IsApplication?: true;
}

/** An application that has active logins of a user through OAuth. */
export interface ConnectedApplication {
  readonly ClientId: string;
  readonly ClientName: string;
  readonly Scopes: readonly string[];
  /** The number of its active logins. */
  readonly Grants: number;
  /** When the oldest of them started, in seconds since the epoch. */
  readonly ConnectedAt: number;
  /** When one was last started or refreshed, in seconds since the epoch. */
  readonly LastUsedAt: number;
}

/** A list of passwords that a pool rejects. */
export type PasswordBlocklist = 'common' | 'leaked';

/**
 * Sets passwords without sending them: the client computes the verifier. The client must then enforce the policy and the blocklists,
 * because only it sees the password.
 */
export interface PasswordVerifierOperations {
  /**
   * Returns the SRP identity and a new salt for a password to set. Without `Username` it is for a new user, otherwise for an existing user
   * by any of their names. Unknown names get the decoy identity that a login would show. A new identity is valid in `signUp` for some
   * minutes.
   */
  start(
    input: { readonly ClientId: string; readonly Username?: string },
    call: CallContext,
  ): Promise<{ readonly UserIdForSrp: string; readonly SaltHex: string }>;
  /**
   * Returns the blocklist entries whose SHA-1 starts with `Prefix`, which is five uppercase hexadecimal digits. Each entry has the other 35
   * digits, so the client learns whether a password is on the list, and the service does not learn the password.
   * @throws {ProviderError} `UnsupportedOperationException`: the pool does not accept verifiers, or does not use that list
   */
  range(
    input: { readonly ClientId: string; readonly List: PasswordBlocklist; readonly Prefix: string },
    call: CallContext,
  ): Promise<{ readonly Suffixes: readonly string[] }>;
  /** `SignUp` with a verifier for the identity from `start`. */
  signUp(
    input: Omit<Input<'SignUp'>, 'Password'> & {
      readonly UserIdForSrp: string;
      readonly PasswordVerifier: PasswordVerifier;
    },
    call: CallContext,
  ): Promise<Output<'SignUp'>>;
  /** `ConfirmForgotPassword` with a verifier, and with the session of {@link PasswordResetSessions} if the caller has one. */
  confirmForgotPassword(
    input: Omit<Input<'ConfirmForgotPassword'>, 'Password'> & {
      readonly PasswordVerifier: PasswordVerifier;
      readonly Session?: string;
    },
    call: CallContext,
  ): Promise<Output<'ConfirmForgotPassword'> & CodeLogin>;
  /** `ChangePassword` with a verifier and without the current password. The caller must have checked that the login is recent. */
  changePassword(
    input: { readonly AccessToken: string; readonly PasswordVerifier: PasswordVerifier },
    call: CallContext,
  ): Promise<void>;
}

/**
 * Password resets that strangers cannot disturb. Each request for a code returns a session to the caller. Its code stays valid whatever
 * codes others request, and wrong guesses count only for that session.
 */
export interface PasswordResetSessions {
  /**
   * `ForgotPassword`, with a session for the code that was sent. An unknown user gets one of the same form.
   * @param input `Session`: the session of an earlier code for this user, if the caller has one. Such callers can get more codes. Any other
   *   text is ignored.
   */
  forgotPassword(
    input: Input<'ForgotPassword'> & { readonly Session?: string },
    call: CallContext,
  ): Promise<Output<'ForgotPassword'> & { readonly Session: string }>;
  /**
   * `ConfirmForgotPassword` with the session.
   * @throws {ProviderError} `NotAuthorizedException`, reason `invalid_session`: the session is invalid, or belongs to another user or
   *   client
   */
  confirmForgotPassword(
    input: Input<'ConfirmForgotPassword'> & { readonly Session?: string },
    call: CallContext,
  ): Promise<Output<'ConfirmForgotPassword'> & CodeLogin>;
}

/** How a person who confirms a registration without its session proves the registration's password, or sets a new one. */
export interface RegistrationProof {
  /** The `Session` of the registration, if the person has it. The session of another username is ignored. */
  readonly Session?: string;
  /** The registration's password, or a new one. */
  readonly Password?: string;
  /** The same as a verifier. With the registration's salt it proves the password; with another salt it sets a new one. */
  readonly PasswordVerifier?: PasswordVerifier;
  /** Attributes for a registration that loses its unverified ones. */
  readonly UserAttributes?: Input<'SignUp'>['UserAttributes'];
}

/** What a registration still needs to be confirmed. The code or link was correct and stays valid. */
export interface MissingRegistrationProof {
  /** The SRP identity and the salt of the registration's password; absent if it has none. */
  readonly Password?: { readonly UserIdForSrp: string; readonly SaltHex: string };
  /** Required attributes that must be provided if the password is not proven. */
  readonly Attributes: readonly string[];
}

/** The outcome of a confirmation. */
export interface RegistrationConfirmation extends CodeLogin {
  /** The name of the registration, for the login with {@link CodeLogin.Session}. */
  readonly Username?: string;
  /** Absent if the registration is confirmed. */
  readonly Missing?: MissingRegistrationProof;
}

/** The login of a person who requested a code and then entered it. */
export interface CodeLogin {
  /**
   * The `Session` with which `InitiateAuth` (`USER_AUTH`) continues without another first factor, as after `ConfirmSignUp`. Absent if the
   * request had no session of the code, or if the client does not allow that flow.
   */
  readonly Session?: string;
}

/** The request of an operation, in Cognito's shape. */
export type Input<Name extends OperationName> = Operations[Name]['input'];

/** The response of an operation, in Cognito's shape. */
export type Output<Name extends OperationName> = Operations[Name]['output'];

/**
 * A method for each operation of the port, with the operation's name in camel case. The caller has already enforced the operation's
 * `access`. Except for defects, methods reject only with {@link import('./provider-error.ts').ProviderError}.
 */
export type ProviderOperations = {
  readonly [Name in OperationName as Uncapitalize<Name>]: (
    input: Input<Name>,
    call: CallContext,
  ) => Promise<Output<Name>>;
};

/**
 * Poolgate's operations beyond the Cognito API. A provider has only those that it supports; the names are also the names of the
 * capabilities.
 */
export interface ProviderExtensions {
  /** Ends the login of an access token. Its refresh token and access tokens are refused from then on. */
  readonly end_login: (input: { readonly AccessToken: string }, call: CallContext) => Promise<void>;
  /**
   * Creates ten new recovery codes and invalidates the old ones. A code has only letters and replaces a second factor's code once. The
   * codes are shown only here.
   */
  readonly create_recovery_codes: (
    input: { readonly AccessToken: string },
    call: CallContext,
  ) => Promise<{ readonly Codes: readonly string[] }>;
  /** Returns the number of unused recovery codes. */
  readonly count_recovery_codes: (
    input: { readonly AccessToken: string },
    call: CallContext,
  ) => Promise<{ readonly Left: number }>;
  /** Returns when each of the user's passkeys was last used, in seconds since the epoch. Passkeys that were never used are absent. */
  readonly list_passkey_uses: (
    input: { readonly AccessToken: string },
    call: CallContext,
  ) => Promise<{ readonly LastUsedAt: Readonly<Record<string, number>> }>;
  /** `ListDevices`, with the keys of the page's remembered devices. Cognito shows them only to administrators. */
  readonly list_remembered_devices: (
    input: Input<'ListDevices'>,
    call: CallContext,
  ) => Promise<Output<'ListDevices'> & { readonly Remembered: Readonly<Record<string, boolean>> }>;
  /**
   * Starts a passkey login without a username. `CredentialRequestOptions` is the JSON text of `PublicKeyCredentialRequestOptionsJSON`
   * (WebAuthn Level 3 §5.1.9) without `allowCredentials`, so the authenticator shows all its passkeys. `SecretHash`, here and in the
   * response, uses an empty username.
   */
  readonly start_discoverable_login: (
    input: { readonly ClientId: string; readonly SecretHash?: string },
    call: CallContext,
  ) => Promise<{ readonly Session: string; readonly CredentialRequestOptions: string }>;
  /**
   * Answers it. `Credential` is the JSON text of `AuthenticationResponseJSON` with its `userHandle`. It returns tokens or a further
   * challenge, as after any passkey. An unknown credential has its own error (`ResourceNotFoundException`, reason `passkey_not_found`), so
   * that a client can signal it to the browser.
   */
  readonly finish_discoverable_login: (
    input: {
      readonly ClientId: string;
      readonly Session: string;
      readonly Credential: string;
      readonly SecretHash?: string;
    },
    call: CallContext,
  ) => Promise<Output<'RespondToAuthChallenge'>>;
  readonly reset_sessions: PasswordResetSessions;
  readonly verifier_passwords: PasswordVerifierOperations;
  readonly oauth: OAuthServer;
  readonly federation: Federation;
  readonly client_extensions: ClientExtensionOperations;
  readonly signing_keys: SigningKeyOperations;
  /** The active logins of a user, newest first. */
  readonly list_logins: (
    input: { readonly AccessToken: string; readonly Limit?: number; readonly NextToken?: string },
    call: CallContext,
  ) => Promise<{ readonly Logins: readonly LoginDescription[]; readonly NextToken?: string }>;
  /**
   * Logs in with a password that is checked in process, for a caller that would otherwise speak SRP for the user. The client must therefore
   * allow `USER_SRP_AUTH`, and no trigger sees the password. It continues like a login by SRP.
   * @throws {ProviderError} the errors of `InitiateAuth` and `RespondToAuthChallenge`
   */
  readonly log_in_with_password: (
    input: {
      readonly ClientId: string;
      readonly Username: string;
      readonly Password: string;
      readonly DeviceKey?: string;
      readonly SecretHash?: string;
      /**
       * The `Session` of a registration. While it is unconfirmed, the login compares its password and refuses the login even if it is
       * correct.
       */
      readonly Session?: string;
    },
    call: CallContext,
  ) => Promise<Output<'RespondToAuthChallenge'>>;
  /** Revokes one login of the token's user by either of its ids. Other ids get `ResourceNotFoundException`, reason `login_not_found`. */
  readonly end_login_by_id: (
    input: { readonly AccessToken: string; readonly LoginId: string },
    call: CallContext,
  ) => Promise<Pick<LoginDescription, 'Id'>>;
  /**
   * Disables the account of the token's user, ends every login, and deletes the account after the grace period unless the user signs in
   * and keeps it. Repeating it is impossible, because the token ends too.
   * @returns when the account will be deleted, in seconds since the epoch
   */
  readonly schedule_deletion: (
    input: { readonly AccessToken: string },
    call: CallContext,
  ) => Promise<{ readonly DeletionAt: number }>;
  /** The applications that have active logins of the user through OAuth, the last used first. */
  readonly list_applications: (
    input: { readonly AccessToken: string },
    call: CallContext,
  ) => Promise<{ readonly Applications: readonly ConnectedApplication[] }>;
  /**
   * Revokes every login that an application has of the user through OAuth. Without one it fails with `ResourceNotFoundException`.
   * @returns the ids (`origin_jti`) of the ended logins
   */
  readonly end_application: (
    input: { readonly AccessToken: string; readonly ClientId: string },
    call: CallContext,
  ) => Promise<{ readonly Ended: readonly string[] }>;
  /**
   * Revokes every login of the token's user except the token's own.
   * @returns the ids (`origin_jti`) of the ended logins, and whether the token's own login had to end as well because it could not be
   *   identified
   */
  readonly end_other_logins: (
    input: { readonly AccessToken: string },
    call: CallContext,
  ) => Promise<{ readonly Ended: readonly string[]; readonly OwnEnded: boolean }>;
  /** Revokes every login of a user, removes all second factors and recovery codes, and forgets all remembered devices. */
  readonly reset_mfa: (
    input: { readonly UserPoolId: string; readonly Username: string },
    call: CallContext,
  ) => Promise<void>;
  /**
   * `AdminResetUserPassword` in any state, even if no code can be sent; the result says whether one was. Without a code, an administrator
   * must set a verified contact or another password.
   */
  readonly force_password_reset: (
    input: { readonly UserPoolId: string; readonly Username: string },
    call: CallContext,
  ) => Promise<{ readonly CodeSent: boolean }>;
  /**
   * Handles the "this wasn't me" link in an email. It consumes the token, ends every login and requires a password reset.
   * @throws {ProviderError} `NotAuthorizedException`, reason `invalid_session`: unknown, used or expired
   */
  readonly disown: (
    input: { readonly Token: string },
    call: CallContext,
  ) => Promise<{ readonly Sub: string; readonly Username: string }>;
  /**
   * `ConfirmSignUp` for a person who may not be the one who registered. With the registration's session, its password becomes valid.
   * Without it, the person proves that password or sets a new one. Setting a new one discards unverified attributes.
   * @throws {ProviderError} the errors of `ConfirmSignUp`; `NotAuthorizedException`, reason `invalid_credentials`: the proof of the
   *   password is wrong
   */
  readonly confirm_registration: (
    input: Pick<Input<'ConfirmSignUp'>, 'ClientId' | 'Username' | 'ConfirmationCode'> & RegistrationProof,
    call: CallContext,
  ) => Promise<RegistrationConfirmation>;
  /**
   * The same with the link that the pool emails instead of a code. It confirms only the registration that it was sent for.
   * @throws {ProviderError} as `confirm_registration`; `NotAuthorizedException`, reason `invalid_session`: the token is invalid
   */
  readonly confirm_by_link: (
    input: { readonly Token: string } & RegistrationProof,
    call: CallContext,
  ) => Promise<RegistrationConfirmation>;
}

/** The name of an optional capability of providers. */
export type Capability = keyof ProviderExtensions;

/** A public signing key (RFC 7517) in Cognito's format. */
export type PublicKey = RsaPublicKey | EcPublicKey;

/** A key for RSASSA-PKCS1-v1_5 with SHA-256, the only algorithm of Cognito. */
export interface RsaPublicKey {
  readonly alg: 'RS256';
  readonly kty: 'RSA';
  readonly use: 'sig';
  readonly kid: string;
  /** The public exponent, base64url. */
  readonly e: string;
  /** The modulus, base64url. */
  readonly n: string;
}

/** A key for ECDSA with P-256 and SHA-256. */
export interface EcPublicKey {
  readonly alg: 'ES256';
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly use: 'sig';
  readonly kid: string;
  /** The coordinates of the point, base64url. */
  readonly x: string;
  readonly y: string;
}

/** The algorithm that signs a pool's tokens. */
export type SigningAlgorithm = PublicKey['alg'];

/** The public facts of a user pool. */
export interface PoolDescription {
  readonly userPoolId: string;
  readonly region: string;
  /** The `iss` of its tokens. */
  readonly issuer: string;
  readonly srp: { readonly NHex: string; readonly gHex: string; readonly hash: 'SHA-256' };
  /** The challenges that a login to this pool can return. */
  readonly challenges: readonly ChallengeName[];
  /** The challenges that a login to this pool can start with, for any user: `PASSWORD`, `EMAIL_OTP`, `SMS_OTP`, `WEB_AUTHN`. */
  readonly firstFactors: readonly ChallengeName[];
  /** The relying party of this pool's passkeys (WebAuthn Level 3 §5.4.2); null without one. */
  readonly passkeys: { readonly relyingPartyId: string } | null;
  /** The requirements for a new password; null if unknown. */
  readonly passwordPolicy?: PasswordPolicyFacts | null;
  /** Settings that are stored but have no effect, and whether an operator would rely on them for protection. Absent if unknown. */
  readonly unsupportedSettings?: readonly { readonly setting: string; readonly promisesSecurity: boolean }[];
  /** Whether it accepts the verifier of a new password instead of the password. */
  readonly acceptsVerifiers: boolean;
  /** The pool's MFA settings. */
  readonly mfa: { readonly setup: 'OFF' | 'OPTIONAL' | 'ON'; readonly types: readonly string[] };
}

/** A pool's requirements for new passwords. */
export interface PasswordPolicyFacts {
  /** In code points. */
  readonly minimumLength: number;
  readonly requireUppercase: boolean;
  readonly requireLowercase: boolean;
  readonly requireNumbers: boolean;
  readonly requireSymbols: boolean;
  /** Whether the most common passwords and the user's own names are rejected. */
  readonly refuseCommon: boolean;
  /** Whether leaked passwords are rejected. */
  readonly refuseLeaked: boolean;
}

/** The data about a login in a secret block. */
export interface SecretBlockContent {
  readonly ChallengeName: 'PASSWORD_VERIFIER' | 'DEVICE_PASSWORD_VERIFIER';
  /** As typed at the start. */
  readonly Username: string;
  /** The user's canonical name, or a device's key. */
  readonly UserIdForSrp: string;
  /** The last hexadecimal digits of the matching `SRP_A`, enough to recognize it. */
  readonly SrpAEnd: string;
}

/** An identity provider behind the gateway. */
export interface IdentityProvider {
  readonly operations: ProviderOperations;
  readonly extensions: Partial<ProviderExtensions>;
  /** True if it writes an event with each of its changes. For a provider without events, the caller records its operations. */
  readonly recordsEvents: boolean;
  /**
   * True if it writes the rows of `revocations.ts` together with each login that it ends and each user that it deletes, where API guards
   * read them. For other providers, the caller writes the rows.
   */
  readonly recordsRevocations: boolean;
  /**
   * Returns whether an access token is still valid, for an API guard that has verified its signature. One read serves the guard and the
   * first operation of the same call. If absent, the guard reads the rows of `revocations.ts`.
   * @throws {ProviderError} as operations do for an invalid token
   */
  readonly readTokenState?: (accessToken: string, call: CallContext) => Promise<TokenState>;
  /** Returns the facts of a pool, or undefined if it does not exist. */
  describe(userPoolId: string): Promise<PoolDescription | undefined>;
  /**
   * Returns the public keys that sign this pool's tokens, current and recently retired; undefined if the pool does not exist. The caller
   * caches them and asks again for each unknown key id, including invented ones. A provider with expensive lookups must limit them itself.
   */
  signingKeys(userPoolId: string): Promise<readonly PublicKey[] | undefined>;
  /** Returns the pool id of an app client, or undefined if the client does not exist. */
  poolOfClient(clientId: string): Promise<string | undefined>;
  /**
   * Returns the content of a secret block, if the call that started the login requested it (`carriesSrpStart`). Undefined for a block of
   * another client, for a `Session` of another login, and for text that is not a block. The operation that receives the answer checks
   * whether the block expired or was used. A provider whose blocks are empty always returns undefined.
   */
  readSecretBlock(input: {
    readonly ClientId: string;
    readonly SecretBlock: string;
    readonly Session?: string;
  }): Promise<SecretBlockContent | undefined>;
}
