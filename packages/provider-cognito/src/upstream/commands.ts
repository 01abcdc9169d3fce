import * as sdk from '@aws-sdk/client-cognito-identity-provider';
import {
  type Access,
  type AuthFlow,
  OPERATION_NAMES,
  OPERATIONS,
  type OperationName,
  type OperationNameWhere,
  parseAuthFlow,
} from '@poolgate/provider';
import type { QuotaCategory } from '../options/quotas.ts';
import type { CommandRow, RequestProof } from './command-row.ts';

type Request = Readonly<Record<string, unknown>>;

/** The SDK command and Amazon's quota of every operation of the port. */
const UPSTREAM: Readonly<Record<OperationName, readonly [Command: CommandRow['Command'], quota: QuotaCategory]>> = {
  AddCustomAttributes: [sdk.AddCustomAttributesCommand, 'UserPoolUpdate'],
  AddUserPoolClientSecret: [sdk.AddUserPoolClientSecretCommand, 'UserPoolClientUpdate'],
  AdminAddUserToGroup: [sdk.AdminAddUserToGroupCommand, 'UserUpdate'],
  AdminConfirmSignUp: [sdk.AdminConfirmSignUpCommand, 'UserCreation'],
  AdminCreateUser: [sdk.AdminCreateUserCommand, 'UserCreation'],
  AdminDeleteSoftwareToken: [sdk.AdminDeleteSoftwareTokenCommand, 'UserResourceUpdate'],
  AdminDeleteUser: [sdk.AdminDeleteUserCommand, 'UserUpdate'],
  AdminDeleteUserAttributes: [sdk.AdminDeleteUserAttributesCommand, 'UserUpdate'],
  AdminDisableProviderForUser: [sdk.AdminDisableProviderForUserCommand, 'UserResourceUpdate'],
  AdminDisableUser: [sdk.AdminDisableUserCommand, 'UserUpdate'],
  AdminEnableUser: [sdk.AdminEnableUserCommand, 'UserUpdate'],
  AdminForgetDevice: [sdk.AdminForgetDeviceCommand, 'UserResourceUpdate'],
  AdminGetDevice: [sdk.AdminGetDeviceCommand, 'UserResourceRead'],
  AdminGetUser: [sdk.AdminGetUserCommand, 'UserRead'],
  AdminGetUserAuthFactors: [sdk.AdminGetUserAuthFactorsCommand, 'UserRead'],
  AdminInitiateAuth: [sdk.AdminInitiateAuthCommand, 'UserAuthentication'],
  AdminLinkProviderForUser: [sdk.AdminLinkProviderForUserCommand, 'UserResourceUpdate'],
  AdminListDevices: [sdk.AdminListDevicesCommand, 'UserResourceRead'],
  AdminListGroupsForUser: [sdk.AdminListGroupsForUserCommand, 'UserResourceRead'],
  AdminListUserSessions: [sdk.AdminListUserSessionsCommand, 'UserResourceRead'],
  AdminRemoveUserFromGroup: [sdk.AdminRemoveUserFromGroupCommand, 'UserUpdate'],
  AdminResetUserPassword: [sdk.AdminResetUserPasswordCommand, 'UserAccountRecovery'],
  AdminRespondToAuthChallenge: [sdk.AdminRespondToAuthChallengeCommand, 'UserAuthenticationAnswers'],
  AdminRevokeUserSession: [sdk.AdminRevokeUserSessionCommand, 'UserResourceUpdate'],
  AdminSetUserMFAPreference: [sdk.AdminSetUserMFAPreferenceCommand, 'UserResourceUpdate'],
  AdminSetUserPassword: [sdk.AdminSetUserPasswordCommand, 'UserAccountRecovery'],
  AdminSetUserSettings: [sdk.AdminSetUserSettingsCommand, 'UserResourceUpdate'],
  AdminUpdateDeviceStatus: [sdk.AdminUpdateDeviceStatusCommand, 'UserResourceUpdate'],
  AdminUpdateUserAttributes: [sdk.AdminUpdateUserAttributesCommand, 'UserUpdate'],
  AdminUserGlobalSignOut: [sdk.AdminUserGlobalSignOutCommand, 'UserUpdate'],
  AssociateSoftwareToken: [sdk.AssociateSoftwareTokenCommand, 'UserResourceUpdate'],
  ChangePassword: [sdk.ChangePasswordCommand, 'UserAccountRecovery'],
  CompleteWebAuthnRegistration: [sdk.CompleteWebAuthnRegistrationCommand, 'UserResourceUpdate'],
  ConfirmDevice: [sdk.ConfirmDeviceCommand, 'UserResourceUpdate'],
  ConfirmForgotPassword: [sdk.ConfirmForgotPasswordCommand, 'UserAccountRecovery'],
  ConfirmSignUp: [sdk.ConfirmSignUpCommand, 'UserCreation'],
  CreateGroup: [sdk.CreateGroupCommand, 'UserResourceUpdate'],
  CreateIdentityProvider: [sdk.CreateIdentityProviderCommand, 'UserPoolResourceUpdate'],
  CreateManagedLoginBranding: [sdk.CreateManagedLoginBrandingCommand, 'UserPoolResourceUpdate'],
  CreateResourceServer: [sdk.CreateResourceServerCommand, 'UserPoolResourceUpdate'],
  CreateUserPool: [sdk.CreateUserPoolCommand, 'UserPoolUpdate'],
  CreateUserPoolClient: [sdk.CreateUserPoolClientCommand, 'UserPoolClientUpdate'],
  CreateUserPoolDomain: [sdk.CreateUserPoolDomainCommand, 'UserPoolResourceUpdate'],
  DeleteGroup: [sdk.DeleteGroupCommand, 'UserResourceUpdate'],
  DeleteIdentityProvider: [sdk.DeleteIdentityProviderCommand, 'UserPoolResourceUpdate'],
  DeleteManagedLoginBranding: [sdk.DeleteManagedLoginBrandingCommand, 'UserPoolResourceUpdate'],
  DeleteResourceServer: [sdk.DeleteResourceServerCommand, 'UserPoolResourceUpdate'],
  DeleteUser: [sdk.DeleteUserCommand, 'UserUpdate'],
  DeleteUserAttributes: [sdk.DeleteUserAttributesCommand, 'UserUpdate'],
  DeleteUserPool: [sdk.DeleteUserPoolCommand, 'UserPoolUpdate'],
  DeleteUserPoolClient: [sdk.DeleteUserPoolClientCommand, 'UserPoolClientUpdate'],
  DeleteUserPoolClientSecret: [sdk.DeleteUserPoolClientSecretCommand, 'UserPoolClientUpdate'],
  DeleteUserPoolDomain: [sdk.DeleteUserPoolDomainCommand, 'UserPoolResourceUpdate'],
  DeleteWebAuthnCredential: [sdk.DeleteWebAuthnCredentialCommand, 'UserResourceUpdate'],
  DescribeIdentityProvider: [sdk.DescribeIdentityProviderCommand, 'UserPoolResourceRead'],
  DescribeManagedLoginBranding: [sdk.DescribeManagedLoginBrandingCommand, 'UserPoolResourceRead'],
  DescribeManagedLoginBrandingByClient: [sdk.DescribeManagedLoginBrandingByClientCommand, 'UserPoolResourceRead'],
  DescribeResourceServer: [sdk.DescribeResourceServerCommand, 'UserPoolResourceRead'],
  DescribeRiskConfiguration: [sdk.DescribeRiskConfigurationCommand, 'UserPoolResourceRead'],
  DescribeUserPool: [sdk.DescribeUserPoolCommand, 'UserPoolRead'],
  DescribeUserPoolClient: [sdk.DescribeUserPoolClientCommand, 'UserPoolClientRead'],
  DescribeUserPoolDomain: [sdk.DescribeUserPoolDomainCommand, 'UserPoolResourceRead'],
  ForgetDevice: [sdk.ForgetDeviceCommand, 'UserResourceUpdate'],
  ForgotPassword: [sdk.ForgotPasswordCommand, 'UserAccountRecovery'],
  GetClientToken: [sdk.GetClientTokenCommand, 'UserToken'],
  GetCSVHeader: [sdk.GetCSVHeaderCommand, 'UserPoolResourceRead'],
  GetDevice: [sdk.GetDeviceCommand, 'UserResourceRead'],
  GetGroup: [sdk.GetGroupCommand, 'UserResourceRead'],
  GetIdentityProviderByIdentifier: [sdk.GetIdentityProviderByIdentifierCommand, 'UserPoolResourceRead'],
  GetLogDeliveryConfiguration: [sdk.GetLogDeliveryConfigurationCommand, 'UserPoolResourceRead'],
  GetTokensFromRefreshToken: [sdk.GetTokensFromRefreshTokenCommand, 'UserToken'],
  GetUICustomization: [sdk.GetUICustomizationCommand, 'UserPoolResourceRead'],
  GetUser: [sdk.GetUserCommand, 'UserRead'],
  GetUserAttributeVerificationCode: [sdk.GetUserAttributeVerificationCodeCommand, 'UserUpdate'],
  GetUserAuthFactors: [sdk.GetUserAuthFactorsCommand, 'UserRead'],
  GetUserPoolClientSessionConfiguration: [sdk.GetUserPoolClientSessionConfigurationCommand, 'UserPoolClientRead'],
  GetUserPoolMfaConfig: [sdk.GetUserPoolMfaConfigCommand, 'UserPoolResourceRead'],
  GetUserPoolSessionConfiguration: [sdk.GetUserPoolSessionConfigurationCommand, 'UserPoolResourceRead'],
  GlobalSignOut: [sdk.GlobalSignOutCommand, 'UserUpdate'],
  InitiateAuth: [sdk.InitiateAuthCommand, 'UserAuthentication'],
  ListDevices: [sdk.ListDevicesCommand, 'UserResourceRead'],
  ListGroups: [sdk.ListGroupsCommand, 'UserResourceRead'],
  ListIdentityProviders: [sdk.ListIdentityProvidersCommand, 'UserPoolResourceRead'],
  ListResourceServers: [sdk.ListResourceServersCommand, 'UserPoolResourceRead'],
  ListTagsForResource: [sdk.ListTagsForResourceCommand, 'UserPoolResourceRead'],
  ListUserPoolClients: [sdk.ListUserPoolClientsCommand, 'UserPoolClientRead'],
  ListUserPoolClientSecrets: [sdk.ListUserPoolClientSecretsCommand, 'UserPoolClientRead'],
  ListUserPools: [sdk.ListUserPoolsCommand, 'UserPoolRead'],
  ListUsers: [sdk.ListUsersCommand, 'UserList'],
  ListUserSessions: [sdk.ListUserSessionsCommand, 'UserResourceRead'],
  ListUsersInGroup: [sdk.ListUsersInGroupCommand, 'UserList'],
  ListWebAuthnCredentials: [sdk.ListWebAuthnCredentialsCommand, 'UserResourceRead'],
  ResendConfirmationCode: [sdk.ResendConfirmationCodeCommand, 'UserAccountRecovery'],
  RespondToAuthChallenge: [sdk.RespondToAuthChallengeCommand, 'UserAuthenticationAnswers'],
  RevokeToken: [sdk.RevokeTokenCommand, 'UserToken'],
  RevokeUserSession: [sdk.RevokeUserSessionCommand, 'UserResourceUpdate'],
  SetLogDeliveryConfiguration: [sdk.SetLogDeliveryConfigurationCommand, 'UserPoolResourceUpdate'],
  SetRiskConfiguration: [sdk.SetRiskConfigurationCommand, 'UserPoolResourceUpdate'],
  SetUICustomization: [sdk.SetUICustomizationCommand, 'UserPoolResourceUpdate'],
  SetUserMFAPreference: [sdk.SetUserMFAPreferenceCommand, 'UserResourceUpdate'],
  SetUserPoolClientSessionConfiguration: [sdk.SetUserPoolClientSessionConfigurationCommand, 'UserPoolClientUpdate'],
  SetUserPoolMfaConfig: [sdk.SetUserPoolMfaConfigCommand, 'UserPoolResourceUpdate'],
  SetUserPoolSessionConfiguration: [sdk.SetUserPoolSessionConfigurationCommand, 'UserPoolResourceUpdate'],
  SetUserSettings: [sdk.SetUserSettingsCommand, 'UserResourceUpdate'],
  SignUp: [sdk.SignUpCommand, 'UserCreation'],
  StartWebAuthnRegistration: [sdk.StartWebAuthnRegistrationCommand, 'UserResourceUpdate'],
  TagResource: [sdk.TagResourceCommand, 'UserPoolResourceUpdate'],
  UntagResource: [sdk.UntagResourceCommand, 'UserPoolResourceUpdate'],
  UpdateDeviceStatus: [sdk.UpdateDeviceStatusCommand, 'UserResourceUpdate'],
  UpdateGroup: [sdk.UpdateGroupCommand, 'UserResourceUpdate'],
  UpdateIdentityProvider: [sdk.UpdateIdentityProviderCommand, 'UserPoolResourceUpdate'],
  UpdateManagedLoginBranding: [sdk.UpdateManagedLoginBrandingCommand, 'UserPoolResourceUpdate'],
  UpdateResourceServer: [sdk.UpdateResourceServerCommand, 'UserPoolResourceUpdate'],
  UpdateUserAttributes: [sdk.UpdateUserAttributesCommand, 'UserUpdate'],
  UpdateUserPool: [sdk.UpdateUserPoolCommand, 'UserPoolUpdate'],
  UpdateUserPoolClient: [sdk.UpdateUserPoolClientCommand, 'UserPoolClientUpdate'],
  UpdateUserPoolDomain: [sdk.UpdateUserPoolDomainCommand, 'UserPoolResourceUpdate'],
  VerifySoftwareToken: [sdk.VerifySoftwareTokenCommand, 'UserResourceUpdate'],
  VerifyUserAttribute: [sdk.VerifyUserAttributeCommand, 'UserUpdate'],
};

/** What the start of a login proves, and whether it may be repeated. */
const FLOWS: Readonly<Record<AuthFlow, { readonly proof: RequestProof; readonly repeatable: boolean }>> = {
  ADMIN_USER_PASSWORD_AUTH: { proof: 'login', repeatable: false },
  CUSTOM_AUTH: { proof: 'login', repeatable: false },
  REFRESH_TOKEN_AUTH: { proof: 'refresh', repeatable: false },
  USER_AUTH: { proof: 'login', repeatable: false },
  USER_PASSWORD_AUTH: { proof: 'login', repeatable: false },
  USER_SRP_AUTH: { proof: 'login', repeatable: true },
};

const requireFlow = (request: Request) => FLOWS[parseAuthFlow(String(request.AuthFlow)) ?? 'CUSTOM_AUTH'];

const REPEATABLE_BY_REQUEST: {
  readonly [Name in OperationNameWhere<{ readonly repeatable: 'by-request' }>]: CommandRow['repeatable'];
} = {
  AdminInitiateAuth: (request) => requireFlow(request).repeatable,
  AssociateSoftwareToken: (request) => request.Session === undefined,
  InitiateAuth: (request) => requireFlow(request).repeatable,
};

/** What a request proves, if its access does not define it. */
const PROOFS: Partial<Readonly<Record<OperationName, CommandRow['proof']>>> = {
  AdminInitiateAuth: (request) => requireFlow(request).proof,
  AdminRespondToAuthChallenge: () => 'login',
  GetTokensFromRefreshToken: () => 'refresh',
  InitiateAuth: (request) => requireFlow(request).proof,
  RevokeToken: () => 'none',
  SignUp: () => 'none',
};

const PROOF_BY_ACCESS: Readonly<Record<Access, CommandRow['proof']>> = {
  client: () => 'login',
  'access-token': () => 'token',
  'access-token-or-session': (request) => (request.AccessToken === undefined ? 'login' : 'token'),
  admin: () => 'none',
};

/** Every operation of the port as an SDK command. */
export const COMMANDS = Object.fromEntries(OPERATION_NAMES.map((name) => [name, createCommandRow(name)])) as Readonly<
  Record<OperationName, CommandRow>
>;

function createCommandRow(name: OperationName): CommandRow {
  const [Command, quota] = UPSTREAM[name];
  const { access, verifiesCode, clientSecret, missing } = OPERATIONS[name];
  const proof = PROOFS[name] ?? PROOF_BY_ACCESS[access];
  return { Command, quota, verifiesCode, clientSecret, missing, proof, repeatable: createRepeatableCheck(name) };
}

function createRepeatableCheck(name: OperationName): CommandRow['repeatable'] {
  const { repeatable } = OPERATIONS[name];
  const byRequest: Partial<Readonly<Record<OperationName, CommandRow['repeatable']>>> = REPEATABLE_BY_REQUEST;
  return byRequest[name] ?? (() => repeatable === true);
}

/** Operations that read the pool's settings. They are signed, and called only when settings are needed. */
export const SETTINGS_COMMANDS = {
  DescribeUserPool: COMMANDS.DescribeUserPool,
  DescribeUserPoolClient: COMMANDS.DescribeUserPoolClient,
  GetUserPoolMfaConfig: COMMANDS.GetUserPoolMfaConfig,
} as const satisfies Partial<Record<OperationName, CommandRow>>;
