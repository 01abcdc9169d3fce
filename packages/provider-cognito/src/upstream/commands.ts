import * as sdk from '@aws-sdk/client-cognito-identity-provider';
import { type AuthFlow, authFlowOf, type OperationName } from '@poolgate/provider';
import type { QuotaCategory } from '../limits/quotas.ts';
import type { CommandRow, ProvenBy } from './command-row.ts';

type Request = Readonly<Record<string, unknown>>;
type More = Partial<Pick<CommandRow, 'judgesCode' | 'secret' | 'missing' | 'proof' | 'repeatable'>>;

/** What the start of a login proves at once, and whether it may be sent again. */
const FLOWS: Readonly<Record<AuthFlow, { readonly proof: ProvenBy; readonly repeatable: boolean }>> = {
  ADMIN_USER_PASSWORD_AUTH: { proof: 'login', repeatable: false },
  CUSTOM_AUTH: { proof: 'login', repeatable: false },
  REFRESH_TOKEN_AUTH: { proof: 'refresh', repeatable: false },
  USER_AUTH: { proof: 'login', repeatable: false },
  USER_PASSWORD_AUTH: { proof: 'login', repeatable: false },
  USER_SRP_AUTH: { proof: 'login', repeatable: true },
};

const flowOf = (request: Request) => FLOWS[authFlowOf(String(request.AuthFlow)) ?? 'CUSTOM_AUTH'];
const always = () => true;
const never = () => false;
const nothing = (): ProvenBy => 'none';
const login = (): ProvenBy => 'login';
const refresh = (): ProvenBy => 'refresh';
const token = (): ProvenBy => 'token';
const tokenOrSession = (request: Request): ProvenBy => (request.AccessToken === undefined ? 'login' : 'token');

/** May be sent any number of times. */
function repeatable(Command: CommandRow['Command'], quota: QuotaCategory, more: More = {}): CommandRow {
  return { Command, quota, repeatable: always, proof: nothing, ...more };
}

/** Is sent again only where it certainly was not received. */
function once(Command: CommandRow['Command'], quota: QuotaCategory, more: More = {}): CommandRow {
  return { Command, quota, repeatable: never, proof: nothing, ...more };
}

const DEVICE: More = { missing: 'device_not_found' };
const OWN_DEVICE: More = { missing: 'device_not_found', proof: token };
const GROUP: More = { missing: 'group_not_found' };
const SESSION: More = { missing: 'login_not_found' };
const OWN_SESSION: More = { missing: 'login_not_found', proof: token };
const OWN: More = { proof: token };
const POOL: More = { missing: 'pool_not_found' };
const CLIENT: More = { missing: 'client_not_found' };
const CODE: More = { secret: 'SecretHash', proof: login };
const CODE_ANSWER: More = { ...CODE, judgesCode: true };
const START: More = {
  secret: 'AuthParameters',
  missing: 'device_not_found',
  proof: (request) => flowOf(request).proof,
  repeatable: (request) => flowOf(request).repeatable,
};
const ANSWER: More = { secret: 'ChallengeResponses', proof: login, missing: 'device_not_found' };

/** Every operation of the port as a command of the SDK. */
export const COMMANDS: Readonly<Record<OperationName, CommandRow>> = {
  AddCustomAttributes: once(sdk.AddCustomAttributesCommand, 'UserPoolUpdate', POOL),
  AddUserPoolClientSecret: once(sdk.AddUserPoolClientSecretCommand, 'UserPoolClientUpdate', CLIENT),
  AdminAddUserToGroup: repeatable(sdk.AdminAddUserToGroupCommand, 'UserUpdate', GROUP),
  AdminConfirmSignUp: once(sdk.AdminConfirmSignUpCommand, 'UserCreation'),
  AdminCreateUser: once(sdk.AdminCreateUserCommand, 'UserCreation'),
  AdminDeleteSoftwareToken: repeatable(sdk.AdminDeleteSoftwareTokenCommand, 'UserResourceUpdate'),
  AdminDeleteUser: once(sdk.AdminDeleteUserCommand, 'UserUpdate'),
  AdminDeleteUserAttributes: repeatable(sdk.AdminDeleteUserAttributesCommand, 'UserUpdate'),
  AdminDisableUser: repeatable(sdk.AdminDisableUserCommand, 'UserUpdate'),
  AdminEnableUser: repeatable(sdk.AdminEnableUserCommand, 'UserUpdate'),
  AdminForgetDevice: once(sdk.AdminForgetDeviceCommand, 'UserResourceUpdate', DEVICE),
  AdminGetDevice: repeatable(sdk.AdminGetDeviceCommand, 'UserResourceRead', DEVICE),
  AdminGetUser: repeatable(sdk.AdminGetUserCommand, 'UserRead'),
  AdminGetUserAuthFactors: repeatable(sdk.AdminGetUserAuthFactorsCommand, 'UserRead'),
  AdminInitiateAuth: once(sdk.AdminInitiateAuthCommand, 'UserAuthentication', START),
  AdminListDevices: repeatable(sdk.AdminListDevicesCommand, 'UserResourceRead'),
  AdminListGroupsForUser: repeatable(sdk.AdminListGroupsForUserCommand, 'UserResourceRead'),
  AdminListUserSessions: repeatable(sdk.AdminListUserSessionsCommand, 'UserResourceRead'),
  AdminRemoveUserFromGroup: repeatable(sdk.AdminRemoveUserFromGroupCommand, 'UserUpdate', GROUP),
  AdminResetUserPassword: once(sdk.AdminResetUserPasswordCommand, 'UserAccountRecovery'),
  AdminRespondToAuthChallenge: once(sdk.AdminRespondToAuthChallengeCommand, 'UserAuthenticationAnswers', ANSWER),
  AdminRevokeUserSession: once(sdk.AdminRevokeUserSessionCommand, 'UserResourceUpdate', SESSION),
  AdminSetUserMFAPreference: repeatable(sdk.AdminSetUserMFAPreferenceCommand, 'UserResourceUpdate'),
  AdminSetUserPassword: once(sdk.AdminSetUserPasswordCommand, 'UserAccountRecovery'),
  AdminSetUserSettings: repeatable(sdk.AdminSetUserSettingsCommand, 'UserResourceUpdate'),
  AdminUpdateDeviceStatus: repeatable(sdk.AdminUpdateDeviceStatusCommand, 'UserResourceUpdate', DEVICE),
  AdminUpdateUserAttributes: once(sdk.AdminUpdateUserAttributesCommand, 'UserUpdate'),
  AdminUserGlobalSignOut: repeatable(sdk.AdminUserGlobalSignOutCommand, 'UserUpdate'),
  AssociateSoftwareToken: repeatable(sdk.AssociateSoftwareTokenCommand, 'UserResourceUpdate', {
    proof: tokenOrSession,
    repeatable: (request) => request.Session === undefined,
  }),
  ChangePassword: once(sdk.ChangePasswordCommand, 'UserAccountRecovery', OWN),
  CompleteWebAuthnRegistration: once(sdk.CompleteWebAuthnRegistrationCommand, 'UserResourceUpdate', OWN),
  ConfirmDevice: once(sdk.ConfirmDeviceCommand, 'UserResourceUpdate', OWN_DEVICE),
  ConfirmForgotPassword: once(sdk.ConfirmForgotPasswordCommand, 'UserAccountRecovery', CODE_ANSWER),
  ConfirmSignUp: once(sdk.ConfirmSignUpCommand, 'UserCreation', CODE_ANSWER),
  CreateGroup: once(sdk.CreateGroupCommand, 'UserResourceUpdate'),
  CreateUserPool: once(sdk.CreateUserPoolCommand, 'UserPoolUpdate'),
  CreateUserPoolClient: once(sdk.CreateUserPoolClientCommand, 'UserPoolClientUpdate', POOL),
  DeleteGroup: once(sdk.DeleteGroupCommand, 'UserResourceUpdate', GROUP),
  DeleteUser: once(sdk.DeleteUserCommand, 'UserUpdate', OWN),
  DeleteUserAttributes: repeatable(sdk.DeleteUserAttributesCommand, 'UserUpdate', OWN),
  DeleteUserPool: once(sdk.DeleteUserPoolCommand, 'UserPoolUpdate', POOL),
  DeleteUserPoolClient: once(sdk.DeleteUserPoolClientCommand, 'UserPoolClientUpdate', CLIENT),
  DeleteUserPoolClientSecret: once(sdk.DeleteUserPoolClientSecretCommand, 'UserPoolClientUpdate', CLIENT),
  DeleteWebAuthnCredential: once(sdk.DeleteWebAuthnCredentialCommand, 'UserResourceUpdate', {
    proof: token,
    missing: 'passkey_not_found',
  }),
  DescribeUserPool: repeatable(sdk.DescribeUserPoolCommand, 'UserPoolRead', POOL),
  DescribeUserPoolClient: repeatable(sdk.DescribeUserPoolClientCommand, 'UserPoolClientRead', CLIENT),
  ForgetDevice: once(sdk.ForgetDeviceCommand, 'UserResourceUpdate', OWN_DEVICE),
  ForgotPassword: once(sdk.ForgotPasswordCommand, 'UserAccountRecovery', CODE),
  GetCSVHeader: repeatable(sdk.GetCSVHeaderCommand, 'UserPoolResourceRead', POOL),
  GetDevice: repeatable(sdk.GetDeviceCommand, 'UserResourceRead', OWN_DEVICE),
  GetGroup: repeatable(sdk.GetGroupCommand, 'UserResourceRead', GROUP),
  GetTokensFromRefreshToken: once(sdk.GetTokensFromRefreshTokenCommand, 'UserToken', {
    secret: 'ClientSecret',
    proof: refresh,
  }),
  GetUser: repeatable(sdk.GetUserCommand, 'UserRead', OWN),
  GetUserAttributeVerificationCode: once(sdk.GetUserAttributeVerificationCodeCommand, 'UserUpdate', OWN),
  GetUserAuthFactors: repeatable(sdk.GetUserAuthFactorsCommand, 'UserRead', OWN),
  GetUserPoolClientSessionConfiguration: repeatable(
    sdk.GetUserPoolClientSessionConfigurationCommand,
    'UserPoolClientRead',
    CLIENT,
  ),
  GetUserPoolMfaConfig: repeatable(sdk.GetUserPoolMfaConfigCommand, 'UserPoolResourceRead', POOL),
  GetUserPoolSessionConfiguration: repeatable(sdk.GetUserPoolSessionConfigurationCommand, 'UserPoolResourceRead', POOL),
  GlobalSignOut: once(sdk.GlobalSignOutCommand, 'UserUpdate', OWN),
  InitiateAuth: once(sdk.InitiateAuthCommand, 'UserAuthentication', START),
  ListDevices: repeatable(sdk.ListDevicesCommand, 'UserResourceRead', OWN),
  ListGroups: repeatable(sdk.ListGroupsCommand, 'UserResourceRead'),
  ListTagsForResource: repeatable(sdk.ListTagsForResourceCommand, 'UserPoolResourceRead', POOL),
  ListUserPoolClientSecrets: repeatable(sdk.ListUserPoolClientSecretsCommand, 'UserPoolClientRead', CLIENT),
  ListUserPoolClients: repeatable(sdk.ListUserPoolClientsCommand, 'UserPoolClientRead', POOL),
  ListUserPools: repeatable(sdk.ListUserPoolsCommand, 'UserPoolRead'),
  ListUsers: repeatable(sdk.ListUsersCommand, 'UserList'),
  ListUserSessions: repeatable(sdk.ListUserSessionsCommand, 'UserResourceRead', OWN),
  ListUsersInGroup: repeatable(sdk.ListUsersInGroupCommand, 'UserList', GROUP),
  ListWebAuthnCredentials: repeatable(sdk.ListWebAuthnCredentialsCommand, 'UserResourceRead', OWN),
  ResendConfirmationCode: once(sdk.ResendConfirmationCodeCommand, 'UserAccountRecovery', CODE),
  RespondToAuthChallenge: once(sdk.RespondToAuthChallengeCommand, 'UserAuthenticationAnswers', ANSWER),
  // A second revocation of one token does nothing, and a first that got lost would leave a login alive.
  RevokeToken: repeatable(sdk.RevokeTokenCommand, 'UserToken', { secret: 'ClientSecret' }),
  RevokeUserSession: once(sdk.RevokeUserSessionCommand, 'UserResourceUpdate', OWN_SESSION),
  SetUserMFAPreference: repeatable(sdk.SetUserMFAPreferenceCommand, 'UserResourceUpdate', OWN),
  SetUserPoolClientSessionConfiguration: repeatable(
    sdk.SetUserPoolClientSessionConfigurationCommand,
    'UserPoolClientUpdate',
    CLIENT,
  ),
  SetUserPoolMfaConfig: repeatable(sdk.SetUserPoolMfaConfigCommand, 'UserPoolResourceUpdate', POOL),
  SetUserPoolSessionConfiguration: repeatable(
    sdk.SetUserPoolSessionConfigurationCommand,
    'UserPoolResourceUpdate',
    POOL,
  ),
  SetUserSettings: repeatable(sdk.SetUserSettingsCommand, 'UserResourceUpdate', OWN),
  SignUp: once(sdk.SignUpCommand, 'UserCreation', { secret: 'SecretHash' }),
  StartWebAuthnRegistration: repeatable(sdk.StartWebAuthnRegistrationCommand, 'UserResourceUpdate', OWN),
  TagResource: repeatable(sdk.TagResourceCommand, 'UserPoolResourceUpdate', POOL),
  UntagResource: repeatable(sdk.UntagResourceCommand, 'UserPoolResourceUpdate', POOL),
  UpdateDeviceStatus: repeatable(sdk.UpdateDeviceStatusCommand, 'UserResourceUpdate', OWN_DEVICE),
  UpdateGroup: repeatable(sdk.UpdateGroupCommand, 'UserResourceUpdate', GROUP),
  UpdateUserAttributes: once(sdk.UpdateUserAttributesCommand, 'UserUpdate', OWN),
  UpdateUserPool: repeatable(sdk.UpdateUserPoolCommand, 'UserPoolUpdate', POOL),
  UpdateUserPoolClient: repeatable(sdk.UpdateUserPoolClientCommand, 'UserPoolClientUpdate', CLIENT),
  VerifySoftwareToken: once(sdk.VerifySoftwareTokenCommand, 'UserResourceUpdate', { proof: tokenOrSession }),
  VerifyUserAttribute: once(sdk.VerifyUserAttributeCommand, 'UserUpdate', OWN),
};

/** What tells of the pool's settings; signed, and called only where somebody asks for the settings. */
export const SETTINGS_COMMANDS = {
  DescribeUserPool: COMMANDS.DescribeUserPool,
  DescribeUserPoolClient: COMMANDS.DescribeUserPoolClient,
  GetUserPoolMfaConfig: COMMANDS.GetUserPoolMfaConfig,
} as const satisfies Partial<Record<OperationName, CommandRow>>;
