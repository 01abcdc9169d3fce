import type { ClientExtensions, Input } from '@poolgate/provider';

/** How MFA is set on a pool (Cognito `MfaConfiguration`). */
export type MfaConfiguration = 'OFF' | 'OPTIONAL' | 'ON';

/** A second factor (Cognito `UserMFASettingList`). */
export type MfaMethod = 'SMS_MFA' | 'SOFTWARE_TOKEN_MFA' | 'EMAIL_OTP';

/** A factor that a choice-based login may begin with (Cognito `AllowedFirstAuthFactors`). */
export type FirstFactor = 'PASSWORD' | 'EMAIL_OTP' | 'SMS_OTP' | 'WEB_AUTHN';

/** By which contact a user gets back in (Cognito `RecoveryMechanisms`), the first one that the user has. */
export type RecoveryMechanism = 'verified_email' | 'verified_phone_number' | 'admin_only';

/** How devices are tracked (Cognito `DeviceConfiguration`). */
export interface DeviceTracking {
  /** True: a remembered device that proves itself replaces the second factor. */
  readonly challengeRequiredOnNewDevice: boolean;
  /** True: a confirmed device is remembered only after the user says so. */
  readonly onlyRememberedOnUserPrompt: boolean;
}

/** How passkeys are used (Cognito `WebAuthnConfigurationType`). */
export interface WebAuthnSettings {
  readonly relyingPartyId: string;
  /**
   * Origins (WebAuthn Level 3 §13.4.9) on which credentials are made and used, compared as they are. None: every https origin
   * at the relying party's name or below it, as in Cognito, and http on localhost where that is its name.
   */
  readonly origins: readonly string[];
  readonly userVerification: 'required' | 'preferred';
  /** `MULTI_FACTOR_WITH_USER_VERIFICATION`: a passkey with user verification proves both factors; without, the second one is still asked for. */
  readonly factorConfiguration: 'SINGLE_FACTOR' | 'MULTI_FACTOR_WITH_USER_VERIFICATION';
}

/** What users of a pool can log in with, at some time. */
export interface FactorCensus {
  readonly takenAtMs: number;
  /** By the first factors that users have, in Cognito's order and with spaces between: how many have them, in proportion. */
  readonly shares: Readonly<Record<string, number>>;
}

/** What a message to a user is about. */
export type MessageKind =
  | 'sign_up'
  | 'sign_up_link'
  | 'invitation'
  | 'mfa'
  | 'first_factor'
  | 'forgot_password'
  | 'verify_contact'
  | NoticeKind;

/** What is reported to the owner of an account, who did not ask for it. */
export type NoticeKind =
  | 'sign_up_known'
  | 'proofs_removed'
  | 'new_device'
  | 'password_changed'
  | 'factor_changed'
  | 'contact_changed'
  | 'codes_guessed';

/**
 * The texts of one message. `{##words##}` in a `sign_up_link` stands for these words, which lead to the link that confirms. `{####}` stands for the code or the temporary password, in a notice for the link by which its reader says
 * "this was not me"; `{username}` for the name that the user signs in with.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pool-settings-message-customizations.html
 */
export interface MessageTemplate {
  readonly subject: string;
  readonly text: string;
  /** Made from `text` where it is left out. Values are escaped when they are put in. */
  readonly html?: string;
  /** 6 to 140 characters. */
  readonly sms: string;
  /** What a button says that the link of a notice stands behind, in HTML that is made from the text; none: the address alone. */
  readonly action?: string;
}

/** How a pool words its messages, where it does not take the built-in texts. */
export interface MessageSettings {
  /** The language (BCP 47) for users whose `locale` is none of the known ones. */
  readonly language: string;
  /** By language, by kind; what is left out is built in. */
  readonly templates: Readonly<Record<string, Readonly<Partial<Record<MessageKind, Partial<MessageTemplate>>>>>>;
}

/** Rules for permanent and temporary passwords (Cognito `PasswordPolicyType`). */
export interface PasswordPolicy {
  /** Least number of code points, 6 to 99. */
  readonly minimumLength: number;
  readonly requireUppercase: boolean;
  readonly requireLowercase: boolean;
  readonly requireNumbers: boolean;
  readonly requireSymbols: boolean;
  readonly temporaryPasswordValidityDays: number;
  /** Stored and returned; it has no effect here. */
  readonly historySize?: number;
}

/** What a pool asks of new passwords that Cognito does not ask. */
export interface NewPasswordRules {
  /** Refuses what is guessed first: the most used passwords, and the names of the user. */
  readonly refuseCommon: boolean;
  /** Refuses the temporary password as the permanent one. */
  readonly refuseTemporaryAgain: boolean;
}

/** One attribute of a pool's schema (Cognito `SchemaAttributeType`). */
export interface AttributeSchema {
  readonly type: 'String' | 'Number' | 'Boolean' | 'DateTime';
  readonly mutable: boolean;
  readonly required: boolean;
  /** Whether only administrators write it (Cognito `DeveloperOnlyAttribute`). */
  readonly developerOnly?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minValue?: number;
  readonly maxValue?: number;
}

/**
 * Members of `CreateUserPool` and `SetUserPoolMfaConfig` that are returned as they were set: the templates of messages, and what has no effect here,
 * or not in that form.
 */
export type StoredOnlyPoolSettings = Partial<
  Pick<
    Input<'CreateUserPool'>,
    | 'AcrConfiguration'
    | 'AdminCreateUserConfig'
    | 'DcrConfiguration'
    | 'EmailConfiguration'
    | 'EmailVerificationMessage'
    | 'EmailVerificationSubject'
    | 'KeyConfiguration'
    | 'LambdaConfig'
    | 'SmsAuthenticationMessage'
    | 'SmsConfiguration'
    | 'SmsVerificationMessage'
    | 'UserPoolAddOns'
    | 'UserPoolTier'
    | 'UsernameConfiguration'
    | 'VerificationMessageTemplate'
  > &
    Pick<Input<'SetUserPoolMfaConfig'>, 'EmailMfaConfiguration'>
>;

/** How a pool keeps account of the logins of its users (Cognito `SetUserPoolSessionConfiguration`). */
export interface SessionSettings {
  /** Whether the API lists and ends logins one by one, and whether a user can have too many. */
  readonly tracked: boolean;
  /** The most active logins of a user, 1 to 100; the next one ends the one that was used least recently. */
  readonly mostPerUser: number;
}

/** The settings of one user pool. Kept as one row, so that a pool can be changed while it runs. */
export interface PoolSettings {
  /** Attributes that users sign up and in with instead of a user name (Cognito `UsernameAttributes`). */
  readonly usernameAttributes: readonly ('email' | 'phone_number')[];
  /** Attributes that are further names of a user once verified (Cognito `AliasAttributes`). */
  readonly aliasAttributes: readonly ('email' | 'phone_number' | 'preferred_username')[];
  readonly usernamesAreCaseSensitive: boolean;
  /** Contacts that get a code at sign-up (Cognito `AutoVerifiedAttributes`). */
  readonly autoVerifiedAttributes: readonly ('email' | 'phone_number')[];
  readonly onlyAdminsCreateUsers: boolean;
  readonly passwordPolicy: PasswordPolicy;
  /** What this pool asks of new passwords beyond what Cognito does. Absent in pools of older releases: nothing, unless they are served. */
  readonly newPasswords?: NewPasswordRules;
  readonly mfaConfiguration: MfaConfiguration;
  /** The second factors that users may have here; the first one is preferred where the user has no preference. */
  readonly mfaMethods: readonly MfaMethod[];
  /** Null: devices are not tracked. */
  readonly deviceTracking: DeviceTracking | null;
  readonly firstFactors: readonly FirstFactor[];
  /** Null: no passkeys. */
  readonly webAuthn: WebAuthnSettings | null;
  readonly recovery: readonly RecoveryMechanism[];
  /** Absent: the built-in texts, in English where the user's language is not known. */
  readonly messages?: MessageSettings;
  /** Custom attributes by full name (`custom:team`); the standard ones are fixed. */
  readonly customAttributes: Readonly<Record<string, AttributeSchema>>;
  /** Standard attributes that this pool has otherwise than others, by name. Fixed when the pool is made. */
  readonly standardAttributes?: Readonly<Record<string, AttributeSchema>>;
  /** Standard attributes that a new user must bring. */
  readonly requiredAttributes: readonly string[];
  /** Contacts that stay as they are until the new one is proven (Cognito `AttributesRequireVerificationBeforeUpdate`). */
  readonly requireVerificationBeforeUpdate: readonly ('email' | 'phone_number')[];
  /** Whether a password may be set by a verifier that the client made, so that nobody else sees it. Policy and blocklist are then the client's to keep. */
  readonly verifierPasswords: boolean;
  /**
   * In the pool that is served: whether the Cognito-compatible API requires a recent login to change sign-in methods. Absent in stores of
   * releases up to 2.0.6: false.
   */
  readonly recentLoginOnCognitoApi?: boolean;
  /** Where the "this was not me" link of a notice leads; its token follows as the fragment. Null: notices have no link. */
  readonly notMeUrl: string | null;
  /** Where a link that confirms a sign-up leads; its token follows as the fragment. Null or absent: codes are sent instead. */
  readonly confirmUrl?: string | null;
  /** The `iss` of this pool's tokens. */
  readonly issuer: string;
  /** True: the pool cannot be deleted (Cognito `DeletionProtection`). */
  readonly deletionProtection?: boolean;
  readonly tags?: Readonly<Record<string, string>>;
  /** Absent: not tracked. */
  readonly sessions?: SessionSettings;
  /** Whether the pool got a domain when the service made it, or first offered the OAuth endpoints: one that was deleted since stays so. */
  readonly domainGiven?: boolean;
  /** What users had when they were looked at, oldest first: nobody sets it. Absent: nobody looked, or there were too few. */
  readonly factorCensuses?: readonly FactorCensus[];
  readonly kept?: StoredOnlyPoolSettings;
}

/** The kinds of identity providers that users can sign in with. */
export type FederationType = 'OIDC' | 'Google' | 'SignInWithApple' | 'Facebook' | 'LoginWithAmazon';

/** How users of another identity provider sign in. */
export interface IdentityProviderSettings {
  readonly type: FederationType;
  /** Cognito `ProviderDetails`, without the secret. */
  readonly details: Readonly<Record<string, string>>;
  /** Claims of the provider by the attribute of the pool that they are copied to. */
  readonly attributeMapping: Readonly<Record<string, string>>;
  /** Other names of the provider, such as the email domains of its users. */
  readonly identifiers: readonly string[];
}

/** How a domain was asked for (Cognito `CreateUserPoolDomain`); kept, and returned as it was set. */
export type DomainSettings = Pick<
  Input<'CreateUserPoolDomain'>,
  'ManagedLoginVersion' | 'CustomDomainConfig' | 'Routing'
>;

/** A scope of a resource server (Cognito `ResourceServerScopeType`). */
export interface ResourceServerScope {
  /** Without the identifier of its server. */
  readonly name: string;
  readonly description: string;
}

/** A flow that an app client may start (Cognito `ExplicitAuthFlows` without `ALLOW_`). */
export type AllowedFlow =
  | 'USER_SRP_AUTH'
  | 'USER_PASSWORD_AUTH'
  | 'ADMIN_USER_PASSWORD_AUTH'
  | 'USER_AUTH'
  | 'CUSTOM_AUTH'
  | 'REFRESH_TOKEN_AUTH';

/** Members of `CreateUserPoolClient` that are returned as they were set: some have no effect here, others are kept in another form too. */
export type StoredOnlyClientSettings = Partial<
  Omit<
    Input<'CreateUserPoolClient'>,
    | 'UserPoolId'
    | 'ClientName'
    | 'GenerateSecret'
    | 'ClientSecret'
    | 'AuthSessionValidity'
    | 'EnableTokenRevocation'
    | 'PreventUserExistenceErrors'
    | 'RefreshTokenRotation'
  >
>;

/** What is known of a secret of a client beside the secret itself. */
export interface ClientSecretMetadata {
  readonly id: string;
  readonly createdAtMs: number;
}

/** The settings of one app client. */
export interface ClientSettings {
  readonly allowedFlows: readonly AllowedFlow[];
  /** True: an unknown user is answered like a known one (Cognito `PreventUserExistenceErrors: ENABLED`). */
  readonly preventUserExistenceErrors: boolean;
  readonly accessTokenSeconds: number;
  readonly idTokenSeconds: number;
  readonly refreshTokenSeconds: number;
  /** Life of a pending challenge, 180 to 900. */
  readonly authSessionSeconds: number;
  readonly tokenRevocation: boolean;
  /** Rotation of refresh tokens: null is off. Within the grace seconds a repeated refresh gets the same successor. */
  readonly refreshRotation: { readonly graceSeconds: number } | null;
  /** Attributes that tokens may read and write; null is all. */
  readonly readAttributes: readonly string[] | null;
  readonly writeAttributes: readonly string[] | null;
  /** One for each secret, in their order. Absent: the client has the one that it was made with, or none. */
  readonly secretNotes?: readonly ClientSecretMetadata[];
  /** How long a session of managed login may be used again (Cognito `SSOSession`); absent: an hour. */
  readonly ssoMinutes?: number;
  /** What Cognito does not have; absent: the default of everything. */
  readonly extensions?: ClientExtensions;
  readonly kept?: StoredOnlyClientSettings;
}
