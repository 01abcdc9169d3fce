// Written by tools/provider-shapes.ts from cognito-ops.json and operations.ts. Timestamps are epoch seconds.

/** Request and response shapes of every operation of the port, by operation name. */
export interface Operations {
  AddCustomAttributes: {
    input: {
      readonly UserPoolId: string;
      readonly CustomAttributes: readonly ({
        readonly Name?: string;
        readonly AttributeDataType?: 'String' | 'Number' | 'DateTime' | 'Boolean';
        readonly DeveloperOnlyAttribute?: boolean;
        readonly Mutable?: boolean;
        readonly Required?: boolean;
        readonly NumberAttributeConstraints?: {
          readonly MinValue?: string;
          readonly MaxValue?: string;
        };
        readonly StringAttributeConstraints?: {
          readonly MinLength?: string;
          readonly MaxLength?: string;
        };
      })[];
    };
    output: Readonly<Record<never, never>>;
  };
  AddUserPoolClientSecret: {
    input: {
      readonly UserPoolId: string;
      readonly ClientId: string;
      readonly ClientSecret?: string;
    };
    output: {
      readonly ClientSecretDescriptor?: {
        readonly ClientSecretId?: string;
        readonly ClientSecretValue?: string;
        readonly ClientSecretCreateDate?: number;
      };
    };
  };
  AdminAddUserToGroup: {
    input: {
      readonly UserPoolId: string;
      readonly Username: string;
      readonly GroupName: string;
    };
    output: Readonly<Record<never, never>>;
  };
  AdminConfirmSignUp: {
    input: {
      readonly UserPoolId: string;
      readonly Username: string;
      readonly ClientMetadata?: Readonly<Record<string, string>>;
    };
    output: Readonly<Record<never, never>>;
  };
  AdminCreateUser: {
    input: {
      readonly UserPoolId: string;
      readonly Username: string;
      readonly UserAttributes?: readonly ({
        readonly Name: string;
        readonly Value?: string;
      })[];
      readonly ValidationData?: readonly ({
        readonly Name: string;
        readonly Value?: string;
      })[];
      readonly TemporaryPassword?: string;
      readonly ForceAliasCreation?: boolean;
      readonly MessageAction?: 'RESEND' | 'SUPPRESS';
      readonly DesiredDeliveryMediums?: readonly ('SMS' | 'EMAIL')[];
      readonly ClientMetadata?: Readonly<Record<string, string>>;
    };
    output: {
      readonly User?: {
        readonly Username?: string;
        readonly Attributes?: readonly ({
          readonly Name: string;
          readonly Value?: string;
        })[];
        readonly UserCreateDate?: number;
        readonly UserLastModifiedDate?: number;
        readonly Enabled?: boolean;
        readonly UserStatus?: 'ARCHIVED' | 'COMPROMISED' | 'CONFIRMED' | 'EXTERNAL_PROVIDER' | 'FORCE_CHANGE_PASSWORD' | 'RESET_REQUIRED' | 'UNCONFIRMED' | 'UNKNOWN';
        readonly MFAOptions?: readonly ({
          readonly DeliveryMedium?: 'SMS' | 'EMAIL';
          readonly AttributeName?: string;
        })[];
      };
    };
  };
  AdminDeleteSoftwareToken: {
    input: {
      readonly UserPoolId: string;
      readonly Username: string;
    };
    output: Readonly<Record<never, never>>;
  };
  AdminDeleteUser: {
    input: {
      readonly UserPoolId: string;
      readonly Username: string;
    };
    output: Readonly<Record<never, never>>;
  };
  AdminDeleteUserAttributes: {
    input: {
      readonly UserPoolId: string;
      readonly Username: string;
      readonly UserAttributeNames: readonly (string)[];
    };
    output: Readonly<Record<never, never>>;
  };
  AdminDisableProviderForUser: {
    input: {
      readonly UserPoolId: string;
      readonly User: {
        readonly ProviderName?: string;
        readonly ProviderAttributeName?: string;
        readonly ProviderAttributeValue?: string;
      };
    };
    output: Readonly<Record<never, never>>;
  };
  AdminDisableUser: {
    input: {
      readonly UserPoolId: string;
      readonly Username: string;
    };
    output: Readonly<Record<never, never>>;
  };
  AdminEnableUser: {
    input: {
      readonly UserPoolId: string;
      readonly Username: string;
    };
    output: Readonly<Record<never, never>>;
  };
  AdminForgetDevice: {
    input: {
      readonly UserPoolId: string;
      readonly Username: string;
      readonly DeviceKey: string;
    };
    output: Readonly<Record<never, never>>;
  };
  AdminGetDevice: {
    input: {
      readonly DeviceKey: string;
      readonly UserPoolId: string;
      readonly Username: string;
    };
    output: {
      readonly Device: {
        readonly DeviceKey?: string;
        readonly DeviceAttributes?: readonly ({
          readonly Name: string;
          readonly Value?: string;
        })[];
        readonly DeviceCreateDate?: number;
        readonly DeviceLastModifiedDate?: number;
        readonly DeviceLastAuthenticatedDate?: number;
      };
    };
  };
  AdminGetUser: {
    input: {
      readonly UserPoolId: string;
      readonly Username: string;
    };
    output: {
      readonly Username: string;
      readonly UserAttributes?: readonly ({
        readonly Name: string;
        readonly Value?: string;
      })[];
      readonly UserCreateDate?: number;
      readonly UserLastModifiedDate?: number;
      readonly Enabled?: boolean;
      readonly UserStatus?: 'ARCHIVED' | 'COMPROMISED' | 'CONFIRMED' | 'EXTERNAL_PROVIDER' | 'FORCE_CHANGE_PASSWORD' | 'RESET_REQUIRED' | 'UNCONFIRMED' | 'UNKNOWN';
      readonly MFAOptions?: readonly ({
        readonly DeliveryMedium?: 'SMS' | 'EMAIL';
        readonly AttributeName?: string;
      })[];
      readonly PreferredMfaSetting?: string;
      readonly UserMFASettingList?: readonly (string)[];
    };
  };
  AdminGetUserAuthFactors: {
    input: {
      readonly UserPoolId: string;
      readonly Username: string;
    };
    output: {
      readonly Username: string;
      readonly PreferredMfaSetting?: string;
      readonly UserMFASettingList?: readonly (string)[];
      readonly ConfiguredUserAuthFactors?: readonly ('EMAIL_OTP' | 'PASSWORD' | 'SMS_OTP' | 'SOFTWARE_TOKEN' | 'WEB_AUTHN')[];
    };
  };
  AdminInitiateAuth: {
    input: {
      readonly UserPoolId: string;
      readonly ClientId: string;
      readonly AuthFlow: 'USER_SRP_AUTH' | 'REFRESH_TOKEN_AUTH' | 'REFRESH_TOKEN' | 'CUSTOM_AUTH' | 'ADMIN_NO_SRP_AUTH' | 'USER_PASSWORD_AUTH' | 'ADMIN_USER_PASSWORD_AUTH' | 'USER_AUTH';
      readonly AuthParameters?: Readonly<Record<string, string>>;
      readonly ClientMetadata?: Readonly<Record<string, string>>;
      readonly AnalyticsMetadata?: {
        readonly AnalyticsEndpointId?: string;
      };
      readonly ContextData?: {
        readonly IpAddress: string;
        readonly ServerName: string;
        readonly ServerPath: string;
        readonly HttpHeaders: readonly ({
          readonly headerName?: string;
          readonly headerValue?: string;
        })[];
        readonly EncodedData?: string;
      };
      readonly Session?: string;
    };
    output: {
      readonly ChallengeName?: 'ADMIN_NO_SRP_AUTH' | 'CUSTOM_CHALLENGE' | 'DEVICE_PASSWORD_VERIFIER' | 'DEVICE_SRP_AUTH' | 'EMAIL_OTP' | 'MFA_SETUP' | 'NEW_PASSWORD_REQUIRED' | 'PASSWORD' | 'PASSWORD_SRP' | 'PASSWORD_VERIFIER' | 'SELECT_CHALLENGE' | 'SELECT_MFA_TYPE' | 'SMS_MFA' | 'SMS_OTP' | 'SOFTWARE_TOKEN_MFA' | 'WEB_AUTHN';
      readonly Session?: string;
      readonly ChallengeParameters?: Readonly<Record<string, string>>;
      readonly AuthenticationResult?: {
        readonly AccessToken?: string;
        readonly ExpiresIn?: number;
        readonly TokenType?: string;
        readonly RefreshToken?: string;
        readonly IdToken?: string;
        readonly NewDeviceMetadata?: {
          readonly DeviceKey?: string;
          readonly DeviceGroupKey?: string;
        };
      };
      readonly AvailableChallenges?: readonly ('ADMIN_NO_SRP_AUTH' | 'CUSTOM_CHALLENGE' | 'DEVICE_PASSWORD_VERIFIER' | 'DEVICE_SRP_AUTH' | 'EMAIL_OTP' | 'MFA_SETUP' | 'NEW_PASSWORD_REQUIRED' | 'PASSWORD' | 'PASSWORD_SRP' | 'PASSWORD_VERIFIER' | 'SELECT_CHALLENGE' | 'SELECT_MFA_TYPE' | 'SMS_MFA' | 'SMS_OTP' | 'SOFTWARE_TOKEN_MFA' | 'WEB_AUTHN')[];
    };
  };
  AdminLinkProviderForUser: {
    input: {
      readonly UserPoolId: string;
      readonly DestinationUser: {
        readonly ProviderName?: string;
        readonly ProviderAttributeName?: string;
        readonly ProviderAttributeValue?: string;
      };
      readonly SourceUser: {
        readonly ProviderName?: string;
        readonly ProviderAttributeName?: string;
        readonly ProviderAttributeValue?: string;
      };
    };
    output: Readonly<Record<never, never>>;
  };
  AdminListDevices: {
    input: {
      readonly UserPoolId: string;
      readonly Username: string;
      readonly Limit?: number;
      readonly PaginationToken?: string;
    };
    output: {
      readonly Devices?: readonly ({
        readonly DeviceKey?: string;
        readonly DeviceAttributes?: readonly ({
          readonly Name: string;
          readonly Value?: string;
        })[];
        readonly DeviceCreateDate?: number;
        readonly DeviceLastModifiedDate?: number;
        readonly DeviceLastAuthenticatedDate?: number;
      })[];
      readonly PaginationToken?: string;
    };
  };
  AdminListGroupsForUser: {
    input: {
      readonly Username: string;
      readonly UserPoolId: string;
      readonly Limit?: number;
      readonly NextToken?: string;
    };
    output: {
      readonly Groups?: readonly ({
        readonly GroupName?: string;
        readonly UserPoolId?: string;
        readonly Description?: string;
        readonly RoleArn?: string;
        readonly Precedence?: number;
        readonly LastModifiedDate?: number;
        readonly CreationDate?: number;
      })[];
      readonly NextToken?: string;
    };
  };
  AdminListUserSessions: {
    input: {
      readonly UserPoolId: string;
      readonly Username: string;
      readonly NextToken?: string;
    };
    output: {
      readonly Sessions?: readonly ({
        readonly SessionId?: string;
        readonly SessionType?: 'SSO' | 'TOKEN';
        readonly ClientId?: string;
        readonly CreateDate?: number;
        readonly LastActiveDate?: number;
        readonly DeviceType?: string;
        readonly LastIPAddress?: string;
        readonly LastLocation?: {
          readonly City?: string;
          readonly Country?: string;
        };
        readonly OriginSessionId?: string;
        readonly IsCurrentSession?: boolean;
      })[];
      readonly NextToken?: string;
    };
  };
  AdminRemoveUserFromGroup: {
    input: {
      readonly UserPoolId: string;
      readonly Username: string;
      readonly GroupName: string;
    };
    output: Readonly<Record<never, never>>;
  };
  AdminResetUserPassword: {
    input: {
      readonly UserPoolId: string;
      readonly Username: string;
      readonly ClientMetadata?: Readonly<Record<string, string>>;
    };
    output: Readonly<Record<never, never>>;
  };
  AdminRespondToAuthChallenge: {
    input: {
      readonly UserPoolId: string;
      readonly ClientId: string;
      readonly ChallengeName: 'SMS_MFA' | 'EMAIL_OTP' | 'SOFTWARE_TOKEN_MFA' | 'SELECT_MFA_TYPE' | 'MFA_SETUP' | 'PASSWORD_VERIFIER' | 'CUSTOM_CHALLENGE' | 'SELECT_CHALLENGE' | 'DEVICE_SRP_AUTH' | 'DEVICE_PASSWORD_VERIFIER' | 'ADMIN_NO_SRP_AUTH' | 'NEW_PASSWORD_REQUIRED' | 'SMS_OTP' | 'PASSWORD' | 'WEB_AUTHN' | 'PASSWORD_SRP';
      readonly ChallengeResponses?: Readonly<Record<string, string>>;
      readonly Session?: string;
      readonly AnalyticsMetadata?: {
        readonly AnalyticsEndpointId?: string;
      };
      readonly ContextData?: {
        readonly IpAddress: string;
        readonly ServerName: string;
        readonly ServerPath: string;
        readonly HttpHeaders: readonly ({
          readonly headerName?: string;
          readonly headerValue?: string;
        })[];
        readonly EncodedData?: string;
      };
      readonly ClientMetadata?: Readonly<Record<string, string>>;
    };
    output: {
      readonly ChallengeName?: 'ADMIN_NO_SRP_AUTH' | 'CUSTOM_CHALLENGE' | 'DEVICE_PASSWORD_VERIFIER' | 'DEVICE_SRP_AUTH' | 'EMAIL_OTP' | 'MFA_SETUP' | 'NEW_PASSWORD_REQUIRED' | 'PASSWORD' | 'PASSWORD_SRP' | 'PASSWORD_VERIFIER' | 'SELECT_CHALLENGE' | 'SELECT_MFA_TYPE' | 'SMS_MFA' | 'SMS_OTP' | 'SOFTWARE_TOKEN_MFA' | 'WEB_AUTHN';
      readonly Session?: string;
      readonly ChallengeParameters?: Readonly<Record<string, string>>;
      readonly AuthenticationResult?: {
        readonly AccessToken?: string;
        readonly ExpiresIn?: number;
        readonly TokenType?: string;
        readonly RefreshToken?: string;
        readonly IdToken?: string;
        readonly NewDeviceMetadata?: {
          readonly DeviceKey?: string;
          readonly DeviceGroupKey?: string;
        };
      };
      readonly AvailableChallenges?: readonly ('ADMIN_NO_SRP_AUTH' | 'CUSTOM_CHALLENGE' | 'DEVICE_PASSWORD_VERIFIER' | 'DEVICE_SRP_AUTH' | 'EMAIL_OTP' | 'MFA_SETUP' | 'NEW_PASSWORD_REQUIRED' | 'PASSWORD' | 'PASSWORD_SRP' | 'PASSWORD_VERIFIER' | 'SELECT_CHALLENGE' | 'SELECT_MFA_TYPE' | 'SMS_MFA' | 'SMS_OTP' | 'SOFTWARE_TOKEN_MFA' | 'WEB_AUTHN')[];
    };
  };
  AdminRevokeUserSession: {
    input: {
      readonly UserPoolId: string;
      readonly Username: string;
      readonly SessionId: string;
      readonly RevokeAssociatedSessions?: 'LINKED' | 'NONE';
    };
    output: Readonly<Record<never, never>>;
  };
  AdminSetUserMFAPreference: {
    input: {
      readonly Username: string;
      readonly UserPoolId: string;
      readonly SMSMfaSettings?: {
        readonly Enabled?: boolean;
        readonly PreferredMfa?: boolean;
      };
      readonly SoftwareTokenMfaSettings?: {
        readonly Enabled?: boolean;
        readonly PreferredMfa?: boolean;
      };
      readonly EmailMfaSettings?: {
        readonly Enabled?: boolean;
        readonly PreferredMfa?: boolean;
      };
      readonly WebAuthnMfaSettings?: {
        readonly Enabled?: boolean;
      };
    };
    output: Readonly<Record<never, never>>;
  };
  AdminSetUserPassword: {
    input: {
      readonly UserPoolId: string;
      readonly Username: string;
      readonly Password: string;
      readonly Permanent?: boolean;
    };
    output: Readonly<Record<never, never>>;
  };
  AdminSetUserSettings: {
    input: {
      readonly UserPoolId: string;
      readonly Username: string;
      readonly MFAOptions: readonly ({
        readonly DeliveryMedium?: 'SMS' | 'EMAIL';
        readonly AttributeName?: string;
      })[];
    };
    output: Readonly<Record<never, never>>;
  };
  AdminUpdateDeviceStatus: {
    input: {
      readonly UserPoolId: string;
      readonly Username: string;
      readonly DeviceKey: string;
      readonly DeviceRememberedStatus?: 'remembered' | 'not_remembered';
    };
    output: Readonly<Record<never, never>>;
  };
  AdminUpdateUserAttributes: {
    input: {
      readonly UserPoolId: string;
      readonly Username: string;
      readonly UserAttributes: readonly ({
        readonly Name: string;
        readonly Value?: string;
      })[];
      readonly ClientMetadata?: Readonly<Record<string, string>>;
    };
    output: Readonly<Record<never, never>>;
  };
  AdminUserGlobalSignOut: {
    input: {
      readonly UserPoolId: string;
      readonly Username: string;
    };
    output: Readonly<Record<never, never>>;
  };
  AssociateSoftwareToken: {
    input: {
      readonly AccessToken?: string;
      readonly Session?: string;
    };
    output: {
      readonly SecretCode?: string;
      readonly Session?: string;
    };
  };
  ChangePassword: {
    input: {
      readonly ProposedPassword: string;
      readonly AccessToken: string;
      readonly PreviousPassword?: string;
    };
    output: Readonly<Record<never, never>>;
  };
  CompleteWebAuthnRegistration: {
    input: {
      readonly AccessToken: string;
      readonly Credential: unknown;
    };
    output: Readonly<Record<never, never>>;
  };
  ConfirmDevice: {
    input: {
      readonly AccessToken: string;
      readonly DeviceKey: string;
      readonly DeviceSecretVerifierConfig?: {
        readonly PasswordVerifier?: string;
        readonly Salt?: string;
      };
      readonly DeviceName?: string;
    };
    output: {
      readonly UserConfirmationNecessary?: boolean;
    };
  };
  ConfirmForgotPassword: {
    input: {
      readonly ClientId: string;
      readonly Username: string;
      readonly ConfirmationCode: string;
      readonly Password: string;
      readonly SecretHash?: string;
      readonly AnalyticsMetadata?: {
        readonly AnalyticsEndpointId?: string;
      };
      readonly UserContextData?: {
        readonly IpAddress?: string;
        readonly EncodedData?: string;
      };
      readonly ClientMetadata?: Readonly<Record<string, string>>;
    };
    output: Readonly<Record<never, never>>;
  };
  ConfirmSignUp: {
    input: {
      readonly ClientId: string;
      readonly Username: string;
      readonly ConfirmationCode: string;
      readonly SecretHash?: string;
      readonly ForceAliasCreation?: boolean;
      readonly AnalyticsMetadata?: {
        readonly AnalyticsEndpointId?: string;
      };
      readonly UserContextData?: {
        readonly IpAddress?: string;
        readonly EncodedData?: string;
      };
      readonly ClientMetadata?: Readonly<Record<string, string>>;
      readonly Session?: string;
    };
    output: {
      readonly Session?: string;
    };
  };
  CreateGroup: {
    input: {
      readonly GroupName: string;
      readonly UserPoolId: string;
      readonly Description?: string;
      readonly RoleArn?: string;
      readonly Precedence?: number;
    };
    output: {
      readonly Group?: {
        readonly GroupName?: string;
        readonly UserPoolId?: string;
        readonly Description?: string;
        readonly RoleArn?: string;
        readonly Precedence?: number;
        readonly LastModifiedDate?: number;
        readonly CreationDate?: number;
      };
    };
  };
  CreateIdentityProvider: {
    input: {
      readonly UserPoolId: string;
      readonly ProviderName: string;
      readonly ProviderType: 'SAML' | 'Facebook' | 'Google' | 'LoginWithAmazon' | 'SignInWithApple' | 'OIDC';
      readonly ProviderDetails: Readonly<Record<string, string>>;
      readonly AttributeMapping?: Readonly<Record<string, string>>;
      readonly IdpIdentifiers?: readonly (string)[];
      readonly AcrMapping?: Readonly<Record<string, string>>;
    };
    output: {
      readonly IdentityProvider: {
        readonly UserPoolId?: string;
        readonly ProviderName?: string;
        readonly ProviderType?: 'Facebook' | 'Google' | 'LoginWithAmazon' | 'OIDC' | 'SAML' | 'SignInWithApple';
        readonly ProviderDetails?: Readonly<Record<string, string>>;
        readonly AttributeMapping?: Readonly<Record<string, string>>;
        readonly IdpIdentifiers?: readonly (string)[];
        readonly AcrMapping?: Readonly<Record<string, string>>;
        readonly LastModifiedDate?: number;
        readonly CreationDate?: number;
      };
    };
  };
  CreateManagedLoginBranding: {
    input: {
      readonly UserPoolId: string;
      readonly ClientId: string;
      readonly UseCognitoProvidedValues?: boolean;
      readonly Settings?: unknown;
      readonly Assets?: readonly ({
        readonly Category: 'FAVICON_ICO' | 'FAVICON_SVG' | 'EMAIL_GRAPHIC' | 'SMS_GRAPHIC' | 'AUTH_APP_GRAPHIC' | 'PASSWORD_GRAPHIC' | 'PASSKEY_GRAPHIC' | 'PAGE_HEADER_LOGO' | 'PAGE_HEADER_BACKGROUND' | 'PAGE_FOOTER_LOGO' | 'PAGE_FOOTER_BACKGROUND' | 'PAGE_BACKGROUND' | 'FORM_BACKGROUND' | 'FORM_LOGO' | 'IDP_BUTTON_ICON';
        readonly ColorMode: 'LIGHT' | 'DARK' | 'DYNAMIC';
        readonly Extension: 'ICO' | 'JPEG' | 'PNG' | 'SVG' | 'WEBP';
        readonly Bytes?: string;
        readonly ResourceId?: string;
      })[];
    };
    output: {
      readonly ManagedLoginBranding?: {
        readonly ManagedLoginBrandingId?: string;
        readonly UserPoolId?: string;
        readonly UseCognitoProvidedValues?: boolean;
        readonly Settings?: unknown;
        readonly Assets?: readonly ({
          readonly Category: 'FAVICON_ICO' | 'FAVICON_SVG' | 'EMAIL_GRAPHIC' | 'SMS_GRAPHIC' | 'AUTH_APP_GRAPHIC' | 'PASSWORD_GRAPHIC' | 'PASSKEY_GRAPHIC' | 'PAGE_HEADER_LOGO' | 'PAGE_HEADER_BACKGROUND' | 'PAGE_FOOTER_LOGO' | 'PAGE_FOOTER_BACKGROUND' | 'PAGE_BACKGROUND' | 'FORM_BACKGROUND' | 'FORM_LOGO' | 'IDP_BUTTON_ICON';
          readonly ColorMode: 'LIGHT' | 'DARK' | 'DYNAMIC';
          readonly Extension: 'ICO' | 'JPEG' | 'PNG' | 'SVG' | 'WEBP';
          readonly Bytes?: string;
          readonly ResourceId?: string;
        })[];
        readonly CreationDate?: number;
        readonly LastModifiedDate?: number;
      };
    };
  };
  CreateResourceServer: {
    input: {
      readonly UserPoolId: string;
      readonly Identifier: string;
      readonly Name: string;
      readonly Scopes?: readonly ({
        readonly ScopeName: string;
        readonly ScopeDescription: string;
      })[];
    };
    output: {
      readonly ResourceServer: {
        readonly UserPoolId?: string;
        readonly Identifier?: string;
        readonly Name?: string;
        readonly Scopes?: readonly ({
          readonly ScopeName: string;
          readonly ScopeDescription: string;
        })[];
        readonly ManagedBy?: 'COGNITO';
      };
    };
  };
  CreateUserPool: {
    input: {
      readonly PoolName: string;
      readonly Policies?: {
        readonly PasswordPolicy?: {
          readonly MinimumLength?: number;
          readonly RequireUppercase?: boolean;
          readonly RequireLowercase?: boolean;
          readonly RequireNumbers?: boolean;
          readonly RequireSymbols?: boolean;
          readonly PasswordHistorySize?: number;
          readonly TemporaryPasswordValidityDays?: number;
        };
        readonly SignInPolicy?: {
          readonly AllowedFirstAuthFactors?: readonly ('PASSWORD' | 'EMAIL_OTP' | 'SMS_OTP' | 'WEB_AUTHN' | 'SOFTWARE_TOKEN')[];
        };
      };
      readonly DeletionProtection?: 'ACTIVE' | 'INACTIVE';
      readonly LambdaConfig?: {
        readonly PreSignUp?: string;
        readonly CustomMessage?: string;
        readonly PostConfirmation?: string;
        readonly PreAuthentication?: string;
        readonly PostAuthentication?: string;
        readonly DefineAuthChallenge?: string;
        readonly CreateAuthChallenge?: string;
        readonly VerifyAuthChallengeResponse?: string;
        readonly PreTokenGeneration?: string;
        readonly UserMigration?: string;
        readonly PreTokenGenerationConfig?: {
          readonly LambdaVersion: 'V1_0' | 'V2_0' | 'V3_0';
          readonly LambdaArn: string;
        };
        readonly CustomSMSSender?: {
          readonly LambdaVersion: 'V1_0';
          readonly LambdaArn: string;
        };
        readonly CustomEmailSender?: {
          readonly LambdaVersion: 'V1_0';
          readonly LambdaArn: string;
        };
        readonly KMSKeyID?: string;
        readonly InboundFederation?: {
          readonly LambdaVersion: 'V1_0';
          readonly LambdaArn: string;
        };
      };
      readonly AutoVerifiedAttributes?: readonly ('phone_number' | 'email')[];
      readonly AliasAttributes?: readonly ('phone_number' | 'email' | 'preferred_username')[];
      readonly UsernameAttributes?: readonly ('phone_number' | 'email')[];
      readonly SmsVerificationMessage?: string;
      readonly EmailVerificationMessage?: string;
      readonly EmailVerificationSubject?: string;
      readonly VerificationMessageTemplate?: {
        readonly SmsMessage?: string;
        readonly EmailMessage?: string;
        readonly EmailSubject?: string;
        readonly EmailMessageByLink?: string;
        readonly EmailSubjectByLink?: string;
        readonly DefaultEmailOption?: 'CONFIRM_WITH_LINK' | 'CONFIRM_WITH_CODE';
      };
      readonly SmsAuthenticationMessage?: string;
      readonly MfaConfiguration?: 'OFF' | 'ON' | 'OPTIONAL';
      readonly UserAttributeUpdateSettings?: {
        readonly AttributesRequireVerificationBeforeUpdate?: readonly ('phone_number' | 'email')[];
      };
      readonly DeviceConfiguration?: {
        readonly ChallengeRequiredOnNewDevice?: boolean;
        readonly DeviceOnlyRememberedOnUserPrompt?: boolean;
      };
      readonly EmailConfiguration?: {
        readonly SourceArn?: string;
        readonly ReplyToEmailAddress?: string;
        readonly EmailSendingAccount?: 'COGNITO_DEFAULT' | 'DEVELOPER';
        readonly From?: string;
        readonly ConfigurationSet?: string;
      };
      readonly SmsConfiguration?: {
        readonly SnsCallerArn?: string;
        readonly ExternalId?: string;
        readonly SnsRegion?: string;
        readonly EumsSms?: {
          readonly CallerArn: string;
          readonly ExternalId?: string;
          readonly OriginationIdentity?: string;
          readonly ConfigurationSetName?: string;
          readonly InEntityId?: string;
          readonly InTemplateId?: string;
          readonly Region?: string;
        };
      };
      readonly UserPoolTags?: Readonly<Record<string, string>>;
      readonly AdminCreateUserConfig?: {
        readonly AllowAdminCreateUserOnly?: boolean;
        readonly UnusedAccountValidityDays?: number;
        readonly InviteMessageTemplate?: {
          readonly SMSMessage?: string;
          readonly EmailMessage?: string;
          readonly EmailSubject?: string;
        };
      };
      readonly Schema?: readonly ({
        readonly Name?: string;
        readonly AttributeDataType?: 'String' | 'Number' | 'DateTime' | 'Boolean';
        readonly DeveloperOnlyAttribute?: boolean;
        readonly Mutable?: boolean;
        readonly Required?: boolean;
        readonly NumberAttributeConstraints?: {
          readonly MinValue?: string;
          readonly MaxValue?: string;
        };
        readonly StringAttributeConstraints?: {
          readonly MinLength?: string;
          readonly MaxLength?: string;
        };
      })[];
      readonly UserPoolAddOns?: {
        readonly AdvancedSecurityMode: 'OFF' | 'AUDIT' | 'ENFORCED';
        readonly AdvancedSecurityAdditionalFlows?: {
          readonly CustomAuthMode?: 'AUDIT' | 'ENFORCED';
        };
      };
      readonly DcrConfiguration?: {
        readonly EnableStatus?: 'Disabled' | 'Enabled';
        readonly OpenDcrEnabled?: boolean;
        readonly AuthenticatedGrantTypes?: readonly ('client_credentials' | 'code' | 'implicit')[];
        readonly OpenDcrGrantTypes?: readonly ('client_credentials' | 'code' | 'implicit')[];
        readonly AllowedScopes?: readonly (string)[];
      };
      readonly UsernameConfiguration?: {
        readonly CaseSensitive: boolean;
      };
      readonly AccountRecoverySetting?: {
        readonly RecoveryMechanisms?: readonly ({
          readonly Priority: number;
          readonly Name: 'verified_email' | 'verified_phone_number' | 'admin_only';
        })[];
      };
      readonly UserPoolTier?: 'LITE' | 'ESSENTIALS' | 'PLUS';
      readonly KeyConfiguration?: {
        readonly KeyType?: 'AWS_OWNED_KEY' | 'CUSTOMER_MANAGED_KEY';
        readonly KmsKeyArn?: string;
      };
      readonly IssuerConfiguration?: {
        readonly Type?: 'ORIGINAL' | 'UPDATED';
      };
      readonly AcrConfiguration?: Readonly<Record<string, {
        readonly AcrValue: string;
      }>>;
    };
    output: {
      readonly UserPool?: {
        readonly Id?: string;
        readonly Name?: string;
        readonly Policies?: {
          readonly PasswordPolicy?: {
            readonly MinimumLength?: number;
            readonly RequireUppercase?: boolean;
            readonly RequireLowercase?: boolean;
            readonly RequireNumbers?: boolean;
            readonly RequireSymbols?: boolean;
            readonly PasswordHistorySize?: number;
            readonly TemporaryPasswordValidityDays?: number;
          };
          readonly SignInPolicy?: {
            readonly AllowedFirstAuthFactors?: readonly ('PASSWORD' | 'EMAIL_OTP' | 'SMS_OTP' | 'WEB_AUTHN' | 'SOFTWARE_TOKEN')[];
          };
        };
        readonly DeletionProtection?: 'ACTIVE' | 'INACTIVE';
        readonly LambdaConfig?: {
          readonly PreSignUp?: string;
          readonly CustomMessage?: string;
          readonly PostConfirmation?: string;
          readonly PreAuthentication?: string;
          readonly PostAuthentication?: string;
          readonly DefineAuthChallenge?: string;
          readonly CreateAuthChallenge?: string;
          readonly VerifyAuthChallengeResponse?: string;
          readonly PreTokenGeneration?: string;
          readonly UserMigration?: string;
          readonly PreTokenGenerationConfig?: {
            readonly LambdaVersion: 'V1_0' | 'V2_0' | 'V3_0';
            readonly LambdaArn: string;
          };
          readonly CustomSMSSender?: {
            readonly LambdaVersion: 'V1_0';
            readonly LambdaArn: string;
          };
          readonly CustomEmailSender?: {
            readonly LambdaVersion: 'V1_0';
            readonly LambdaArn: string;
          };
          readonly KMSKeyID?: string;
          readonly InboundFederation?: {
            readonly LambdaVersion: 'V1_0';
            readonly LambdaArn: string;
          };
        };
        readonly Status?: 'Disabled' | 'Enabled';
        readonly LastModifiedDate?: number;
        readonly CreationDate?: number;
        readonly SchemaAttributes?: readonly ({
          readonly Name?: string;
          readonly AttributeDataType?: 'String' | 'Number' | 'DateTime' | 'Boolean';
          readonly DeveloperOnlyAttribute?: boolean;
          readonly Mutable?: boolean;
          readonly Required?: boolean;
          readonly NumberAttributeConstraints?: {
            readonly MinValue?: string;
            readonly MaxValue?: string;
          };
          readonly StringAttributeConstraints?: {
            readonly MinLength?: string;
            readonly MaxLength?: string;
          };
        })[];
        readonly AutoVerifiedAttributes?: readonly ('email' | 'phone_number')[];
        readonly AliasAttributes?: readonly ('email' | 'phone_number' | 'preferred_username')[];
        readonly UsernameAttributes?: readonly ('email' | 'phone_number')[];
        readonly SmsVerificationMessage?: string;
        readonly EmailVerificationMessage?: string;
        readonly EmailVerificationSubject?: string;
        readonly VerificationMessageTemplate?: {
          readonly SmsMessage?: string;
          readonly EmailMessage?: string;
          readonly EmailSubject?: string;
          readonly EmailMessageByLink?: string;
          readonly EmailSubjectByLink?: string;
          readonly DefaultEmailOption?: 'CONFIRM_WITH_LINK' | 'CONFIRM_WITH_CODE';
        };
        readonly SmsAuthenticationMessage?: string;
        readonly UserAttributeUpdateSettings?: {
          readonly AttributesRequireVerificationBeforeUpdate?: readonly ('phone_number' | 'email')[];
        };
        readonly MfaConfiguration?: 'OFF' | 'ON' | 'OPTIONAL';
        readonly DeviceConfiguration?: {
          readonly ChallengeRequiredOnNewDevice?: boolean;
          readonly DeviceOnlyRememberedOnUserPrompt?: boolean;
        };
        readonly EstimatedNumberOfUsers?: number;
        readonly EmailConfiguration?: {
          readonly SourceArn?: string;
          readonly ReplyToEmailAddress?: string;
          readonly EmailSendingAccount?: 'COGNITO_DEFAULT' | 'DEVELOPER';
          readonly From?: string;
          readonly ConfigurationSet?: string;
        };
        readonly SmsConfiguration?: {
          readonly SnsCallerArn?: string;
          readonly ExternalId?: string;
          readonly SnsRegion?: string;
          readonly EumsSms?: {
            readonly CallerArn: string;
            readonly ExternalId?: string;
            readonly OriginationIdentity?: string;
            readonly ConfigurationSetName?: string;
            readonly InEntityId?: string;
            readonly InTemplateId?: string;
            readonly Region?: string;
          };
        };
        readonly UserPoolTags?: Readonly<Record<string, string>>;
        readonly SmsConfigurationFailure?: string;
        readonly EmailConfigurationFailure?: string;
        readonly Domain?: string;
        readonly CustomDomain?: string;
        readonly AdminCreateUserConfig?: {
          readonly AllowAdminCreateUserOnly?: boolean;
          readonly UnusedAccountValidityDays?: number;
          readonly InviteMessageTemplate?: {
            readonly SMSMessage?: string;
            readonly EmailMessage?: string;
            readonly EmailSubject?: string;
          };
        };
        readonly UserPoolAddOns?: {
          readonly AdvancedSecurityMode: 'OFF' | 'AUDIT' | 'ENFORCED';
          readonly AdvancedSecurityAdditionalFlows?: {
            readonly CustomAuthMode?: 'AUDIT' | 'ENFORCED';
          };
        };
        readonly DcrConfiguration?: {
          readonly EnableStatus?: 'Disabled' | 'Enabled';
          readonly OpenDcrEnabled?: boolean;
          readonly AuthenticatedGrantTypes?: readonly ('client_credentials' | 'code' | 'implicit')[];
          readonly OpenDcrGrantTypes?: readonly ('client_credentials' | 'code' | 'implicit')[];
          readonly AllowedScopes?: readonly (string)[];
        };
        readonly UsernameConfiguration?: {
          readonly CaseSensitive: boolean;
        };
        readonly Arn?: string;
        readonly AccountRecoverySetting?: {
          readonly RecoveryMechanisms?: readonly ({
            readonly Priority: number;
            readonly Name: 'verified_email' | 'verified_phone_number' | 'admin_only';
          })[];
        };
        readonly UserPoolTier?: 'ESSENTIALS' | 'LITE' | 'PLUS';
        readonly KeyConfiguration?: {
          readonly KeyType?: 'AWS_OWNED_KEY' | 'CUSTOMER_MANAGED_KEY';
          readonly KmsKeyArn?: string;
        };
        readonly IssuerConfiguration?: {
          readonly Type?: 'ORIGINAL' | 'UPDATED';
        };
        readonly AcrConfiguration?: Readonly<Record<string, {
          readonly AcrValue: string;
        }>>;
      };
    };
  };
  CreateUserPoolClient: {
    input: {
      readonly UserPoolId: string;
      readonly ClientName: string;
      readonly GenerateSecret?: boolean;
      readonly ClientSecret?: string;
      readonly RefreshTokenValidity?: number;
      readonly AccessTokenValidity?: number;
      readonly IdTokenValidity?: number;
      readonly TokenValidityUnits?: {
        readonly AccessToken?: 'seconds' | 'minutes' | 'hours' | 'days';
        readonly IdToken?: 'seconds' | 'minutes' | 'hours' | 'days';
        readonly RefreshToken?: 'seconds' | 'minutes' | 'hours' | 'days';
      };
      readonly ReadAttributes?: readonly (string)[];
      readonly WriteAttributes?: readonly (string)[];
      readonly ExplicitAuthFlows?: readonly ('ADMIN_NO_SRP_AUTH' | 'CUSTOM_AUTH_FLOW_ONLY' | 'USER_PASSWORD_AUTH' | 'ALLOW_ADMIN_USER_PASSWORD_AUTH' | 'ALLOW_CUSTOM_AUTH' | 'ALLOW_USER_PASSWORD_AUTH' | 'ALLOW_USER_SRP_AUTH' | 'ALLOW_REFRESH_TOKEN_AUTH' | 'ALLOW_USER_AUTH' | 'ALLOW_CLIENT_TOKEN_AUTH')[];
      readonly SupportedIdentityProviders?: readonly (string)[];
      readonly CallbackURLs?: readonly (string)[];
      readonly LogoutURLs?: readonly (string)[];
      readonly DefaultRedirectURI?: string;
      readonly AllowedOAuthFlows?: readonly ('code' | 'implicit' | 'client_credentials')[];
      readonly AllowedOAuthScopes?: readonly (string)[];
      readonly AllowedOAuthFlowsUserPoolClient?: boolean;
      readonly AnalyticsConfiguration?: {
        readonly ApplicationId?: string;
        readonly ApplicationArn?: string;
        readonly RoleArn?: string;
        readonly ExternalId?: string;
        readonly UserDataShared?: boolean;
      };
      readonly PreventUserExistenceErrors?: 'LEGACY' | 'ENABLED';
      readonly EnableTokenRevocation?: boolean;
      readonly EnablePropagateAdditionalUserContextData?: boolean;
      readonly AuthSessionValidity?: number;
      readonly RefreshTokenRotation?: {
        readonly Feature: 'ENABLED' | 'DISABLED';
        readonly RetryGracePeriodSeconds?: number;
      };
    };
    output: {
      readonly UserPoolClient?: {
        readonly UserPoolId?: string;
        readonly ClientName?: string;
        readonly ClientId?: string;
        readonly ClientSecret?: string;
        readonly LastModifiedDate?: number;
        readonly CreationDate?: number;
        readonly RefreshTokenValidity?: number;
        readonly AccessTokenValidity?: number;
        readonly IdTokenValidity?: number;
        readonly TokenValidityUnits?: {
          readonly AccessToken?: 'seconds' | 'minutes' | 'hours' | 'days';
          readonly IdToken?: 'seconds' | 'minutes' | 'hours' | 'days';
          readonly RefreshToken?: 'seconds' | 'minutes' | 'hours' | 'days';
        };
        readonly ReadAttributes?: readonly (string)[];
        readonly WriteAttributes?: readonly (string)[];
        readonly ExplicitAuthFlows?: readonly ('ADMIN_NO_SRP_AUTH' | 'ALLOW_ADMIN_USER_PASSWORD_AUTH' | 'ALLOW_CUSTOM_AUTH' | 'ALLOW_REFRESH_TOKEN_AUTH' | 'ALLOW_USER_AUTH' | 'ALLOW_USER_PASSWORD_AUTH' | 'ALLOW_USER_SRP_AUTH' | 'CUSTOM_AUTH_FLOW_ONLY' | 'USER_PASSWORD_AUTH' | 'ALLOW_CLIENT_TOKEN_AUTH')[];
        readonly SupportedIdentityProviders?: readonly (string)[];
        readonly CallbackURLs?: readonly (string)[];
        readonly LogoutURLs?: readonly (string)[];
        readonly DefaultRedirectURI?: string;
        readonly AllowedOAuthFlows?: readonly ('client_credentials' | 'code' | 'implicit')[];
        readonly AllowedOAuthScopes?: readonly (string)[];
        readonly AllowedOAuthFlowsUserPoolClient?: boolean;
        readonly AnalyticsConfiguration?: {
          readonly ApplicationId?: string;
          readonly ApplicationArn?: string;
          readonly RoleArn?: string;
          readonly ExternalId?: string;
          readonly UserDataShared?: boolean;
        };
        readonly PreventUserExistenceErrors?: 'ENABLED' | 'LEGACY';
        readonly EnableTokenRevocation?: boolean;
        readonly EnablePropagateAdditionalUserContextData?: boolean;
        readonly AuthSessionValidity?: number;
        readonly RefreshTokenRotation?: {
          readonly Feature: 'ENABLED' | 'DISABLED';
          readonly RetryGracePeriodSeconds?: number;
        };
        readonly ClientType?: 'DCR' | 'REGULAR';
      };
    };
  };
  CreateUserPoolDomain: {
    input: {
      readonly Domain: string;
      readonly UserPoolId: string;
      readonly ManagedLoginVersion?: number;
      readonly CustomDomainConfig?: {
        readonly CertificateArn: string;
        readonly SecurityPolicy?: 'TLS_V1' | 'TLS_V1_2_2021' | 'TLS_V1_3_2025';
      };
      readonly Routing?: {
        readonly Failover?: {
          readonly SecondaryRegion: string;
          readonly PrimaryRoute53HealthCheckId: string;
        };
      };
    };
    output: {
      readonly ManagedLoginVersion?: number;
      readonly CloudFrontDomain?: string;
      readonly Routing?: {
        readonly Failover?: {
          readonly SecondaryRegion: string;
          readonly PrimaryRoute53HealthCheckId: string;
        };
      };
    };
  };
  DeleteGroup: {
    input: {
      readonly GroupName: string;
      readonly UserPoolId: string;
    };
    output: Readonly<Record<never, never>>;
  };
  DeleteIdentityProvider: {
    input: {
      readonly UserPoolId: string;
      readonly ProviderName: string;
    };
    output: Readonly<Record<never, never>>;
  };
  DeleteManagedLoginBranding: {
    input: {
      readonly ManagedLoginBrandingId: string;
      readonly UserPoolId: string;
    };
    output: Readonly<Record<never, never>>;
  };
  DeleteResourceServer: {
    input: {
      readonly UserPoolId: string;
      readonly Identifier: string;
    };
    output: Readonly<Record<never, never>>;
  };
  DeleteUser: {
    input: {
      readonly AccessToken: string;
    };
    output: Readonly<Record<never, never>>;
  };
  DeleteUserAttributes: {
    input: {
      readonly UserAttributeNames: readonly (string)[];
      readonly AccessToken: string;
    };
    output: Readonly<Record<never, never>>;
  };
  DeleteUserPool: {
    input: {
      readonly UserPoolId: string;
    };
    output: Readonly<Record<never, never>>;
  };
  DeleteUserPoolClient: {
    input: {
      readonly UserPoolId: string;
      readonly ClientId: string;
    };
    output: Readonly<Record<never, never>>;
  };
  DeleteUserPoolClientSecret: {
    input: {
      readonly UserPoolId: string;
      readonly ClientId: string;
      readonly ClientSecretId: string;
    };
    output: Readonly<Record<never, never>>;
  };
  DeleteUserPoolDomain: {
    input: {
      readonly Domain: string;
      readonly UserPoolId: string;
    };
    output: Readonly<Record<never, never>>;
  };
  DeleteWebAuthnCredential: {
    input: {
      readonly AccessToken: string;
      readonly CredentialId: string;
    };
    output: Readonly<Record<never, never>>;
  };
  DescribeIdentityProvider: {
    input: {
      readonly UserPoolId: string;
      readonly ProviderName: string;
    };
    output: {
      readonly IdentityProvider: {
        readonly UserPoolId?: string;
        readonly ProviderName?: string;
        readonly ProviderType?: 'Facebook' | 'Google' | 'LoginWithAmazon' | 'OIDC' | 'SAML' | 'SignInWithApple';
        readonly ProviderDetails?: Readonly<Record<string, string>>;
        readonly AttributeMapping?: Readonly<Record<string, string>>;
        readonly IdpIdentifiers?: readonly (string)[];
        readonly AcrMapping?: Readonly<Record<string, string>>;
        readonly LastModifiedDate?: number;
        readonly CreationDate?: number;
      };
    };
  };
  DescribeManagedLoginBranding: {
    input: {
      readonly UserPoolId: string;
      readonly ManagedLoginBrandingId: string;
      readonly ReturnMergedResources?: boolean;
    };
    output: {
      readonly ManagedLoginBranding?: {
        readonly ManagedLoginBrandingId?: string;
        readonly UserPoolId?: string;
        readonly UseCognitoProvidedValues?: boolean;
        readonly Settings?: unknown;
        readonly Assets?: readonly ({
          readonly Category: 'FAVICON_ICO' | 'FAVICON_SVG' | 'EMAIL_GRAPHIC' | 'SMS_GRAPHIC' | 'AUTH_APP_GRAPHIC' | 'PASSWORD_GRAPHIC' | 'PASSKEY_GRAPHIC' | 'PAGE_HEADER_LOGO' | 'PAGE_HEADER_BACKGROUND' | 'PAGE_FOOTER_LOGO' | 'PAGE_FOOTER_BACKGROUND' | 'PAGE_BACKGROUND' | 'FORM_BACKGROUND' | 'FORM_LOGO' | 'IDP_BUTTON_ICON';
          readonly ColorMode: 'LIGHT' | 'DARK' | 'DYNAMIC';
          readonly Extension: 'ICO' | 'JPEG' | 'PNG' | 'SVG' | 'WEBP';
          readonly Bytes?: string;
          readonly ResourceId?: string;
        })[];
        readonly CreationDate?: number;
        readonly LastModifiedDate?: number;
      };
    };
  };
  DescribeManagedLoginBrandingByClient: {
    input: {
      readonly UserPoolId: string;
      readonly ClientId: string;
      readonly ReturnMergedResources?: boolean;
    };
    output: {
      readonly ManagedLoginBranding?: {
        readonly ManagedLoginBrandingId?: string;
        readonly UserPoolId?: string;
        readonly UseCognitoProvidedValues?: boolean;
        readonly Settings?: unknown;
        readonly Assets?: readonly ({
          readonly Category: 'FAVICON_ICO' | 'FAVICON_SVG' | 'EMAIL_GRAPHIC' | 'SMS_GRAPHIC' | 'AUTH_APP_GRAPHIC' | 'PASSWORD_GRAPHIC' | 'PASSKEY_GRAPHIC' | 'PAGE_HEADER_LOGO' | 'PAGE_HEADER_BACKGROUND' | 'PAGE_FOOTER_LOGO' | 'PAGE_FOOTER_BACKGROUND' | 'PAGE_BACKGROUND' | 'FORM_BACKGROUND' | 'FORM_LOGO' | 'IDP_BUTTON_ICON';
          readonly ColorMode: 'LIGHT' | 'DARK' | 'DYNAMIC';
          readonly Extension: 'ICO' | 'JPEG' | 'PNG' | 'SVG' | 'WEBP';
          readonly Bytes?: string;
          readonly ResourceId?: string;
        })[];
        readonly CreationDate?: number;
        readonly LastModifiedDate?: number;
      };
    };
  };
  DescribeResourceServer: {
    input: {
      readonly UserPoolId: string;
      readonly Identifier: string;
    };
    output: {
      readonly ResourceServer: {
        readonly UserPoolId?: string;
        readonly Identifier?: string;
        readonly Name?: string;
        readonly Scopes?: readonly ({
          readonly ScopeName: string;
          readonly ScopeDescription: string;
        })[];
        readonly ManagedBy?: 'COGNITO';
      };
    };
  };
  DescribeRiskConfiguration: {
    input: {
      readonly UserPoolId: string;
      readonly ClientId?: string;
    };
    output: {
      readonly RiskConfiguration: {
        readonly UserPoolId?: string;
        readonly ClientId?: string;
        readonly CompromisedCredentialsRiskConfiguration?: {
          readonly Actions: {
            readonly EventAction: 'BLOCK' | 'NO_ACTION';
          };
          readonly EventFilter?: readonly ('SIGN_IN' | 'PASSWORD_CHANGE' | 'SIGN_UP')[];
        };
        readonly AccountTakeoverRiskConfiguration?: {
          readonly Actions: {
            readonly LowAction?: {
              readonly Notify: boolean;
              readonly EventAction: 'BLOCK' | 'MFA_IF_CONFIGURED' | 'MFA_REQUIRED' | 'NO_ACTION';
            };
            readonly MediumAction?: {
              readonly Notify: boolean;
              readonly EventAction: 'BLOCK' | 'MFA_IF_CONFIGURED' | 'MFA_REQUIRED' | 'NO_ACTION';
            };
            readonly HighAction?: {
              readonly Notify: boolean;
              readonly EventAction: 'BLOCK' | 'MFA_IF_CONFIGURED' | 'MFA_REQUIRED' | 'NO_ACTION';
            };
          };
          readonly NotifyConfiguration?: {
            readonly SourceArn: string;
            readonly From?: string;
            readonly ReplyTo?: string;
            readonly BlockEmail?: {
              readonly Subject: string;
              readonly HtmlBody?: string;
              readonly TextBody?: string;
            };
            readonly NoActionEmail?: {
              readonly Subject: string;
              readonly HtmlBody?: string;
              readonly TextBody?: string;
            };
            readonly MfaEmail?: {
              readonly Subject: string;
              readonly HtmlBody?: string;
              readonly TextBody?: string;
            };
          };
        };
        readonly RiskExceptionConfiguration?: {
          readonly BlockedIPRangeList?: readonly (string)[];
          readonly SkippedIPRangeList?: readonly (string)[];
        };
        readonly LastModifiedDate?: number;
      };
    };
  };
  DescribeUserPool: {
    input: {
      readonly UserPoolId: string;
    };
    output: {
      readonly UserPool?: {
        readonly Id?: string;
        readonly Name?: string;
        readonly Policies?: {
          readonly PasswordPolicy?: {
            readonly MinimumLength?: number;
            readonly RequireUppercase?: boolean;
            readonly RequireLowercase?: boolean;
            readonly RequireNumbers?: boolean;
            readonly RequireSymbols?: boolean;
            readonly PasswordHistorySize?: number;
            readonly TemporaryPasswordValidityDays?: number;
          };
          readonly SignInPolicy?: {
            readonly AllowedFirstAuthFactors?: readonly ('PASSWORD' | 'EMAIL_OTP' | 'SMS_OTP' | 'WEB_AUTHN' | 'SOFTWARE_TOKEN')[];
          };
        };
        readonly DeletionProtection?: 'ACTIVE' | 'INACTIVE';
        readonly LambdaConfig?: {
          readonly PreSignUp?: string;
          readonly CustomMessage?: string;
          readonly PostConfirmation?: string;
          readonly PreAuthentication?: string;
          readonly PostAuthentication?: string;
          readonly DefineAuthChallenge?: string;
          readonly CreateAuthChallenge?: string;
          readonly VerifyAuthChallengeResponse?: string;
          readonly PreTokenGeneration?: string;
          readonly UserMigration?: string;
          readonly PreTokenGenerationConfig?: {
            readonly LambdaVersion: 'V1_0' | 'V2_0' | 'V3_0';
            readonly LambdaArn: string;
          };
          readonly CustomSMSSender?: {
            readonly LambdaVersion: 'V1_0';
            readonly LambdaArn: string;
          };
          readonly CustomEmailSender?: {
            readonly LambdaVersion: 'V1_0';
            readonly LambdaArn: string;
          };
          readonly KMSKeyID?: string;
          readonly InboundFederation?: {
            readonly LambdaVersion: 'V1_0';
            readonly LambdaArn: string;
          };
        };
        readonly Status?: 'Disabled' | 'Enabled';
        readonly LastModifiedDate?: number;
        readonly CreationDate?: number;
        readonly SchemaAttributes?: readonly ({
          readonly Name?: string;
          readonly AttributeDataType?: 'String' | 'Number' | 'DateTime' | 'Boolean';
          readonly DeveloperOnlyAttribute?: boolean;
          readonly Mutable?: boolean;
          readonly Required?: boolean;
          readonly NumberAttributeConstraints?: {
            readonly MinValue?: string;
            readonly MaxValue?: string;
          };
          readonly StringAttributeConstraints?: {
            readonly MinLength?: string;
            readonly MaxLength?: string;
          };
        })[];
        readonly AutoVerifiedAttributes?: readonly ('email' | 'phone_number')[];
        readonly AliasAttributes?: readonly ('email' | 'phone_number' | 'preferred_username')[];
        readonly UsernameAttributes?: readonly ('email' | 'phone_number')[];
        readonly SmsVerificationMessage?: string;
        readonly EmailVerificationMessage?: string;
        readonly EmailVerificationSubject?: string;
        readonly VerificationMessageTemplate?: {
          readonly SmsMessage?: string;
          readonly EmailMessage?: string;
          readonly EmailSubject?: string;
          readonly EmailMessageByLink?: string;
          readonly EmailSubjectByLink?: string;
          readonly DefaultEmailOption?: 'CONFIRM_WITH_LINK' | 'CONFIRM_WITH_CODE';
        };
        readonly SmsAuthenticationMessage?: string;
        readonly UserAttributeUpdateSettings?: {
          readonly AttributesRequireVerificationBeforeUpdate?: readonly ('phone_number' | 'email')[];
        };
        readonly MfaConfiguration?: 'OFF' | 'ON' | 'OPTIONAL';
        readonly DeviceConfiguration?: {
          readonly ChallengeRequiredOnNewDevice?: boolean;
          readonly DeviceOnlyRememberedOnUserPrompt?: boolean;
        };
        readonly EstimatedNumberOfUsers?: number;
        readonly EmailConfiguration?: {
          readonly SourceArn?: string;
          readonly ReplyToEmailAddress?: string;
          readonly EmailSendingAccount?: 'COGNITO_DEFAULT' | 'DEVELOPER';
          readonly From?: string;
          readonly ConfigurationSet?: string;
        };
        readonly SmsConfiguration?: {
          readonly SnsCallerArn?: string;
          readonly ExternalId?: string;
          readonly SnsRegion?: string;
          readonly EumsSms?: {
            readonly CallerArn: string;
            readonly ExternalId?: string;
            readonly OriginationIdentity?: string;
            readonly ConfigurationSetName?: string;
            readonly InEntityId?: string;
            readonly InTemplateId?: string;
            readonly Region?: string;
          };
        };
        readonly UserPoolTags?: Readonly<Record<string, string>>;
        readonly SmsConfigurationFailure?: string;
        readonly EmailConfigurationFailure?: string;
        readonly Domain?: string;
        readonly CustomDomain?: string;
        readonly AdminCreateUserConfig?: {
          readonly AllowAdminCreateUserOnly?: boolean;
          readonly UnusedAccountValidityDays?: number;
          readonly InviteMessageTemplate?: {
            readonly SMSMessage?: string;
            readonly EmailMessage?: string;
            readonly EmailSubject?: string;
          };
        };
        readonly UserPoolAddOns?: {
          readonly AdvancedSecurityMode: 'OFF' | 'AUDIT' | 'ENFORCED';
          readonly AdvancedSecurityAdditionalFlows?: {
            readonly CustomAuthMode?: 'AUDIT' | 'ENFORCED';
          };
        };
        readonly DcrConfiguration?: {
          readonly EnableStatus?: 'Disabled' | 'Enabled';
          readonly OpenDcrEnabled?: boolean;
          readonly AuthenticatedGrantTypes?: readonly ('client_credentials' | 'code' | 'implicit')[];
          readonly OpenDcrGrantTypes?: readonly ('client_credentials' | 'code' | 'implicit')[];
          readonly AllowedScopes?: readonly (string)[];
        };
        readonly UsernameConfiguration?: {
          readonly CaseSensitive: boolean;
        };
        readonly Arn?: string;
        readonly AccountRecoverySetting?: {
          readonly RecoveryMechanisms?: readonly ({
            readonly Priority: number;
            readonly Name: 'verified_email' | 'verified_phone_number' | 'admin_only';
          })[];
        };
        readonly UserPoolTier?: 'ESSENTIALS' | 'LITE' | 'PLUS';
        readonly KeyConfiguration?: {
          readonly KeyType?: 'AWS_OWNED_KEY' | 'CUSTOMER_MANAGED_KEY';
          readonly KmsKeyArn?: string;
        };
        readonly IssuerConfiguration?: {
          readonly Type?: 'ORIGINAL' | 'UPDATED';
        };
        readonly AcrConfiguration?: Readonly<Record<string, {
          readonly AcrValue: string;
        }>>;
      };
    };
  };
  DescribeUserPoolClient: {
    input: {
      readonly UserPoolId: string;
      readonly ClientId: string;
    };
    output: {
      readonly UserPoolClient?: {
        readonly UserPoolId?: string;
        readonly ClientName?: string;
        readonly ClientId?: string;
        readonly ClientSecret?: string;
        readonly LastModifiedDate?: number;
        readonly CreationDate?: number;
        readonly RefreshTokenValidity?: number;
        readonly AccessTokenValidity?: number;
        readonly IdTokenValidity?: number;
        readonly TokenValidityUnits?: {
          readonly AccessToken?: 'seconds' | 'minutes' | 'hours' | 'days';
          readonly IdToken?: 'seconds' | 'minutes' | 'hours' | 'days';
          readonly RefreshToken?: 'seconds' | 'minutes' | 'hours' | 'days';
        };
        readonly ReadAttributes?: readonly (string)[];
        readonly WriteAttributes?: readonly (string)[];
        readonly ExplicitAuthFlows?: readonly ('ADMIN_NO_SRP_AUTH' | 'ALLOW_ADMIN_USER_PASSWORD_AUTH' | 'ALLOW_CUSTOM_AUTH' | 'ALLOW_REFRESH_TOKEN_AUTH' | 'ALLOW_USER_AUTH' | 'ALLOW_USER_PASSWORD_AUTH' | 'ALLOW_USER_SRP_AUTH' | 'CUSTOM_AUTH_FLOW_ONLY' | 'USER_PASSWORD_AUTH' | 'ALLOW_CLIENT_TOKEN_AUTH')[];
        readonly SupportedIdentityProviders?: readonly (string)[];
        readonly CallbackURLs?: readonly (string)[];
        readonly LogoutURLs?: readonly (string)[];
        readonly DefaultRedirectURI?: string;
        readonly AllowedOAuthFlows?: readonly ('client_credentials' | 'code' | 'implicit')[];
        readonly AllowedOAuthScopes?: readonly (string)[];
        readonly AllowedOAuthFlowsUserPoolClient?: boolean;
        readonly AnalyticsConfiguration?: {
          readonly ApplicationId?: string;
          readonly ApplicationArn?: string;
          readonly RoleArn?: string;
          readonly ExternalId?: string;
          readonly UserDataShared?: boolean;
        };
        readonly PreventUserExistenceErrors?: 'ENABLED' | 'LEGACY';
        readonly EnableTokenRevocation?: boolean;
        readonly EnablePropagateAdditionalUserContextData?: boolean;
        readonly AuthSessionValidity?: number;
        readonly RefreshTokenRotation?: {
          readonly Feature: 'ENABLED' | 'DISABLED';
          readonly RetryGracePeriodSeconds?: number;
        };
        readonly ClientType?: 'DCR' | 'REGULAR';
      };
    };
  };
  DescribeUserPoolDomain: {
    input: {
      readonly Domain: string;
    };
    output: {
      readonly DomainDescription?: {
        readonly UserPoolId?: string;
        readonly AWSAccountId?: string;
        readonly Domain?: string;
        readonly S3Bucket?: string;
        readonly CloudFrontDistribution?: string;
        readonly Version?: string;
        readonly Status?: 'ACTIVE' | 'CREATING' | 'DELETING' | 'FAILED' | 'UPDATING';
        readonly CustomDomainConfig?: {
          readonly CertificateArn: string;
          readonly SecurityPolicy?: 'TLS_V1' | 'TLS_V1_2_2021' | 'TLS_V1_3_2025';
        };
        readonly ManagedLoginVersion?: number;
        readonly Routing?: {
          readonly Failover?: {
            readonly SecondaryRegion: string;
            readonly PrimaryRoute53HealthCheckId: string;
          };
        };
      };
    };
  };
  ForgetDevice: {
    input: {
      readonly DeviceKey: string;
      readonly AccessToken?: string;
    };
    output: Readonly<Record<never, never>>;
  };
  ForgotPassword: {
    input: {
      readonly ClientId: string;
      readonly Username: string;
      readonly SecretHash?: string;
      readonly UserContextData?: {
        readonly IpAddress?: string;
        readonly EncodedData?: string;
      };
      readonly AnalyticsMetadata?: {
        readonly AnalyticsEndpointId?: string;
      };
      readonly ClientMetadata?: Readonly<Record<string, string>>;
    };
    output: {
      readonly CodeDeliveryDetails?: {
        readonly Destination?: string;
        readonly DeliveryMedium?: 'EMAIL' | 'SMS';
        readonly AttributeName?: string;
      };
    };
  };
  GetCSVHeader: {
    input: {
      readonly UserPoolId: string;
    };
    output: {
      readonly UserPoolId?: string;
      readonly CSVHeader?: readonly (string)[];
    };
  };
  GetClientToken: {
    input: {
      readonly ClientId: string;
      readonly Secret: string;
      readonly Scopes?: readonly (string)[];
      readonly ClientMetadata?: Readonly<Record<string, string>>;
    };
    output: {
      readonly ClientAuthenticationResult?: {
        readonly AccessToken?: string;
        readonly ExpiresIn?: number;
        readonly TokenType?: string;
      };
    };
  };
  GetDevice: {
    input: {
      readonly DeviceKey: string;
      readonly AccessToken?: string;
    };
    output: {
      readonly Device: {
        readonly DeviceKey?: string;
        readonly DeviceAttributes?: readonly ({
          readonly Name: string;
          readonly Value?: string;
        })[];
        readonly DeviceCreateDate?: number;
        readonly DeviceLastModifiedDate?: number;
        readonly DeviceLastAuthenticatedDate?: number;
      };
    };
  };
  GetGroup: {
    input: {
      readonly GroupName: string;
      readonly UserPoolId: string;
    };
    output: {
      readonly Group?: {
        readonly GroupName?: string;
        readonly UserPoolId?: string;
        readonly Description?: string;
        readonly RoleArn?: string;
        readonly Precedence?: number;
        readonly LastModifiedDate?: number;
        readonly CreationDate?: number;
      };
    };
  };
  GetIdentityProviderByIdentifier: {
    input: {
      readonly UserPoolId: string;
      readonly IdpIdentifier: string;
    };
    output: {
      readonly IdentityProvider: {
        readonly UserPoolId?: string;
        readonly ProviderName?: string;
        readonly ProviderType?: 'Facebook' | 'Google' | 'LoginWithAmazon' | 'OIDC' | 'SAML' | 'SignInWithApple';
        readonly ProviderDetails?: Readonly<Record<string, string>>;
        readonly AttributeMapping?: Readonly<Record<string, string>>;
        readonly IdpIdentifiers?: readonly (string)[];
        readonly AcrMapping?: Readonly<Record<string, string>>;
        readonly LastModifiedDate?: number;
        readonly CreationDate?: number;
      };
    };
  };
  GetLogDeliveryConfiguration: {
    input: {
      readonly UserPoolId: string;
    };
    output: {
      readonly LogDeliveryConfiguration?: {
        readonly UserPoolId: string;
        readonly LogConfigurations: readonly ({
          readonly LogLevel: 'ERROR' | 'INFO';
          readonly EventSource: 'userNotification' | 'userAuthEvents';
          readonly CloudWatchLogsConfiguration?: {
            readonly LogGroupArn?: string;
          };
          readonly S3Configuration?: {
            readonly BucketArn?: string;
          };
          readonly FirehoseConfiguration?: {
            readonly StreamArn?: string;
          };
        })[];
      };
    };
  };
  GetTokensFromRefreshToken: {
    input: {
      readonly RefreshToken: string;
      readonly ClientId: string;
      readonly ClientSecret?: string;
      readonly DeviceKey?: string;
      readonly ClientMetadata?: Readonly<Record<string, string>>;
    };
    output: {
      readonly AuthenticationResult?: {
        readonly AccessToken?: string;
        readonly ExpiresIn?: number;
        readonly TokenType?: string;
        readonly RefreshToken?: string;
        readonly IdToken?: string;
        readonly NewDeviceMetadata?: {
          readonly DeviceKey?: string;
          readonly DeviceGroupKey?: string;
        };
      };
    };
  };
  GetUICustomization: {
    input: {
      readonly UserPoolId: string;
      readonly ClientId?: string;
    };
    output: {
      readonly UICustomization: {
        readonly UserPoolId?: string;
        readonly ClientId?: string;
        readonly ImageUrl?: string;
        readonly CSS?: string;
        readonly CSSVersion?: string;
        readonly LastModifiedDate?: number;
        readonly CreationDate?: number;
      };
    };
  };
  GetUser: {
    input: {
      readonly AccessToken: string;
    };
    output: {
      readonly Username: string;
      readonly UserAttributes: readonly ({
        readonly Name: string;
        readonly Value?: string;
      })[];
      readonly MFAOptions?: readonly ({
        readonly DeliveryMedium?: 'SMS' | 'EMAIL';
        readonly AttributeName?: string;
      })[];
      readonly PreferredMfaSetting?: string;
      readonly UserMFASettingList?: readonly (string)[];
    };
  };
  GetUserAttributeVerificationCode: {
    input: {
      readonly AccessToken: string;
      readonly AttributeName: string;
      readonly ClientMetadata?: Readonly<Record<string, string>>;
    };
    output: {
      readonly CodeDeliveryDetails?: {
        readonly Destination?: string;
        readonly DeliveryMedium?: 'EMAIL' | 'SMS';
        readonly AttributeName?: string;
      };
    };
  };
  GetUserAuthFactors: {
    input: {
      readonly AccessToken: string;
    };
    output: {
      readonly Username: string;
      readonly PreferredMfaSetting?: string;
      readonly UserMFASettingList?: readonly (string)[];
      readonly ConfiguredUserAuthFactors?: readonly ('EMAIL_OTP' | 'PASSWORD' | 'SMS_OTP' | 'SOFTWARE_TOKEN' | 'WEB_AUTHN')[];
    };
  };
  GetUserPoolClientSessionConfiguration: {
    input: {
      readonly UserPoolId: string;
      readonly ClientId: string;
    };
    output: {
      readonly UserPoolId?: string;
      readonly ClientId?: string;
      readonly SSOSession?: {
        readonly MaxValidityMinutes: number;
      };
    };
  };
  GetUserPoolMfaConfig: {
    input: {
      readonly UserPoolId: string;
    };
    output: {
      readonly SmsMfaConfiguration?: {
        readonly SmsAuthenticationMessage?: string;
        readonly SmsConfiguration?: {
          readonly SnsCallerArn?: string;
          readonly ExternalId?: string;
          readonly SnsRegion?: string;
          readonly EumsSms?: {
            readonly CallerArn: string;
            readonly ExternalId?: string;
            readonly OriginationIdentity?: string;
            readonly ConfigurationSetName?: string;
            readonly InEntityId?: string;
            readonly InTemplateId?: string;
            readonly Region?: string;
          };
        };
      };
      readonly SoftwareTokenMfaConfiguration?: {
        readonly Enabled?: boolean;
      };
      readonly EmailMfaConfiguration?: {
        readonly Message?: string;
        readonly Subject?: string;
      };
      readonly MfaConfiguration?: 'OFF' | 'ON' | 'OPTIONAL';
      readonly WebAuthnConfiguration?: {
        readonly RelyingPartyId?: string;
        readonly UserVerification?: 'required' | 'preferred';
        readonly FactorConfiguration?: 'SINGLE_FACTOR' | 'MULTI_FACTOR_WITH_USER_VERIFICATION';
      };
    };
  };
  GetUserPoolSessionConfiguration: {
    input: {
      readonly UserPoolId: string;
    };
    output: {
      readonly UserPoolId?: string;
      readonly UserSessionTracking?: 'DISABLED' | 'ENABLED';
      readonly TokenSession?: {
        readonly MaxPerUser: number;
      };
    };
  };
  GlobalSignOut: {
    input: {
      readonly AccessToken: string;
    };
    output: Readonly<Record<never, never>>;
  };
  InitiateAuth: {
    input: {
      readonly AuthFlow: 'USER_SRP_AUTH' | 'REFRESH_TOKEN_AUTH' | 'REFRESH_TOKEN' | 'CUSTOM_AUTH' | 'ADMIN_NO_SRP_AUTH' | 'USER_PASSWORD_AUTH' | 'ADMIN_USER_PASSWORD_AUTH' | 'USER_AUTH';
      readonly ClientId: string;
      readonly AuthParameters?: Readonly<Record<string, string>>;
      readonly ClientMetadata?: Readonly<Record<string, string>>;
      readonly AnalyticsMetadata?: {
        readonly AnalyticsEndpointId?: string;
      };
      readonly UserContextData?: {
        readonly IpAddress?: string;
        readonly EncodedData?: string;
      };
      readonly Session?: string;
    };
    output: {
      readonly ChallengeName?: 'ADMIN_NO_SRP_AUTH' | 'CUSTOM_CHALLENGE' | 'DEVICE_PASSWORD_VERIFIER' | 'DEVICE_SRP_AUTH' | 'EMAIL_OTP' | 'MFA_SETUP' | 'NEW_PASSWORD_REQUIRED' | 'PASSWORD' | 'PASSWORD_SRP' | 'PASSWORD_VERIFIER' | 'SELECT_CHALLENGE' | 'SELECT_MFA_TYPE' | 'SMS_MFA' | 'SMS_OTP' | 'SOFTWARE_TOKEN_MFA' | 'WEB_AUTHN';
      readonly Session?: string;
      readonly ChallengeParameters?: Readonly<Record<string, string>>;
      readonly AuthenticationResult?: {
        readonly AccessToken?: string;
        readonly ExpiresIn?: number;
        readonly TokenType?: string;
        readonly RefreshToken?: string;
        readonly IdToken?: string;
        readonly NewDeviceMetadata?: {
          readonly DeviceKey?: string;
          readonly DeviceGroupKey?: string;
        };
      };
      readonly AvailableChallenges?: readonly ('ADMIN_NO_SRP_AUTH' | 'CUSTOM_CHALLENGE' | 'DEVICE_PASSWORD_VERIFIER' | 'DEVICE_SRP_AUTH' | 'EMAIL_OTP' | 'MFA_SETUP' | 'NEW_PASSWORD_REQUIRED' | 'PASSWORD' | 'PASSWORD_SRP' | 'PASSWORD_VERIFIER' | 'SELECT_CHALLENGE' | 'SELECT_MFA_TYPE' | 'SMS_MFA' | 'SMS_OTP' | 'SOFTWARE_TOKEN_MFA' | 'WEB_AUTHN')[];
    };
  };
  ListDevices: {
    input: {
      readonly AccessToken: string;
      readonly Limit?: number;
      readonly PaginationToken?: string;
    };
    output: {
      readonly Devices?: readonly ({
        readonly DeviceKey?: string;
        readonly DeviceAttributes?: readonly ({
          readonly Name: string;
          readonly Value?: string;
        })[];
        readonly DeviceCreateDate?: number;
        readonly DeviceLastModifiedDate?: number;
        readonly DeviceLastAuthenticatedDate?: number;
      })[];
      readonly PaginationToken?: string;
    };
  };
  ListGroups: {
    input: {
      readonly UserPoolId: string;
      readonly Limit?: number;
      readonly NextToken?: string;
    };
    output: {
      readonly Groups?: readonly ({
        readonly GroupName?: string;
        readonly UserPoolId?: string;
        readonly Description?: string;
        readonly RoleArn?: string;
        readonly Precedence?: number;
        readonly LastModifiedDate?: number;
        readonly CreationDate?: number;
      })[];
      readonly NextToken?: string;
    };
  };
  ListIdentityProviders: {
    input: {
      readonly UserPoolId: string;
      readonly MaxResults?: number;
      readonly NextToken?: string;
    };
    output: {
      readonly Providers: readonly ({
        readonly ProviderName?: string;
        readonly ProviderType?: 'Facebook' | 'Google' | 'LoginWithAmazon' | 'OIDC' | 'SAML' | 'SignInWithApple';
        readonly LastModifiedDate?: number;
        readonly CreationDate?: number;
      })[];
      readonly NextToken?: string;
    };
  };
  ListResourceServers: {
    input: {
      readonly UserPoolId: string;
      readonly MaxResults?: number;
      readonly NextToken?: string;
    };
    output: {
      readonly ResourceServers: readonly ({
        readonly UserPoolId?: string;
        readonly Identifier?: string;
        readonly Name?: string;
        readonly Scopes?: readonly ({
          readonly ScopeName: string;
          readonly ScopeDescription: string;
        })[];
        readonly ManagedBy?: 'COGNITO';
      })[];
      readonly NextToken?: string;
    };
  };
  ListTagsForResource: {
    input: {
      readonly ResourceArn: string;
    };
    output: {
      readonly Tags?: Readonly<Record<string, string>>;
    };
  };
  ListUserPoolClientSecrets: {
    input: {
      readonly UserPoolId: string;
      readonly ClientId: string;
      readonly NextToken?: string;
    };
    output: {
      readonly ClientSecrets?: readonly ({
        readonly ClientSecretId?: string;
        readonly ClientSecretValue?: string;
        readonly ClientSecretCreateDate?: number;
      })[];
      readonly NextToken?: string;
    };
  };
  ListUserPoolClients: {
    input: {
      readonly UserPoolId: string;
      readonly MaxResults?: number;
      readonly NextToken?: string;
      readonly ClientType?: 'DCR' | 'REGULAR';
    };
    output: {
      readonly UserPoolClients?: readonly ({
        readonly ClientId?: string;
        readonly UserPoolId?: string;
        readonly ClientName?: string;
      })[];
      readonly NextToken?: string;
    };
  };
  ListUserPools: {
    input: {
      readonly MaxResults: number;
      readonly NextToken?: string;
    };
    output: {
      readonly UserPools?: readonly ({
        readonly Id?: string;
        readonly Name?: string;
        readonly LambdaConfig?: {
          readonly PreSignUp?: string;
          readonly CustomMessage?: string;
          readonly PostConfirmation?: string;
          readonly PreAuthentication?: string;
          readonly PostAuthentication?: string;
          readonly DefineAuthChallenge?: string;
          readonly CreateAuthChallenge?: string;
          readonly VerifyAuthChallengeResponse?: string;
          readonly PreTokenGeneration?: string;
          readonly UserMigration?: string;
          readonly PreTokenGenerationConfig?: {
            readonly LambdaVersion: 'V1_0' | 'V2_0' | 'V3_0';
            readonly LambdaArn: string;
          };
          readonly CustomSMSSender?: {
            readonly LambdaVersion: 'V1_0';
            readonly LambdaArn: string;
          };
          readonly CustomEmailSender?: {
            readonly LambdaVersion: 'V1_0';
            readonly LambdaArn: string;
          };
          readonly KMSKeyID?: string;
          readonly InboundFederation?: {
            readonly LambdaVersion: 'V1_0';
            readonly LambdaArn: string;
          };
        };
        readonly Status?: 'Disabled' | 'Enabled';
        readonly LastModifiedDate?: number;
        readonly CreationDate?: number;
        readonly ReplicaRegions?: readonly (string)[];
      })[];
      readonly NextToken?: string;
    };
  };
  ListUserSessions: {
    input: {
      readonly AccessToken: string;
      readonly NextToken?: string;
    };
    output: {
      readonly Sessions?: readonly ({
        readonly SessionId?: string;
        readonly SessionType?: 'SSO' | 'TOKEN';
        readonly ClientId?: string;
        readonly CreateDate?: number;
        readonly LastActiveDate?: number;
        readonly DeviceType?: string;
        readonly LastIPAddress?: string;
        readonly LastLocation?: {
          readonly City?: string;
          readonly Country?: string;
        };
        readonly OriginSessionId?: string;
        readonly IsCurrentSession?: boolean;
      })[];
      readonly NextToken?: string;
    };
  };
  ListUsers: {
    input: {
      readonly UserPoolId: string;
      readonly AttributesToGet?: readonly (string)[];
      readonly Limit?: number;
      readonly PaginationToken?: string;
      readonly Filter?: string;
    };
    output: {
      readonly Users?: readonly ({
        readonly Username?: string;
        readonly Attributes?: readonly ({
          readonly Name: string;
          readonly Value?: string;
        })[];
        readonly UserCreateDate?: number;
        readonly UserLastModifiedDate?: number;
        readonly Enabled?: boolean;
        readonly UserStatus?: 'ARCHIVED' | 'COMPROMISED' | 'CONFIRMED' | 'EXTERNAL_PROVIDER' | 'FORCE_CHANGE_PASSWORD' | 'RESET_REQUIRED' | 'UNCONFIRMED' | 'UNKNOWN';
        readonly MFAOptions?: readonly ({
          readonly DeliveryMedium?: 'SMS' | 'EMAIL';
          readonly AttributeName?: string;
        })[];
      })[];
      readonly PaginationToken?: string;
    };
  };
  ListUsersInGroup: {
    input: {
      readonly UserPoolId: string;
      readonly GroupName: string;
      readonly Limit?: number;
      readonly NextToken?: string;
    };
    output: {
      readonly Users?: readonly ({
        readonly Username?: string;
        readonly Attributes?: readonly ({
          readonly Name: string;
          readonly Value?: string;
        })[];
        readonly UserCreateDate?: number;
        readonly UserLastModifiedDate?: number;
        readonly Enabled?: boolean;
        readonly UserStatus?: 'ARCHIVED' | 'COMPROMISED' | 'CONFIRMED' | 'EXTERNAL_PROVIDER' | 'FORCE_CHANGE_PASSWORD' | 'RESET_REQUIRED' | 'UNCONFIRMED' | 'UNKNOWN';
        readonly MFAOptions?: readonly ({
          readonly DeliveryMedium?: 'SMS' | 'EMAIL';
          readonly AttributeName?: string;
        })[];
      })[];
      readonly NextToken?: string;
    };
  };
  ListWebAuthnCredentials: {
    input: {
      readonly AccessToken: string;
      readonly NextToken?: string;
      readonly MaxResults?: number;
    };
    output: {
      readonly Credentials: readonly ({
        readonly CredentialId: string;
        readonly FriendlyCredentialName: string;
        readonly RelyingPartyId: string;
        readonly AuthenticatorTransports: readonly (string)[];
        readonly CreatedAt: number;
        readonly AuthenticatorAttachment?: string;
      })[];
      readonly NextToken?: string;
    };
  };
  ResendConfirmationCode: {
    input: {
      readonly ClientId: string;
      readonly Username: string;
      readonly SecretHash?: string;
      readonly UserContextData?: {
        readonly IpAddress?: string;
        readonly EncodedData?: string;
      };
      readonly AnalyticsMetadata?: {
        readonly AnalyticsEndpointId?: string;
      };
      readonly ClientMetadata?: Readonly<Record<string, string>>;
    };
    output: {
      readonly CodeDeliveryDetails?: {
        readonly Destination?: string;
        readonly DeliveryMedium?: 'EMAIL' | 'SMS';
        readonly AttributeName?: string;
      };
    };
  };
  RespondToAuthChallenge: {
    input: {
      readonly ClientId: string;
      readonly ChallengeName: 'SMS_MFA' | 'EMAIL_OTP' | 'SOFTWARE_TOKEN_MFA' | 'SELECT_MFA_TYPE' | 'MFA_SETUP' | 'PASSWORD_VERIFIER' | 'CUSTOM_CHALLENGE' | 'SELECT_CHALLENGE' | 'DEVICE_SRP_AUTH' | 'DEVICE_PASSWORD_VERIFIER' | 'ADMIN_NO_SRP_AUTH' | 'NEW_PASSWORD_REQUIRED' | 'SMS_OTP' | 'PASSWORD' | 'WEB_AUTHN' | 'PASSWORD_SRP';
      readonly Session?: string;
      readonly ChallengeResponses?: Readonly<Record<string, string>>;
      readonly AnalyticsMetadata?: {
        readonly AnalyticsEndpointId?: string;
      };
      readonly UserContextData?: {
        readonly IpAddress?: string;
        readonly EncodedData?: string;
      };
      readonly ClientMetadata?: Readonly<Record<string, string>>;
    };
    output: {
      readonly ChallengeName?: 'ADMIN_NO_SRP_AUTH' | 'CUSTOM_CHALLENGE' | 'DEVICE_PASSWORD_VERIFIER' | 'DEVICE_SRP_AUTH' | 'EMAIL_OTP' | 'MFA_SETUP' | 'NEW_PASSWORD_REQUIRED' | 'PASSWORD' | 'PASSWORD_SRP' | 'PASSWORD_VERIFIER' | 'SELECT_CHALLENGE' | 'SELECT_MFA_TYPE' | 'SMS_MFA' | 'SMS_OTP' | 'SOFTWARE_TOKEN_MFA' | 'WEB_AUTHN';
      readonly Session?: string;
      readonly ChallengeParameters?: Readonly<Record<string, string>>;
      readonly AuthenticationResult?: {
        readonly AccessToken?: string;
        readonly ExpiresIn?: number;
        readonly TokenType?: string;
        readonly RefreshToken?: string;
        readonly IdToken?: string;
        readonly NewDeviceMetadata?: {
          readonly DeviceKey?: string;
          readonly DeviceGroupKey?: string;
        };
      };
      readonly AvailableChallenges?: readonly ('ADMIN_NO_SRP_AUTH' | 'CUSTOM_CHALLENGE' | 'DEVICE_PASSWORD_VERIFIER' | 'DEVICE_SRP_AUTH' | 'EMAIL_OTP' | 'MFA_SETUP' | 'NEW_PASSWORD_REQUIRED' | 'PASSWORD' | 'PASSWORD_SRP' | 'PASSWORD_VERIFIER' | 'SELECT_CHALLENGE' | 'SELECT_MFA_TYPE' | 'SMS_MFA' | 'SMS_OTP' | 'SOFTWARE_TOKEN_MFA' | 'WEB_AUTHN')[];
    };
  };
  RevokeToken: {
    input: {
      readonly Token: string;
      readonly ClientId: string;
      readonly ClientSecret?: string;
      readonly RevokeAssociatedSessions?: 'LINKED' | 'NONE';
    };
    output: Readonly<Record<never, never>>;
  };
  RevokeUserSession: {
    input: {
      readonly AccessToken: string;
      readonly SessionId: string;
      readonly RevokeAssociatedSessions?: 'LINKED' | 'NONE';
    };
    output: Readonly<Record<never, never>>;
  };
  SetLogDeliveryConfiguration: {
    input: {
      readonly UserPoolId: string;
      readonly LogConfigurations: readonly ({
        readonly LogLevel: 'ERROR' | 'INFO';
        readonly EventSource: 'userNotification' | 'userAuthEvents';
        readonly CloudWatchLogsConfiguration?: {
          readonly LogGroupArn?: string;
        };
        readonly S3Configuration?: {
          readonly BucketArn?: string;
        };
        readonly FirehoseConfiguration?: {
          readonly StreamArn?: string;
        };
      })[];
    };
    output: {
      readonly LogDeliveryConfiguration?: {
        readonly UserPoolId: string;
        readonly LogConfigurations: readonly ({
          readonly LogLevel: 'ERROR' | 'INFO';
          readonly EventSource: 'userNotification' | 'userAuthEvents';
          readonly CloudWatchLogsConfiguration?: {
            readonly LogGroupArn?: string;
          };
          readonly S3Configuration?: {
            readonly BucketArn?: string;
          };
          readonly FirehoseConfiguration?: {
            readonly StreamArn?: string;
          };
        })[];
      };
    };
  };
  SetRiskConfiguration: {
    input: {
      readonly UserPoolId: string;
      readonly ClientId?: string;
      readonly CompromisedCredentialsRiskConfiguration?: {
        readonly Actions: {
          readonly EventAction: 'BLOCK' | 'NO_ACTION';
        };
        readonly EventFilter?: readonly ('SIGN_IN' | 'PASSWORD_CHANGE' | 'SIGN_UP')[];
      };
      readonly AccountTakeoverRiskConfiguration?: {
        readonly Actions: {
          readonly LowAction?: {
            readonly Notify: boolean;
            readonly EventAction: 'BLOCK' | 'MFA_IF_CONFIGURED' | 'MFA_REQUIRED' | 'NO_ACTION';
          };
          readonly MediumAction?: {
            readonly Notify: boolean;
            readonly EventAction: 'BLOCK' | 'MFA_IF_CONFIGURED' | 'MFA_REQUIRED' | 'NO_ACTION';
          };
          readonly HighAction?: {
            readonly Notify: boolean;
            readonly EventAction: 'BLOCK' | 'MFA_IF_CONFIGURED' | 'MFA_REQUIRED' | 'NO_ACTION';
          };
        };
        readonly NotifyConfiguration?: {
          readonly SourceArn: string;
          readonly From?: string;
          readonly ReplyTo?: string;
          readonly BlockEmail?: {
            readonly Subject: string;
            readonly HtmlBody?: string;
            readonly TextBody?: string;
          };
          readonly NoActionEmail?: {
            readonly Subject: string;
            readonly HtmlBody?: string;
            readonly TextBody?: string;
          };
          readonly MfaEmail?: {
            readonly Subject: string;
            readonly HtmlBody?: string;
            readonly TextBody?: string;
          };
        };
      };
      readonly RiskExceptionConfiguration?: {
        readonly BlockedIPRangeList?: readonly (string)[];
        readonly SkippedIPRangeList?: readonly (string)[];
      };
    };
    output: {
      readonly RiskConfiguration: {
        readonly UserPoolId?: string;
        readonly ClientId?: string;
        readonly CompromisedCredentialsRiskConfiguration?: {
          readonly Actions: {
            readonly EventAction: 'BLOCK' | 'NO_ACTION';
          };
          readonly EventFilter?: readonly ('SIGN_IN' | 'PASSWORD_CHANGE' | 'SIGN_UP')[];
        };
        readonly AccountTakeoverRiskConfiguration?: {
          readonly Actions: {
            readonly LowAction?: {
              readonly Notify: boolean;
              readonly EventAction: 'BLOCK' | 'MFA_IF_CONFIGURED' | 'MFA_REQUIRED' | 'NO_ACTION';
            };
            readonly MediumAction?: {
              readonly Notify: boolean;
              readonly EventAction: 'BLOCK' | 'MFA_IF_CONFIGURED' | 'MFA_REQUIRED' | 'NO_ACTION';
            };
            readonly HighAction?: {
              readonly Notify: boolean;
              readonly EventAction: 'BLOCK' | 'MFA_IF_CONFIGURED' | 'MFA_REQUIRED' | 'NO_ACTION';
            };
          };
          readonly NotifyConfiguration?: {
            readonly SourceArn: string;
            readonly From?: string;
            readonly ReplyTo?: string;
            readonly BlockEmail?: {
              readonly Subject: string;
              readonly HtmlBody?: string;
              readonly TextBody?: string;
            };
            readonly NoActionEmail?: {
              readonly Subject: string;
              readonly HtmlBody?: string;
              readonly TextBody?: string;
            };
            readonly MfaEmail?: {
              readonly Subject: string;
              readonly HtmlBody?: string;
              readonly TextBody?: string;
            };
          };
        };
        readonly RiskExceptionConfiguration?: {
          readonly BlockedIPRangeList?: readonly (string)[];
          readonly SkippedIPRangeList?: readonly (string)[];
        };
        readonly LastModifiedDate?: number;
      };
    };
  };
  SetUICustomization: {
    input: {
      readonly UserPoolId: string;
      readonly ClientId?: string;
      readonly CSS?: string;
      readonly ImageFile?: string;
    };
    output: {
      readonly UICustomization: {
        readonly UserPoolId?: string;
        readonly ClientId?: string;
        readonly ImageUrl?: string;
        readonly CSS?: string;
        readonly CSSVersion?: string;
        readonly LastModifiedDate?: number;
        readonly CreationDate?: number;
      };
    };
  };
  SetUserMFAPreference: {
    input: {
      readonly AccessToken: string;
      readonly SMSMfaSettings?: {
        readonly Enabled?: boolean;
        readonly PreferredMfa?: boolean;
      };
      readonly SoftwareTokenMfaSettings?: {
        readonly Enabled?: boolean;
        readonly PreferredMfa?: boolean;
      };
      readonly EmailMfaSettings?: {
        readonly Enabled?: boolean;
        readonly PreferredMfa?: boolean;
      };
      readonly WebAuthnMfaSettings?: {
        readonly Enabled?: boolean;
      };
    };
    output: Readonly<Record<never, never>>;
  };
  SetUserPoolClientSessionConfiguration: {
    input: {
      readonly UserPoolId: string;
      readonly ClientId: string;
      readonly SSOSession: {
        readonly MaxValidityMinutes: number;
      };
    };
    output: {
      readonly UserPoolId?: string;
      readonly ClientId?: string;
      readonly SSOSession?: {
        readonly MaxValidityMinutes: number;
      };
    };
  };
  SetUserPoolMfaConfig: {
    input: {
      readonly UserPoolId: string;
      readonly SmsMfaConfiguration?: {
        readonly SmsAuthenticationMessage?: string;
        readonly SmsConfiguration?: {
          readonly SnsCallerArn?: string;
          readonly ExternalId?: string;
          readonly SnsRegion?: string;
          readonly EumsSms?: {
            readonly CallerArn: string;
            readonly ExternalId?: string;
            readonly OriginationIdentity?: string;
            readonly ConfigurationSetName?: string;
            readonly InEntityId?: string;
            readonly InTemplateId?: string;
            readonly Region?: string;
          };
        };
      };
      readonly SoftwareTokenMfaConfiguration?: {
        readonly Enabled?: boolean;
      };
      readonly EmailMfaConfiguration?: {
        readonly Message?: string;
        readonly Subject?: string;
      };
      readonly MfaConfiguration?: 'OFF' | 'ON' | 'OPTIONAL';
      readonly WebAuthnConfiguration?: {
        readonly RelyingPartyId?: string;
        readonly UserVerification?: 'required' | 'preferred';
        readonly FactorConfiguration?: 'SINGLE_FACTOR' | 'MULTI_FACTOR_WITH_USER_VERIFICATION';
      };
    };
    output: {
      readonly SmsMfaConfiguration?: {
        readonly SmsAuthenticationMessage?: string;
        readonly SmsConfiguration?: {
          readonly SnsCallerArn?: string;
          readonly ExternalId?: string;
          readonly SnsRegion?: string;
          readonly EumsSms?: {
            readonly CallerArn: string;
            readonly ExternalId?: string;
            readonly OriginationIdentity?: string;
            readonly ConfigurationSetName?: string;
            readonly InEntityId?: string;
            readonly InTemplateId?: string;
            readonly Region?: string;
          };
        };
      };
      readonly SoftwareTokenMfaConfiguration?: {
        readonly Enabled?: boolean;
      };
      readonly EmailMfaConfiguration?: {
        readonly Message?: string;
        readonly Subject?: string;
      };
      readonly MfaConfiguration?: 'OFF' | 'ON' | 'OPTIONAL';
      readonly WebAuthnConfiguration?: {
        readonly RelyingPartyId?: string;
        readonly UserVerification?: 'required' | 'preferred';
        readonly FactorConfiguration?: 'SINGLE_FACTOR' | 'MULTI_FACTOR_WITH_USER_VERIFICATION';
      };
    };
  };
  SetUserPoolSessionConfiguration: {
    input: {
      readonly UserPoolId: string;
      readonly UserSessionTracking: 'DISABLED' | 'ENABLED';
      readonly TokenSession: {
        readonly MaxPerUser: number;
      };
    };
    output: {
      readonly UserPoolId?: string;
      readonly UserSessionTracking?: 'DISABLED' | 'ENABLED';
      readonly TokenSession?: {
        readonly MaxPerUser: number;
      };
    };
  };
  SetUserSettings: {
    input: {
      readonly AccessToken: string;
      readonly MFAOptions: readonly ({
        readonly DeliveryMedium?: 'SMS' | 'EMAIL';
        readonly AttributeName?: string;
      })[];
    };
    output: Readonly<Record<never, never>>;
  };
  SignUp: {
    input: {
      readonly ClientId: string;
      readonly Username: string;
      readonly SecretHash?: string;
      readonly Password?: string;
      readonly UserAttributes?: readonly ({
        readonly Name: string;
        readonly Value?: string;
      })[];
      readonly ValidationData?: readonly ({
        readonly Name: string;
        readonly Value?: string;
      })[];
      readonly AnalyticsMetadata?: {
        readonly AnalyticsEndpointId?: string;
      };
      readonly UserContextData?: {
        readonly IpAddress?: string;
        readonly EncodedData?: string;
      };
      readonly ClientMetadata?: Readonly<Record<string, string>>;
    };
    output: {
      readonly UserConfirmed: boolean;
      readonly UserSub: string;
      readonly CodeDeliveryDetails?: {
        readonly Destination?: string;
        readonly DeliveryMedium?: 'EMAIL' | 'SMS';
        readonly AttributeName?: string;
      };
      readonly Session?: string;
    };
  };
  StartWebAuthnRegistration: {
    input: {
      readonly AccessToken: string;
    };
    output: {
      readonly CredentialCreationOptions: unknown;
    };
  };
  TagResource: {
    input: {
      readonly ResourceArn: string;
      readonly Tags: Readonly<Record<string, string>>;
    };
    output: Readonly<Record<never, never>>;
  };
  UntagResource: {
    input: {
      readonly ResourceArn: string;
      readonly TagKeys: readonly (string)[];
    };
    output: Readonly<Record<never, never>>;
  };
  UpdateDeviceStatus: {
    input: {
      readonly AccessToken: string;
      readonly DeviceKey: string;
      readonly DeviceRememberedStatus?: 'remembered' | 'not_remembered';
    };
    output: Readonly<Record<never, never>>;
  };
  UpdateGroup: {
    input: {
      readonly GroupName: string;
      readonly UserPoolId: string;
      readonly Description?: string;
      readonly RoleArn?: string;
      readonly Precedence?: number;
    };
    output: {
      readonly Group?: {
        readonly GroupName?: string;
        readonly UserPoolId?: string;
        readonly Description?: string;
        readonly RoleArn?: string;
        readonly Precedence?: number;
        readonly LastModifiedDate?: number;
        readonly CreationDate?: number;
      };
    };
  };
  UpdateIdentityProvider: {
    input: {
      readonly UserPoolId: string;
      readonly ProviderName: string;
      readonly ProviderDetails?: Readonly<Record<string, string>>;
      readonly AttributeMapping?: Readonly<Record<string, string>>;
      readonly IdpIdentifiers?: readonly (string)[];
      readonly AcrMapping?: Readonly<Record<string, string>>;
    };
    output: {
      readonly IdentityProvider: {
        readonly UserPoolId?: string;
        readonly ProviderName?: string;
        readonly ProviderType?: 'Facebook' | 'Google' | 'LoginWithAmazon' | 'OIDC' | 'SAML' | 'SignInWithApple';
        readonly ProviderDetails?: Readonly<Record<string, string>>;
        readonly AttributeMapping?: Readonly<Record<string, string>>;
        readonly IdpIdentifiers?: readonly (string)[];
        readonly AcrMapping?: Readonly<Record<string, string>>;
        readonly LastModifiedDate?: number;
        readonly CreationDate?: number;
      };
    };
  };
  UpdateManagedLoginBranding: {
    input: {
      readonly UserPoolId?: string;
      readonly ManagedLoginBrandingId?: string;
      readonly UseCognitoProvidedValues?: boolean;
      readonly Settings?: unknown;
      readonly Assets?: readonly ({
        readonly Category: 'FAVICON_ICO' | 'FAVICON_SVG' | 'EMAIL_GRAPHIC' | 'SMS_GRAPHIC' | 'AUTH_APP_GRAPHIC' | 'PASSWORD_GRAPHIC' | 'PASSKEY_GRAPHIC' | 'PAGE_HEADER_LOGO' | 'PAGE_HEADER_BACKGROUND' | 'PAGE_FOOTER_LOGO' | 'PAGE_FOOTER_BACKGROUND' | 'PAGE_BACKGROUND' | 'FORM_BACKGROUND' | 'FORM_LOGO' | 'IDP_BUTTON_ICON';
        readonly ColorMode: 'LIGHT' | 'DARK' | 'DYNAMIC';
        readonly Extension: 'ICO' | 'JPEG' | 'PNG' | 'SVG' | 'WEBP';
        readonly Bytes?: string;
        readonly ResourceId?: string;
      })[];
    };
    output: {
      readonly ManagedLoginBranding?: {
        readonly ManagedLoginBrandingId?: string;
        readonly UserPoolId?: string;
        readonly UseCognitoProvidedValues?: boolean;
        readonly Settings?: unknown;
        readonly Assets?: readonly ({
          readonly Category: 'FAVICON_ICO' | 'FAVICON_SVG' | 'EMAIL_GRAPHIC' | 'SMS_GRAPHIC' | 'AUTH_APP_GRAPHIC' | 'PASSWORD_GRAPHIC' | 'PASSKEY_GRAPHIC' | 'PAGE_HEADER_LOGO' | 'PAGE_HEADER_BACKGROUND' | 'PAGE_FOOTER_LOGO' | 'PAGE_FOOTER_BACKGROUND' | 'PAGE_BACKGROUND' | 'FORM_BACKGROUND' | 'FORM_LOGO' | 'IDP_BUTTON_ICON';
          readonly ColorMode: 'LIGHT' | 'DARK' | 'DYNAMIC';
          readonly Extension: 'ICO' | 'JPEG' | 'PNG' | 'SVG' | 'WEBP';
          readonly Bytes?: string;
          readonly ResourceId?: string;
        })[];
        readonly CreationDate?: number;
        readonly LastModifiedDate?: number;
      };
    };
  };
  UpdateResourceServer: {
    input: {
      readonly UserPoolId: string;
      readonly Identifier: string;
      readonly Name: string;
      readonly Scopes?: readonly ({
        readonly ScopeName: string;
        readonly ScopeDescription: string;
      })[];
    };
    output: {
      readonly ResourceServer: {
        readonly UserPoolId?: string;
        readonly Identifier?: string;
        readonly Name?: string;
        readonly Scopes?: readonly ({
          readonly ScopeName: string;
          readonly ScopeDescription: string;
        })[];
        readonly ManagedBy?: 'COGNITO';
      };
    };
  };
  UpdateUserAttributes: {
    input: {
      readonly UserAttributes: readonly ({
        readonly Name: string;
        readonly Value?: string;
      })[];
      readonly AccessToken: string;
      readonly ClientMetadata?: Readonly<Record<string, string>>;
    };
    output: {
      readonly CodeDeliveryDetailsList?: readonly ({
        readonly Destination?: string;
        readonly DeliveryMedium?: 'EMAIL' | 'SMS';
        readonly AttributeName?: string;
      })[];
    };
  };
  UpdateUserPool: {
    input: {
      readonly UserPoolId: string;
      readonly Policies?: {
        readonly PasswordPolicy?: {
          readonly MinimumLength?: number;
          readonly RequireUppercase?: boolean;
          readonly RequireLowercase?: boolean;
          readonly RequireNumbers?: boolean;
          readonly RequireSymbols?: boolean;
          readonly PasswordHistorySize?: number;
          readonly TemporaryPasswordValidityDays?: number;
        };
        readonly SignInPolicy?: {
          readonly AllowedFirstAuthFactors?: readonly ('PASSWORD' | 'EMAIL_OTP' | 'SMS_OTP' | 'WEB_AUTHN' | 'SOFTWARE_TOKEN')[];
        };
      };
      readonly DeletionProtection?: 'ACTIVE' | 'INACTIVE';
      readonly LambdaConfig?: {
        readonly PreSignUp?: string;
        readonly CustomMessage?: string;
        readonly PostConfirmation?: string;
        readonly PreAuthentication?: string;
        readonly PostAuthentication?: string;
        readonly DefineAuthChallenge?: string;
        readonly CreateAuthChallenge?: string;
        readonly VerifyAuthChallengeResponse?: string;
        readonly PreTokenGeneration?: string;
        readonly UserMigration?: string;
        readonly PreTokenGenerationConfig?: {
          readonly LambdaVersion: 'V1_0' | 'V2_0' | 'V3_0';
          readonly LambdaArn: string;
        };
        readonly CustomSMSSender?: {
          readonly LambdaVersion: 'V1_0';
          readonly LambdaArn: string;
        };
        readonly CustomEmailSender?: {
          readonly LambdaVersion: 'V1_0';
          readonly LambdaArn: string;
        };
        readonly KMSKeyID?: string;
        readonly InboundFederation?: {
          readonly LambdaVersion: 'V1_0';
          readonly LambdaArn: string;
        };
      };
      readonly AutoVerifiedAttributes?: readonly ('phone_number' | 'email')[];
      readonly SmsVerificationMessage?: string;
      readonly EmailVerificationMessage?: string;
      readonly EmailVerificationSubject?: string;
      readonly VerificationMessageTemplate?: {
        readonly SmsMessage?: string;
        readonly EmailMessage?: string;
        readonly EmailSubject?: string;
        readonly EmailMessageByLink?: string;
        readonly EmailSubjectByLink?: string;
        readonly DefaultEmailOption?: 'CONFIRM_WITH_LINK' | 'CONFIRM_WITH_CODE';
      };
      readonly SmsAuthenticationMessage?: string;
      readonly UserAttributeUpdateSettings?: {
        readonly AttributesRequireVerificationBeforeUpdate?: readonly ('phone_number' | 'email')[];
      };
      readonly MfaConfiguration?: 'OFF' | 'ON' | 'OPTIONAL';
      readonly DeviceConfiguration?: {
        readonly ChallengeRequiredOnNewDevice?: boolean;
        readonly DeviceOnlyRememberedOnUserPrompt?: boolean;
      };
      readonly EmailConfiguration?: {
        readonly SourceArn?: string;
        readonly ReplyToEmailAddress?: string;
        readonly EmailSendingAccount?: 'COGNITO_DEFAULT' | 'DEVELOPER';
        readonly From?: string;
        readonly ConfigurationSet?: string;
      };
      readonly SmsConfiguration?: {
        readonly SnsCallerArn?: string;
        readonly ExternalId?: string;
        readonly SnsRegion?: string;
        readonly EumsSms?: {
          readonly CallerArn: string;
          readonly ExternalId?: string;
          readonly OriginationIdentity?: string;
          readonly ConfigurationSetName?: string;
          readonly InEntityId?: string;
          readonly InTemplateId?: string;
          readonly Region?: string;
        };
      };
      readonly UserPoolTags?: Readonly<Record<string, string>>;
      readonly AdminCreateUserConfig?: {
        readonly AllowAdminCreateUserOnly?: boolean;
        readonly UnusedAccountValidityDays?: number;
        readonly InviteMessageTemplate?: {
          readonly SMSMessage?: string;
          readonly EmailMessage?: string;
          readonly EmailSubject?: string;
        };
      };
      readonly UserPoolAddOns?: {
        readonly AdvancedSecurityMode: 'OFF' | 'AUDIT' | 'ENFORCED';
        readonly AdvancedSecurityAdditionalFlows?: {
          readonly CustomAuthMode?: 'AUDIT' | 'ENFORCED';
        };
      };
      readonly DcrConfiguration?: {
        readonly EnableStatus?: 'Disabled' | 'Enabled';
        readonly OpenDcrEnabled?: boolean;
        readonly AuthenticatedGrantTypes?: readonly ('client_credentials' | 'code' | 'implicit')[];
        readonly OpenDcrGrantTypes?: readonly ('client_credentials' | 'code' | 'implicit')[];
        readonly AllowedScopes?: readonly (string)[];
      };
      readonly AccountRecoverySetting?: {
        readonly RecoveryMechanisms?: readonly ({
          readonly Priority: number;
          readonly Name: 'verified_email' | 'verified_phone_number' | 'admin_only';
        })[];
      };
      readonly PoolName?: string;
      readonly UserPoolTier?: 'LITE' | 'ESSENTIALS' | 'PLUS';
      readonly KeyConfiguration?: {
        readonly KeyType?: 'AWS_OWNED_KEY' | 'CUSTOMER_MANAGED_KEY';
        readonly KmsKeyArn?: string;
      };
      readonly IssuerConfiguration?: {
        readonly Type?: 'ORIGINAL' | 'UPDATED';
      };
      readonly AcrConfiguration?: Readonly<Record<string, {
        readonly AcrValue: string;
      }>>;
    };
    output: Readonly<Record<never, never>>;
  };
  UpdateUserPoolClient: {
    input: {
      readonly UserPoolId: string;
      readonly ClientId: string;
      readonly ClientName?: string;
      readonly RefreshTokenValidity?: number;
      readonly AccessTokenValidity?: number;
      readonly IdTokenValidity?: number;
      readonly TokenValidityUnits?: {
        readonly AccessToken?: 'seconds' | 'minutes' | 'hours' | 'days';
        readonly IdToken?: 'seconds' | 'minutes' | 'hours' | 'days';
        readonly RefreshToken?: 'seconds' | 'minutes' | 'hours' | 'days';
      };
      readonly ReadAttributes?: readonly (string)[];
      readonly WriteAttributes?: readonly (string)[];
      readonly ExplicitAuthFlows?: readonly ('ADMIN_NO_SRP_AUTH' | 'CUSTOM_AUTH_FLOW_ONLY' | 'USER_PASSWORD_AUTH' | 'ALLOW_ADMIN_USER_PASSWORD_AUTH' | 'ALLOW_CUSTOM_AUTH' | 'ALLOW_USER_PASSWORD_AUTH' | 'ALLOW_USER_SRP_AUTH' | 'ALLOW_REFRESH_TOKEN_AUTH' | 'ALLOW_USER_AUTH' | 'ALLOW_CLIENT_TOKEN_AUTH')[];
      readonly SupportedIdentityProviders?: readonly (string)[];
      readonly CallbackURLs?: readonly (string)[];
      readonly LogoutURLs?: readonly (string)[];
      readonly DefaultRedirectURI?: string;
      readonly AllowedOAuthFlows?: readonly ('code' | 'implicit' | 'client_credentials')[];
      readonly AllowedOAuthScopes?: readonly (string)[];
      readonly AllowedOAuthFlowsUserPoolClient?: boolean;
      readonly AnalyticsConfiguration?: {
        readonly ApplicationId?: string;
        readonly ApplicationArn?: string;
        readonly RoleArn?: string;
        readonly ExternalId?: string;
        readonly UserDataShared?: boolean;
      };
      readonly PreventUserExistenceErrors?: 'LEGACY' | 'ENABLED';
      readonly EnableTokenRevocation?: boolean;
      readonly EnablePropagateAdditionalUserContextData?: boolean;
      readonly AuthSessionValidity?: number;
      readonly RefreshTokenRotation?: {
        readonly Feature: 'ENABLED' | 'DISABLED';
        readonly RetryGracePeriodSeconds?: number;
      };
    };
    output: {
      readonly UserPoolClient?: {
        readonly UserPoolId?: string;
        readonly ClientName?: string;
        readonly ClientId?: string;
        readonly ClientSecret?: string;
        readonly LastModifiedDate?: number;
        readonly CreationDate?: number;
        readonly RefreshTokenValidity?: number;
        readonly AccessTokenValidity?: number;
        readonly IdTokenValidity?: number;
        readonly TokenValidityUnits?: {
          readonly AccessToken?: 'seconds' | 'minutes' | 'hours' | 'days';
          readonly IdToken?: 'seconds' | 'minutes' | 'hours' | 'days';
          readonly RefreshToken?: 'seconds' | 'minutes' | 'hours' | 'days';
        };
        readonly ReadAttributes?: readonly (string)[];
        readonly WriteAttributes?: readonly (string)[];
        readonly ExplicitAuthFlows?: readonly ('ADMIN_NO_SRP_AUTH' | 'ALLOW_ADMIN_USER_PASSWORD_AUTH' | 'ALLOW_CUSTOM_AUTH' | 'ALLOW_REFRESH_TOKEN_AUTH' | 'ALLOW_USER_AUTH' | 'ALLOW_USER_PASSWORD_AUTH' | 'ALLOW_USER_SRP_AUTH' | 'CUSTOM_AUTH_FLOW_ONLY' | 'USER_PASSWORD_AUTH' | 'ALLOW_CLIENT_TOKEN_AUTH')[];
        readonly SupportedIdentityProviders?: readonly (string)[];
        readonly CallbackURLs?: readonly (string)[];
        readonly LogoutURLs?: readonly (string)[];
        readonly DefaultRedirectURI?: string;
        readonly AllowedOAuthFlows?: readonly ('client_credentials' | 'code' | 'implicit')[];
        readonly AllowedOAuthScopes?: readonly (string)[];
        readonly AllowedOAuthFlowsUserPoolClient?: boolean;
        readonly AnalyticsConfiguration?: {
          readonly ApplicationId?: string;
          readonly ApplicationArn?: string;
          readonly RoleArn?: string;
          readonly ExternalId?: string;
          readonly UserDataShared?: boolean;
        };
        readonly PreventUserExistenceErrors?: 'ENABLED' | 'LEGACY';
        readonly EnableTokenRevocation?: boolean;
        readonly EnablePropagateAdditionalUserContextData?: boolean;
        readonly AuthSessionValidity?: number;
        readonly RefreshTokenRotation?: {
          readonly Feature: 'ENABLED' | 'DISABLED';
          readonly RetryGracePeriodSeconds?: number;
        };
        readonly ClientType?: 'DCR' | 'REGULAR';
      };
    };
  };
  UpdateUserPoolDomain: {
    input: {
      readonly Domain: string;
      readonly UserPoolId: string;
      readonly ManagedLoginVersion?: number;
      readonly CustomDomainConfig?: {
        readonly CertificateArn: string;
        readonly SecurityPolicy?: 'TLS_V1' | 'TLS_V1_2_2021' | 'TLS_V1_3_2025';
      };
      readonly Routing?: {
        readonly Failover?: {
          readonly SecondaryRegion: string;
          readonly PrimaryRoute53HealthCheckId: string;
        };
      };
    };
    output: {
      readonly ManagedLoginVersion?: number;
      readonly CloudFrontDomain?: string;
      readonly Routing?: {
        readonly Failover?: {
          readonly SecondaryRegion: string;
          readonly PrimaryRoute53HealthCheckId: string;
        };
      };
    };
  };
  VerifySoftwareToken: {
    input: {
      readonly UserCode: string;
      readonly AccessToken?: string;
      readonly Session?: string;
      readonly FriendlyDeviceName?: string;
    };
    output: {
      readonly Status?: 'ERROR' | 'SUCCESS';
      readonly Session?: string;
    };
  };
  VerifyUserAttribute: {
    input: {
      readonly AccessToken: string;
      readonly AttributeName: string;
      readonly Code: string;
    };
    output: Readonly<Record<never, never>>;
  };
}
