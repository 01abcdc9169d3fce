/**
 * What a caller must hold to run an operation.
 *
 * - `client`: a client id, and the client's secret proof where the client has a secret.
 * - `access-token`: an end user's access token in the request.
 * - `access-token-or-session`: an access token, or the session of a pending challenge.
 * - `admin`: a privileged backend identity, proven outside the request body (AWS Signature V4 at the Cognito-compatible API).
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/authentication-flows-public-server-side.html
 */
export type Access = 'client' | 'access-token' | 'access-token-or-session' | 'admin';

/** The rights that an admin key can carry. An operation or a route names the one that it needs. */
export const ADMIN_SCOPES = [
  'users:read',
  'users:write',
  'groups:write',
  'mfa:write',
  'sessions:write',
  'pool:write',
  'webhooks:write',
  'audit:read',
] as const;

/** One of {@link ADMIN_SCOPES}. */
export type AdminScope = (typeof ADMIN_SCOPES)[number];

/** What the port knows of one operation beside its shapes. */
export type OperationRow =
  | { readonly access: Exclude<Access, 'admin'> }
  | { readonly access: 'admin'; readonly scope: AdminScope };

/**
 * Every operation of the port, by its name in the Amazon Cognito user-pools API.
 * A provider implements all of them; the AWS JSON endpoint serves them; the access column is enforced by whoever serves them.
 */
export const OPERATIONS = {
  AddCustomAttributes: { access: 'admin', scope: 'pool:write' },
  AddUserPoolClientSecret: { access: 'admin', scope: 'pool:write' },
  AdminAddUserToGroup: { access: 'admin', scope: 'groups:write' },
  AdminConfirmSignUp: { access: 'admin', scope: 'users:write' },
  AdminCreateUser: { access: 'admin', scope: 'users:write' },
  AdminDeleteSoftwareToken: { access: 'admin', scope: 'mfa:write' },
  AdminDeleteUser: { access: 'admin', scope: 'users:write' },
  AdminDeleteUserAttributes: { access: 'admin', scope: 'users:write' },
  AdminDisableUser: { access: 'admin', scope: 'users:write' },
  AdminEnableUser: { access: 'admin', scope: 'users:write' },
  AdminForgetDevice: { access: 'admin', scope: 'users:write' },
  AdminGetDevice: { access: 'admin', scope: 'users:read' },
  AdminGetUser: { access: 'admin', scope: 'users:read' },
  AdminGetUserAuthFactors: { access: 'admin', scope: 'users:read' },
  AdminInitiateAuth: { access: 'admin', scope: 'sessions:write' },
  AdminListDevices: { access: 'admin', scope: 'users:read' },
  AdminListGroupsForUser: { access: 'admin', scope: 'users:read' },
  AdminListUserSessions: { access: 'admin', scope: 'users:read' },
  AdminRemoveUserFromGroup: { access: 'admin', scope: 'groups:write' },
  AdminResetUserPassword: { access: 'admin', scope: 'users:write' },
  AdminRespondToAuthChallenge: { access: 'admin', scope: 'sessions:write' },
  AdminRevokeUserSession: { access: 'admin', scope: 'sessions:write' },
  AdminSetUserMFAPreference: { access: 'admin', scope: 'mfa:write' },
  AdminSetUserPassword: { access: 'admin', scope: 'users:write' },
  AdminSetUserSettings: { access: 'admin', scope: 'mfa:write' },
  AdminUpdateDeviceStatus: { access: 'admin', scope: 'users:write' },
  AdminUpdateUserAttributes: { access: 'admin', scope: 'users:write' },
  AdminUserGlobalSignOut: { access: 'admin', scope: 'sessions:write' },
  AssociateSoftwareToken: { access: 'access-token-or-session' },
  ChangePassword: { access: 'access-token' },
  CompleteWebAuthnRegistration: { access: 'access-token' },
  ConfirmDevice: { access: 'access-token' },
  ConfirmForgotPassword: { access: 'client' },
  ConfirmSignUp: { access: 'client' },
  CreateGroup: { access: 'admin', scope: 'groups:write' },
  CreateUserPool: { access: 'admin', scope: 'pool:write' },
  CreateUserPoolClient: { access: 'admin', scope: 'pool:write' },
  DeleteGroup: { access: 'admin', scope: 'groups:write' },
  DeleteUser: { access: 'access-token' },
  DeleteUserAttributes: { access: 'access-token' },
  DeleteUserPool: { access: 'admin', scope: 'pool:write' },
  DeleteUserPoolClient: { access: 'admin', scope: 'pool:write' },
  DeleteUserPoolClientSecret: { access: 'admin', scope: 'pool:write' },
  DeleteWebAuthnCredential: { access: 'access-token' },
  DescribeUserPool: { access: 'admin', scope: 'users:read' },
  DescribeUserPoolClient: { access: 'admin', scope: 'pool:write' },
  ForgetDevice: { access: 'access-token' },
  ForgotPassword: { access: 'client' },
  GetCSVHeader: { access: 'admin', scope: 'users:read' },
  GetDevice: { access: 'access-token' },
  GetGroup: { access: 'admin', scope: 'users:read' },
  GetTokensFromRefreshToken: { access: 'client' },
  GetUser: { access: 'access-token' },
  GetUserAttributeVerificationCode: { access: 'access-token' },
  GetUserAuthFactors: { access: 'access-token' },
  GetUserPoolClientSessionConfiguration: { access: 'admin', scope: 'users:read' },
  GetUserPoolMfaConfig: { access: 'admin', scope: 'users:read' },
  GetUserPoolSessionConfiguration: { access: 'admin', scope: 'users:read' },
  GlobalSignOut: { access: 'access-token' },
  InitiateAuth: { access: 'client' },
  ListDevices: { access: 'access-token' },
  ListGroups: { access: 'admin', scope: 'users:read' },
  ListTagsForResource: { access: 'admin', scope: 'users:read' },
  ListUserPoolClientSecrets: { access: 'admin', scope: 'pool:write' },
  ListUserPoolClients: { access: 'admin', scope: 'users:read' },
  ListUserPools: { access: 'admin', scope: 'users:read' },
  ListUserSessions: { access: 'access-token' },
  ListUsers: { access: 'admin', scope: 'users:read' },
  ListUsersInGroup: { access: 'admin', scope: 'users:read' },
  ListWebAuthnCredentials: { access: 'access-token' },
  ResendConfirmationCode: { access: 'client' },
  RespondToAuthChallenge: { access: 'client' },
  RevokeToken: { access: 'client' },
  RevokeUserSession: { access: 'access-token' },
  SetUserMFAPreference: { access: 'access-token' },
  SetUserPoolClientSessionConfiguration: { access: 'admin', scope: 'pool:write' },
  SetUserPoolMfaConfig: { access: 'admin', scope: 'pool:write' },
  SetUserPoolSessionConfiguration: { access: 'admin', scope: 'pool:write' },
  SetUserSettings: { access: 'access-token' },
  SignUp: { access: 'client' },
  StartWebAuthnRegistration: { access: 'access-token' },
  TagResource: { access: 'admin', scope: 'pool:write' },
  UntagResource: { access: 'admin', scope: 'pool:write' },
  UpdateDeviceStatus: { access: 'access-token' },
  UpdateGroup: { access: 'admin', scope: 'groups:write' },
  UpdateUserAttributes: { access: 'access-token' },
  UpdateUserPool: { access: 'admin', scope: 'pool:write' },
  UpdateUserPoolClient: { access: 'admin', scope: 'pool:write' },
  VerifySoftwareToken: { access: 'access-token-or-session' },
  VerifyUserAttribute: { access: 'access-token' },
} as const satisfies Record<string, OperationRow>;

/** The name of an operation of the port. */
export type OperationName = keyof typeof OPERATIONS;
