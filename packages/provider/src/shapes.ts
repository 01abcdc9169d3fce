// Written by tools/provider-shapes.ts from cognito-ops.json and operations.ts. Timestamps are epoch seconds.

/** Request and response shapes of every operation of the port, by operation name. */
export interface Operations {
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
        readonly UserStatus?: 'UNCONFIRMED' | 'CONFIRMED' | 'ARCHIVED' | 'COMPROMISED' | 'UNKNOWN' | 'RESET_REQUIRED' | 'FORCE_CHANGE_PASSWORD' | 'EXTERNAL_PROVIDER';
        readonly MFAOptions?: readonly ({
          readonly DeliveryMedium?: 'SMS' | 'EMAIL';
          readonly AttributeName?: string;
        })[];
      };
    };
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
      readonly UserStatus?: 'UNCONFIRMED' | 'CONFIRMED' | 'ARCHIVED' | 'COMPROMISED' | 'UNKNOWN' | 'RESET_REQUIRED' | 'FORCE_CHANGE_PASSWORD' | 'EXTERNAL_PROVIDER';
      readonly MFAOptions?: readonly ({
        readonly DeliveryMedium?: 'SMS' | 'EMAIL';
        readonly AttributeName?: string;
      })[];
      readonly PreferredMfaSetting?: string;
      readonly UserMFASettingList?: readonly (string)[];
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
      readonly ChallengeName?: 'SMS_MFA' | 'EMAIL_OTP' | 'SOFTWARE_TOKEN_MFA' | 'SELECT_MFA_TYPE' | 'MFA_SETUP' | 'PASSWORD_VERIFIER' | 'CUSTOM_CHALLENGE' | 'SELECT_CHALLENGE' | 'DEVICE_SRP_AUTH' | 'DEVICE_PASSWORD_VERIFIER' | 'ADMIN_NO_SRP_AUTH' | 'NEW_PASSWORD_REQUIRED' | 'SMS_OTP' | 'PASSWORD' | 'WEB_AUTHN' | 'PASSWORD_SRP';
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
      readonly AvailableChallenges?: readonly ('SMS_MFA' | 'EMAIL_OTP' | 'SOFTWARE_TOKEN_MFA' | 'SELECT_MFA_TYPE' | 'MFA_SETUP' | 'PASSWORD_VERIFIER' | 'CUSTOM_CHALLENGE' | 'SELECT_CHALLENGE' | 'DEVICE_SRP_AUTH' | 'DEVICE_PASSWORD_VERIFIER' | 'ADMIN_NO_SRP_AUTH' | 'NEW_PASSWORD_REQUIRED' | 'SMS_OTP' | 'PASSWORD' | 'WEB_AUTHN' | 'PASSWORD_SRP')[];
    };
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
      readonly ChallengeName?: 'SMS_MFA' | 'EMAIL_OTP' | 'SOFTWARE_TOKEN_MFA' | 'SELECT_MFA_TYPE' | 'MFA_SETUP' | 'PASSWORD_VERIFIER' | 'CUSTOM_CHALLENGE' | 'SELECT_CHALLENGE' | 'DEVICE_SRP_AUTH' | 'DEVICE_PASSWORD_VERIFIER' | 'ADMIN_NO_SRP_AUTH' | 'NEW_PASSWORD_REQUIRED' | 'SMS_OTP' | 'PASSWORD' | 'WEB_AUTHN' | 'PASSWORD_SRP';
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
    };
  };
  AdminSetUserMFAPreference: {
    input: {
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
      readonly Username: string;
      readonly UserPoolId: string;
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
      readonly PreviousPassword?: string;
      readonly ProposedPassword: string;
      readonly AccessToken: string;
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
      readonly SecretHash?: string;
      readonly Username: string;
      readonly ConfirmationCode: string;
      readonly Password: string;
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
      readonly SecretHash?: string;
      readonly Username: string;
      readonly ConfirmationCode: string;
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
  DeleteGroup: {
    input: {
      readonly GroupName: string;
      readonly UserPoolId: string;
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
  DeleteWebAuthnCredential: {
    input: {
      readonly AccessToken: string;
      readonly CredentialId: string;
    };
    output: Readonly<Record<never, never>>;
  };
  ForgetDevice: {
    input: {
      readonly AccessToken?: string;
      readonly DeviceKey: string;
    };
    output: Readonly<Record<never, never>>;
  };
  ForgotPassword: {
    input: {
      readonly ClientId: string;
      readonly SecretHash?: string;
      readonly UserContextData?: {
        readonly IpAddress?: string;
        readonly EncodedData?: string;
      };
      readonly Username: string;
      readonly AnalyticsMetadata?: {
        readonly AnalyticsEndpointId?: string;
      };
      readonly ClientMetadata?: Readonly<Record<string, string>>;
    };
    output: {
      readonly CodeDeliveryDetails?: {
        readonly Destination?: string;
        readonly DeliveryMedium?: 'SMS' | 'EMAIL';
        readonly AttributeName?: string;
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
        readonly DeliveryMedium?: 'SMS' | 'EMAIL';
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
      readonly ConfiguredUserAuthFactors?: readonly ('PASSWORD' | 'EMAIL_OTP' | 'SMS_OTP' | 'WEB_AUTHN' | 'SOFTWARE_TOKEN')[];
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
      readonly AuthParameters?: Readonly<Record<string, string>>;
      readonly ClientMetadata?: Readonly<Record<string, string>>;
      readonly ClientId: string;
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
      readonly ChallengeName?: 'SMS_MFA' | 'EMAIL_OTP' | 'SOFTWARE_TOKEN_MFA' | 'SELECT_MFA_TYPE' | 'MFA_SETUP' | 'PASSWORD_VERIFIER' | 'CUSTOM_CHALLENGE' | 'SELECT_CHALLENGE' | 'DEVICE_SRP_AUTH' | 'DEVICE_PASSWORD_VERIFIER' | 'ADMIN_NO_SRP_AUTH' | 'NEW_PASSWORD_REQUIRED' | 'SMS_OTP' | 'PASSWORD' | 'WEB_AUTHN' | 'PASSWORD_SRP';
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
      readonly AvailableChallenges?: readonly ('SMS_MFA' | 'EMAIL_OTP' | 'SOFTWARE_TOKEN_MFA' | 'SELECT_MFA_TYPE' | 'MFA_SETUP' | 'PASSWORD_VERIFIER' | 'CUSTOM_CHALLENGE' | 'SELECT_CHALLENGE' | 'DEVICE_SRP_AUTH' | 'DEVICE_PASSWORD_VERIFIER' | 'ADMIN_NO_SRP_AUTH' | 'NEW_PASSWORD_REQUIRED' | 'SMS_OTP' | 'PASSWORD' | 'WEB_AUTHN' | 'PASSWORD_SRP')[];
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
        readonly UserStatus?: 'UNCONFIRMED' | 'CONFIRMED' | 'ARCHIVED' | 'COMPROMISED' | 'UNKNOWN' | 'RESET_REQUIRED' | 'FORCE_CHANGE_PASSWORD' | 'EXTERNAL_PROVIDER';
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
        readonly UserStatus?: 'UNCONFIRMED' | 'CONFIRMED' | 'ARCHIVED' | 'COMPROMISED' | 'UNKNOWN' | 'RESET_REQUIRED' | 'FORCE_CHANGE_PASSWORD' | 'EXTERNAL_PROVIDER';
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
        readonly AuthenticatorAttachment?: string;
        readonly AuthenticatorTransports: readonly (string)[];
        readonly CreatedAt: number;
      })[];
      readonly NextToken?: string;
    };
  };
  ResendConfirmationCode: {
    input: {
      readonly ClientId: string;
      readonly SecretHash?: string;
      readonly UserContextData?: {
        readonly IpAddress?: string;
        readonly EncodedData?: string;
      };
      readonly Username: string;
      readonly AnalyticsMetadata?: {
        readonly AnalyticsEndpointId?: string;
      };
      readonly ClientMetadata?: Readonly<Record<string, string>>;
    };
    output: {
      readonly CodeDeliveryDetails?: {
        readonly Destination?: string;
        readonly DeliveryMedium?: 'SMS' | 'EMAIL';
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
      readonly ChallengeName?: 'SMS_MFA' | 'EMAIL_OTP' | 'SOFTWARE_TOKEN_MFA' | 'SELECT_MFA_TYPE' | 'MFA_SETUP' | 'PASSWORD_VERIFIER' | 'CUSTOM_CHALLENGE' | 'SELECT_CHALLENGE' | 'DEVICE_SRP_AUTH' | 'DEVICE_PASSWORD_VERIFIER' | 'ADMIN_NO_SRP_AUTH' | 'NEW_PASSWORD_REQUIRED' | 'SMS_OTP' | 'PASSWORD' | 'WEB_AUTHN' | 'PASSWORD_SRP';
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
    };
  };
  RevokeToken: {
    input: {
      readonly Token: string;
      readonly ClientId: string;
      readonly ClientSecret?: string;
    };
    output: Readonly<Record<never, never>>;
  };
  SetUserMFAPreference: {
    input: {
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
      readonly AccessToken: string;
    };
    output: Readonly<Record<never, never>>;
  };
  SignUp: {
    input: {
      readonly ClientId: string;
      readonly SecretHash?: string;
      readonly Username: string;
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
      readonly CodeDeliveryDetails?: {
        readonly Destination?: string;
        readonly DeliveryMedium?: 'SMS' | 'EMAIL';
        readonly AttributeName?: string;
      };
      readonly UserSub: string;
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
        readonly DeliveryMedium?: 'SMS' | 'EMAIL';
        readonly AttributeName?: string;
      })[];
    };
  };
  VerifySoftwareToken: {
    input: {
      readonly AccessToken?: string;
      readonly Session?: string;
      readonly UserCode: string;
      readonly FriendlyDeviceName?: string;
    };
    output: {
      readonly Status?: 'SUCCESS' | 'ERROR';
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
