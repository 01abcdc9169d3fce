import type { ClientExtensions, Input } from '@poolgate/provider';

/** A pool's MFA setting (Cognito `MfaConfiguration`). */
export type MfaConfiguration = 'OFF' | 'OPTIONAL' | 'ON';

/** A second factor (Cognito `UserMFASettingList`). */
export type MfaMethod = 'SMS_MFA' | 'SOFTWARE_TOKEN_MFA' | 'EMAIL_OTP';

/** A factor that can start a choice-based login (Cognito `AllowedFirstAuthFactors`). */
export type FirstFactor = 'PASSWORD' | 'EMAIL_OTP' | 'SMS_OTP' | 'WEB_AUTHN';

/** A contact for account recovery (Cognito `RecoveryMechanisms`). The first one that the user has is used. */
export type RecoveryMechanism = 'verified_email' | 'verified_phone_number' | 'admin_only';

/** How devices are tracked (Cognito `DeviceConfiguration`). */
export interface DeviceTracking {
  /** True if the proof of a remembered device replaces the second factor. */
  readonly challengeRequiredOnNewDevice: boolean;
  /** True if a confirmed device is remembered only after the user agrees. */
  readonly onlyRememberedOnUserPrompt: boolean;
}

/** How passkeys are used (Cognito `WebAuthnConfigurationType`). */
export interface WebAuthnSettings {
  readonly relyingPartyId: string;
  /**
   * The origins (WebAuthn Level 3 §13.4.9) on which passkeys are created and used, compared exactly. Empty: every https origin at or below
   * the relying party's name, as in Cognito, and http on localhost if that is the name.
   */
  readonly origins: readonly string[];
  readonly userVerification: 'required' | 'preferred';
  /**
   * `MULTI_FACTOR_WITH_USER_VERIFICATION`: a passkey with user verification proves both factors. Otherwise the second factor is still
   * required.
   */
  readonly factorConfiguration: 'SINGLE_FACTOR' | 'MULTI_FACTOR_WITH_USER_VERIFICATION';
}

/** Which login factors the users of a pool had at a given time. */
export interface FactorCensus {
  readonly takenAtMs: number;
  /** For each set of first factors, in Cognito's order and space-separated: the share of users who have it. */
  readonly shares: Readonly<Record<string, number>>;
}

/** The subject of a message to a user. */
export type MessageKind =
  | 'sign_up'
  | 'sign_up_link'
  | 'invitation'
  | 'mfa'
  | 'first_factor'
  | 'forgot_password'
  | 'verify_contact'
  | NoticeKind;

/** The subject of an unrequested notice to the owner of an account. */
export type NoticeKind =
  | 'sign_up_known'
  | 'proofs_removed'
  | 'new_device'
  | 'password_changed'
  | 'factor_changed'
  | 'contact_changed'
  | 'deletion_scheduled'
  | 'codes_guessed';

/**
 * The texts of one message. `{##words##}` in a `sign_up_link` becomes these words with the confirmation link. `{####}` becomes the
 * code or the temporary password, or in a notice for the "this wasn't me" link. `{username}` becomes the name with which the user signs
 * in.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pool-settings-message-customizations.html
 */
export interface MessageTemplate {
  readonly subject: string;
  readonly text: string;
  /** Created from `text` by default. Values are escaped when they are inserted. */
  readonly html?: string;
  /** 6 to 140 characters. */
  readonly sms: string;
  /** The label of the button with a notice's link, in HTML that is created from the text. Without it, only the address is shown. */
  readonly action?: string;
}

/** A pool's own message texts. */
export interface MessageSettings {
  /** The language (BCP 47) for users whose `locale` is unknown. */
  readonly language: string;
  /** By language and kind. Missing texts are the built-in ones. */
  readonly templates: Readonly<Record<string, Readonly<Partial<Record<MessageKind, Partial<MessageTemplate>>>>>>;
}

/** Rules for permanent and temporary passwords (Cognito `PasswordPolicyType`). */
export interface PasswordPolicy {
  /** Minimum number of code points, 6 to 99. */
  readonly minimumLength: number;
  readonly requireUppercase: boolean;
  readonly requireLowercase: boolean;
  readonly requireNumbers: boolean;
  readonly requireSymbols: boolean;
  readonly temporaryPasswordValidityDays: number;
  /** Stored and returned; it has no effect here. */
  readonly historySize?: number;
}

/** A pool's password requirements beyond Cognito's. */
export interface NewPasswordRules {
  /** Rejects the most common passwords and the user's names. */
  readonly refuseCommon: boolean;
  /** Rejects the temporary password as the permanent one. */
  readonly refuseTemporaryAgain: boolean;
}

/** An attribute of a pool's schema (Cognito `SchemaAttributeType`). */
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
 * Members of `CreateUserPool` and `SetUserPoolMfaConfig` that are returned as they were set: the message templates, and members that have
 * no effect here, or not in this form.
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

/** How a pool tracks its users' logins (Cognito `SetUserPoolSessionConfiguration`). */
export interface SessionSettings {
  /** Whether the API lists and ends individual logins, and whether the number of a user's logins is limited. */
  readonly tracked: boolean;
  /** The maximum number of a user's active logins, 1 to 100. The next one ends the least recently used one. */
  readonly mostPerUser: number;
}

/** The settings of a user pool. They are stored in one row, so that a pool can be changed while it runs. */
export interface PoolSettings {
  /** Attributes with which users sign up and in, instead of a username (Cognito `UsernameAttributes`). */
  readonly usernameAttributes: readonly ('email' | 'phone_number')[];
  /** Attributes that become additional names of a user once verified (Cognito `AliasAttributes`). */
  readonly aliasAttributes: readonly ('email' | 'phone_number' | 'preferred_username')[];
  readonly usernamesAreCaseSensitive: boolean;
  /** Contacts that receive a code at sign-up (Cognito `AutoVerifiedAttributes`). */
  readonly autoVerifiedAttributes: readonly ('email' | 'phone_number')[];
  readonly onlyAdminsCreateUsers: boolean;
  readonly passwordPolicy: PasswordPolicy;
  /** This pool's password requirements beyond Cognito's. Absent in pools of older releases: none, unless the pool is the served one. */
  readonly newPasswords?: NewPasswordRules;
  readonly mfaConfiguration: MfaConfiguration;
  /** The second factors that users may have. The first one is the default preference. */
  readonly mfaMethods: readonly MfaMethod[];
  /** Null: devices are not tracked. */
  readonly deviceTracking: DeviceTracking | null;
  readonly firstFactors: readonly FirstFactor[];
  /** Null: no passkeys. */
  readonly webAuthn: WebAuthnSettings | null;
  readonly recovery: readonly RecoveryMechanism[];
  /** Absent: the built-in texts, in English if the user's language is unknown. */
  readonly messages?: MessageSettings;
  /** Custom attributes by full name (`custom:team`). The standard ones are fixed. */
  readonly customAttributes: Readonly<Record<string, AttributeSchema>>;
  /** Standard attributes that differ in this pool, by name. Fixed when the pool is created. */
  readonly standardAttributes?: Readonly<Record<string, AttributeSchema>>;
  /** Standard attributes that a new user must have. */
  readonly requiredAttributes: readonly string[];
  /** Contacts that stay unchanged until the new one is verified (Cognito `AttributesRequireVerificationBeforeUpdate`). */
  readonly requireVerificationBeforeUpdate: readonly ('email' | 'phone_number')[];
  /**
   * Whether a password can be set with a verifier from the client, so that no one else sees it. The client must then enforce policy and
   * blocklists.
   */
  readonly verifierPasswords: boolean;
  /**
   * For the served pool: whether the Cognito-compatible API requires a recent login to change sign-in methods. Absent in stores of releases
   * up to 2.0.6: false.
   */
  readonly recentLoginOnCognitoApi?: boolean;
  /** The page of a notice's "this wasn't me" link, whose token is appended as the fragment. Null: notices have no link. */
  readonly notMeUrl: string | null;
  /** The page of a sign-up's confirmation link, whose token is appended as the fragment. Null or absent: codes are sent instead. */
  readonly confirmUrl?: string | null;
  /** The `iss` of this pool's tokens. */
  readonly issuer: string;
  /** True if the pool cannot be deleted (Cognito `DeletionProtection`). */
  readonly deletionProtection?: boolean;
  readonly tags?: Readonly<Record<string, string>>;
  /** Absent: not tracked. */
  readonly sessions?: SessionSettings;
  /**
   * Whether the pool got a domain when the service created it, or first offered the OAuth endpoints. A domain that was deleted since is not
   * created again.
   */
  readonly domainGiven?: boolean;
  /** The censuses of users' factors, oldest first, written by the service only. Absent: none was taken, or there were too few users. */
  readonly factorCensuses?: readonly FactorCensus[];
  readonly kept?: StoredOnlyPoolSettings;
  /** Stored and returned (Cognito `SetLogDeliveryConfiguration`); it has no effect here. */
  readonly logConfigurations?: Input<'SetLogDeliveryConfiguration'>['LogConfigurations'];
  /** Of the pool and of its app clients. Stored and returned; they have no effect here. */
  readonly riskConfigurations?: readonly StoredRiskConfiguration[];
}

/** A request of `SetRiskConfiguration`. Without `ClientId` it is for the whole pool. */
export interface StoredRiskConfiguration extends Omit<Input<'SetRiskConfiguration'>, 'UserPoolId'> {
  readonly modifiedAtMs: number;
}

/** The kinds of identity providers that users can sign in with. */
export type FederationType = 'OIDC' | 'Google' | 'SignInWithApple' | 'Facebook' | 'LoginWithAmazon';

/** How users of another identity provider sign in. */
export interface IdentityProviderSettings {
  readonly type: FederationType;
  /** Cognito `ProviderDetails` without the secret. */
  readonly details: Readonly<Record<string, string>>;
  /** Claims of the provider, by the pool attribute to which they are copied. */
  readonly attributeMapping: Readonly<Record<string, string>>;
  /** Other names of the provider, such as the email domains of its users. */
  readonly identifiers: readonly string[];
  /** The provider's names of authentication levels, by level (Cognito `AcrMapping`). */
  readonly acrMapping?: Readonly<Record<string, string>>;
  /** Absent: only administrators and users link accounts. */
  readonly linkRule?: LinkRule;
}

/** The first sign-in of an account is linked to the local user with the same verified address. */
export interface LinkRule {
  /** The mapped attribute that must be the same. */
  readonly attribute: 'email' | 'phone_number';
  /** The claim with which the provider states that it has verified the address. It must be true. */
  readonly trustedClaim: string;
}

/** The request for a domain (Cognito `CreateUserPoolDomain`), stored and returned unchanged. */
export type DomainSettings = Pick<
  Input<'CreateUserPoolDomain'>,
  'ManagedLoginVersion' | 'CustomDomainConfig' | 'Routing'
>;

/** A scope of a resource server (Cognito `ResourceServerScopeType`). */
export interface ResourceServerScope {
  /** Without its server's identifier. */
  readonly name: string;
  readonly description: string;
}

/** A flow that an app client may use (Cognito `ExplicitAuthFlows` without `ALLOW_`). */
export type AllowedFlow =
  | 'USER_SRP_AUTH'
  | 'USER_PASSWORD_AUTH'
  | 'ADMIN_USER_PASSWORD_AUTH'
  | 'USER_AUTH'
  | 'CUSTOM_AUTH'
  | 'REFRESH_TOKEN_AUTH';

/**
 * Members of `CreateUserPoolClient` that are returned as they were set. Some have no effect here; others are also stored in another form.
 */
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

/** The metadata of a client's secret. */
export interface ClientSecretMetadata {
  readonly id: string;
  readonly createdAtMs: number;
}

/** The settings of one app client. */
export interface ClientSettings {
  readonly allowedFlows: readonly AllowedFlow[];
  /** True if an unknown user is answered like a known one (Cognito `PreventUserExistenceErrors: ENABLED`). */
  readonly preventUserExistenceErrors: boolean;
  readonly accessTokenSeconds: number;
  readonly idTokenSeconds: number;
  readonly refreshTokenSeconds: number;
  /** The lifetime of a pending challenge in seconds, 180 to 900. */
  readonly authSessionSeconds: number;
  readonly tokenRevocation: boolean;
  /** Refresh token rotation; null is off. Within the grace period in seconds, a repeated refresh gets the same successor. */
  readonly refreshRotation: { readonly graceSeconds: number } | null;
  /** The attributes that tokens may read and write; null is all. */
  readonly readAttributes: readonly string[] | null;
  readonly writeAttributes: readonly string[] | null;
  /** One for each secret, in the same order. Absent: the client has only its original secret, or none. */
  readonly secretNotes?: readonly ClientSecretMetadata[];
  /** How long a managed login session can be reused (Cognito `SSOSession`). Absent: an hour. */
  readonly ssoMinutes?: number;
  /** Settings that Cognito does not have. Absent: all defaults. */
  readonly extensions?: ClientExtensions;
  readonly kept?: StoredOnlyClientSettings;
}
