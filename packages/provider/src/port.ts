import type { CallContext } from './call-context.ts';
import type { ChallengeName } from './challenges.ts';
import type { ClientExtensionOperations } from './client-extensions.ts';
import type { OAuthServer } from './oauth-server.ts';
import type { OperationName } from './operations.ts';
import type { TokenState } from './revocation-records.ts';
import type { Operations } from './shapes.ts';
import type { SigningKeyOperations } from './signing-key-operations.ts';

/** An SRP verifier that a client made of a password, so that the password stays with it. */
export interface PasswordVerifier {
  /** The salt as an integer, hexadecimal, 16 to 64 bytes. */
  readonly SaltHex: string;
  /** The verifier `g^x mod N`, hexadecimal. */
  readonly VerifierHex: string;
}

/** One login of a user as its owner sees it. */
export interface LoginDescription {
  /** The `origin_jti` of its tokens. */
  readonly Id: string;
  /** Its id among the user's sessions (`ListUserSessions`). */
  readonly SessionId: string;
  readonly ClientId: string;
  /** Seconds since the epoch. */
  readonly StartedAt: number;
  /** When its tokens were renewed last, in seconds since the epoch; absent where they never were. */
  readonly RefreshedAt?: number;
  readonly ExpiresAt: number;
  readonly DeviceKey?: string;
  /** Where it was begun; absent where that was not noted. */
  readonly SourceAddress?: string;
}

/** A list of passwords that a pool refuses. */
export type PasswordBlocklist = 'common' | 'leaked';

/**
 * Passwords that are set without being sent: the client makes the verifier. Policy and blocklist are then the client's to
 * keep, because nobody else sees the password.
 */
export interface PasswordVerifierOperations {
  /**
   * The SRP identity and a fresh salt for a password that is to be set: of a new user where `Username` is absent, of an existing
   * one by any of its names, with a decoy identity where nobody has that name (the one that a login would show).
   * A new identity works in `signUp` for some minutes.
   */
  start(
    input: { readonly ClientId: string; readonly Username?: string },
    call: CallContext,
  ): Promise<{ readonly UserIdForSrp: string; readonly SaltHex: string }>;
  /**
   * The entries of a list of refused passwords whose SHA-1 begins with `Prefix`: five upper-case hexadecimal digits. Of each the other 35
   * digits are given, so that the client learns whether a password is on the list and the service does not learn the password.
   * @throws {ProviderError} `UnsupportedOperationException`: the pool takes no verifiers, or does not refuse the passwords of that list
   */
  range(
    input: { readonly ClientId: string; readonly List: PasswordBlocklist; readonly Prefix: string },
    call: CallContext,
  ): Promise<{ readonly Suffixes: readonly string[] }>;
  /** `SignUp` with a verifier for the identity of `start`. */
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
  ): Promise<Output<'ConfirmForgotPassword'>>;
  /** `ChangePassword` with a verifier, and without the old password: whoever calls has seen to a recent login. */
  changePassword(
    input: { readonly AccessToken: string; readonly PasswordVerifier: PasswordVerifier },
    call: CallContext,
  ): Promise<void>;
}

/**
 * Password resets that a stranger cannot disturb: each request for a code gives the caller a session, whose code stays valid whatever
 * codes others ask for, and whose wrong guesses count for that session alone.
 */
export interface PasswordResetSessions {
  /**
   * `ForgotPassword`, with a session for the code that was sent. An unknown user gets one of the same form.
   * @param input `Session`: the one of an earlier code for this user, if the caller has it. More codes are sent to such a caller. Any other
   *   text counts as none.
   */
  forgotPassword(
    input: Input<'ForgotPassword'> & { readonly Session?: string },
    call: CallContext,
  ): Promise<Output<'ForgotPassword'> & { readonly Session: string }>;
  /**
   * `ConfirmForgotPassword` with the session.
   * @throws {ProviderError} `NotAuthorizedException`, reason `invalid_session`: a session of another user or client, or none at all
   */
  confirmForgotPassword(
    input: Input<'ConfirmForgotPassword'> & { readonly Session?: string },
    call: CallContext,
  ): Promise<Output<'ConfirmForgotPassword'>>;
}

/** How a person who confirms a registration without its session shows that the password is theirs, or sets another one. */
export interface RegistrationProof {
  /** The `Session` of the registration, where the person has it. One of another name counts for nothing. */
  readonly Session?: string;
  /** The registration's password, or a new one. */
  readonly Password?: string;
  /** The same as a verifier: made with the salt of the registration it proves the password, with another salt it sets a new one. */
  readonly PasswordVerifier?: PasswordVerifier;
  /** Attributes for a registration that loses those that nobody proved. */
  readonly UserAttributes?: Input<'SignUp'>['UserAttributes'];
}

/** What is missing before a registration can be confirmed. The code, or the link, was right and stays valid. */
export interface MissingRegistrationProof {
  /** The SRP identity and the salt of the registration's password; absent where it has none. */
  readonly Password?: { readonly UserIdForSrp: string; readonly SaltHex: string };
  /** Required attributes that have to be given where the password is not proven. */
  readonly Attributes: readonly string[];
}

/** The outcome of a confirmation. */
export interface RegistrationConfirmation {
  /** Absent: the registration is confirmed. */
  readonly Missing?: MissingRegistrationProof;
}

/** The request of an operation, in Cognito's shape. */
export type Input<Name extends OperationName> = Operations[Name]['input'];

/** The response of an operation, in Cognito's shape. */
export type Output<Name extends OperationName> = Operations[Name]['output'];

/**
 * One method for each operation of the port, named as the operation in camel case.
 * Whoever calls has already enforced the operation's `access` row.
 * Every method rejects with {@link import('./provider-error.ts').ProviderError} and nothing else, defects apart.
 */
export type ProviderOperations = {
  readonly [Name in OperationName as Uncapitalize<Name>]: (
    input: Input<Name>,
    call: CallContext,
  ) => Promise<Output<Name>>;
};

/**
 * What Poolgate offers beyond the Cognito API. A provider has only those that it can do;
 * a name in here is at the same time the name of the capability.
 */
export interface ProviderExtensions {
  /** Ends the login to which an access token belongs: its refresh token and its access tokens are refused from then on. */
  readonly end_login: (input: { readonly AccessToken: string }, call: CallContext) => Promise<void>;
  /**
   * Draws ten new recovery codes and voids the old ones. A code is letters only, and is accepted once in place of a
   * second factor's code. They are shown here and never again.
   */
  readonly create_recovery_codes: (
    input: { readonly AccessToken: string },
    call: CallContext,
  ) => Promise<{ readonly Codes: readonly string[] }>;
  /** How many recovery codes are left. */
  readonly count_recovery_codes: (
    input: { readonly AccessToken: string },
    call: CallContext,
  ) => Promise<{ readonly Left: number }>;
  /** When each of the user's passkeys was used last, in seconds since the epoch; one that was never used is absent. */
  readonly list_passkey_uses: (
    input: { readonly AccessToken: string },
    call: CallContext,
  ) => Promise<{ readonly LastUsedAt: Readonly<Record<string, number>> }>;
  /** `ListDevices`, and which of the page's devices are remembered, by key: Cognito tells only administrators. */
  readonly list_remembered_devices: (
    input: Input<'ListDevices'>,
    call: CallContext,
  ) => Promise<Output<'ListDevices'> & { readonly Remembered: Readonly<Record<string, boolean>> }>;
  /**
   * Starts a passkey login that names no user. `CredentialRequestOptions` is the JSON text of
   * `PublicKeyCredentialRequestOptionsJSON` (WebAuthn Level 3 §5.1.9) without `allowCredentials`: the authenticator shows what it has.
   * `SecretHash`, here and in the answer, is made of the empty user name.
   */
  readonly start_discoverable_login: (
    input: { readonly ClientId: string; readonly SecretHash?: string },
    call: CallContext,
  ) => Promise<{ readonly Session: string; readonly CredentialRequestOptions: string }>;
  /**
   * Answers it. `Credential` is the JSON text of `AuthenticationResponseJSON` with its `userHandle`. What follows is what
   * follows a passkey in any login: tokens, or a further challenge. A credential that nobody has is told apart
   * (`ResourceNotFoundException`, reason `passkey_not_found`), so that a client may signal it as unknown.
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
  readonly client_extensions: ClientExtensionOperations;
  readonly signing_keys: SigningKeyOperations;
  /** The active logins of a user, newest first. */
  readonly list_logins: (
    input: { readonly AccessToken: string; readonly Limit?: number; readonly NextToken?: string },
    call: CallContext,
  ) => Promise<{ readonly Logins: readonly LoginDescription[]; readonly NextToken?: string }>;
  /**
   * Logs in with a password that is checked in process, for a caller that would otherwise speak SRP with the provider on the user's behalf:
   * so the client must allow `USER_SRP_AUTH`, and no hook is shown the password. What follows is what follows SRP.
   * @throws {ProviderError} the refusals of `InitiateAuth` and `RespondToAuthChallenge`
   */
  readonly log_in_with_password: (
    input: {
      readonly ClientId: string;
      readonly Username: string;
      readonly Password: string;
      readonly DeviceKey?: string;
      readonly SecretHash?: string;
      /** The `Session` of a registration: while that is not confirmed, its own password is compared, and refused where it is right. */
      readonly Session?: string;
    },
    call: CallContext,
  ) => Promise<Output<'RespondToAuthChallenge'>>;
  /**
   * Revokes one login of the token's user, by either of its ids. One that is not the user's is `ResourceNotFoundException`, reason
   * `login_not_found`.
   */
  readonly end_login_by_id: (
    input: { readonly AccessToken: string; readonly LoginId: string },
    call: CallContext,
  ) => Promise<Pick<LoginDescription, 'Id'>>;
  /**
   * Revokes every login of the token's user but the one of the token.
   * @returns the ids (`origin_jti`) of those that ended, and whether the token's own had to end with them, where it is not known which it is
   */
  readonly end_other_logins: (
    input: { readonly AccessToken: string },
    call: CallContext,
  ) => Promise<{ readonly Ended: readonly string[]; readonly OwnEnded: boolean }>;
  /** Revokes every login of a user, and takes every second factor and every recovery code away from a user; no device of it is remembered any more. */
  readonly reset_mfa: (
    input: { readonly UserPoolId: string; readonly Username: string },
    call: CallContext,
  ) => Promise<void>;
  /**
   * `AdminResetUserPassword` from any state, also for whom no code can be sent to: says whether one was. Who got none is let in again by
   * an administrator, who gives a verified contact or another password.
   */
  readonly force_password_reset: (
    input: { readonly UserPoolId: string; readonly Username: string },
    call: CallContext,
  ) => Promise<{ readonly CodeSent: boolean }>;
  /**
   * The "this was not me" link of a mail to the owner: uses its token up, ends every login, and asks for a reset of the password.
   * @throws {ProviderError} `NotAuthorizedException`, reason `invalid_session`: unknown, used or expired
   */
  readonly disown: (
    input: { readonly Token: string },
    call: CallContext,
  ) => Promise<{ readonly Sub: string; readonly Username: string }>;
  /**
   * `ConfirmSignUp` for a person who need not be the one who registered. With the registration's session its password becomes valid. Without it
   * the person proves that password or sets a new one, and setting a new one drops what nobody proved.
   * @throws {ProviderError} the refusals of `ConfirmSignUp`; `NotAuthorizedException`, reason `invalid_credentials`: the proof of the password is wrong
   */
  readonly confirm_registration: (
    input: Pick<Input<'ConfirmSignUp'>, 'ClientId' | 'Username' | 'ConfirmationCode'> & RegistrationProof,
    call: CallContext,
  ) => Promise<RegistrationConfirmation>;
  /**
   * The same by the link that the pool mails instead of a code: it confirms the registration that it was sent for.
   * @throws {ProviderError} as `confirm_registration`; `NotAuthorizedException`, reason `invalid_session`: a token that nobody made
   */
  readonly confirm_by_link: (
    input: { readonly Token: string } & RegistrationProof,
    call: CallContext,
  ) => Promise<RegistrationConfirmation>;
}

/** The name of something that not every provider can do. */
export type Capability = keyof ProviderExtensions;

/** A public signing key (RFC 7517), as Cognito publishes it. */
export type PublicKey = RsaPublicKey | EcPublicKey;

/** A key of RSASSA-PKCS1-v1_5 with SHA-256, the only kind that Cognito has. */
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

/** A key of ECDSA with P-256 and SHA-256. */
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

/** What signs the tokens of a pool. */
export type SigningAlgorithm = PublicKey['alg'];

/** The public facts of one user pool. */
export interface PoolDescription {
  readonly userPoolId: string;
  readonly region: string;
  /** The `iss` of its tokens. */
  readonly issuer: string;
  readonly srp: { readonly NHex: string; readonly gHex: string; readonly hash: 'SHA-256' };
  /** Challenge names that a login on this pool can meet. */
  readonly challenges: readonly ChallengeName[];
  /** Those of them that a login on this pool can begin with, whoever logs in: `PASSWORD`, `EMAIL_OTP`, `SMS_OTP`, `WEB_AUTHN`. */
  readonly firstFactors: readonly ChallengeName[];
  /** The relying party of this pool's passkeys (WebAuthn Level 3 §5.4.2); null where it has none. */
  readonly passkeys: { readonly relyingPartyId: string } | null;
  /** What a new password must have; null where that is not known. */
  readonly passwordPolicy?: PasswordPolicyFacts | null;
  /** How MFA is set on this pool. */
  readonly mfa: { readonly setup: 'OFF' | 'OPTIONAL' | 'ON'; readonly types: readonly string[] };
}

/** What a pool asks of new passwords. */
export interface PasswordPolicyFacts {
  /** In code points. */
  readonly minimumLength: number;
  readonly requireUppercase: boolean;
  readonly requireLowercase: boolean;
  readonly requireNumbers: boolean;
  readonly requireSymbols: boolean;
  /** Whether the most used passwords, and the user's own names, are refused. */
  readonly refuseCommon: boolean;
  /** Whether passwords that have leaked are refused. */
  readonly refuseLeaked: boolean;
}

/** What a secret block carries about the login that it belongs to. */
export interface SecretBlockContent {
  readonly ChallengeName: 'PASSWORD_VERIFIER' | 'DEVICE_PASSWORD_VERIFIER';
  /** As it was typed at the start. */
  readonly Username: string;
  /** The user's canonical name; for a device, its key. */
  readonly UserIdForSrp: string;
  /** The last hexadecimal digits of the `SRP_A` that it answers: enough to recognize it. */
  readonly SrpAEnd: string;
}

/** An identity provider: what can stand behind the gateway. */
export interface IdentityProvider {
  readonly operations: ProviderOperations;
  readonly extensions: Partial<ProviderExtensions>;
  /** True: it writes an event with each change of its own. What a provider without events is told to do is noted by whoever calls it. */
  readonly recordsEvents: boolean;
  /**
   * True: with each login that it ends, and each user that it deletes, it writes the rows of `revocations.ts` where whoever guards an API
   * reads them, in the same write. For a provider that does not, whoever calls it writes them.
   */
  readonly recordsRevocations: boolean;
  /**
   * Whether an access token still counts, for the guard of an API, which has proven it before. One read serves the guard and the first
   * operation of the same call. Absent: the guard reads the rows of `revocations.ts`.
   * @throws {ProviderError} as the operations do for a token that is none
   */
  readonly readTokenState?: (accessToken: string, call: CallContext) => Promise<TokenState>;
  /** The facts of a pool, or undefined where the pool does not exist. */
  describe(userPoolId: string): Promise<PoolDescription | undefined>;
  /**
   * The public keys that sign this pool's tokens, current and recently retired; undefined where the pool does not exist.
   * As they are now: whoever calls keeps them, and asks again for each key id that it does not know, decoys too. A provider
   * to which a look is dear bounds by itself how often it looks.
   */
  signingKeys(userPoolId: string): Promise<readonly PublicKey[] | undefined>;
  /** The id of the pool to which an app client belongs, or undefined where there is no such client. */
  poolOfClient(clientId: string): Promise<string | undefined>;
  /**
   * What a secret block carries, if the call that started the login asked for it (`carriesSrpStart`). Undefined for a block of another client,
   * where `Session` belongs to another login, and for any text that is not a block. Whether it has expired or was answered is checked by the
   * operation that takes the answer. A provider whose blocks carry nothing always returns undefined.
   */
  readSecretBlock(input: {
    readonly ClientId: string;
    readonly SecretBlock: string;
    readonly Session?: string;
  }): Promise<SecretBlockContent | undefined>;
}
