import type { OperationRow } from './operation-row.ts';

// Common facts of each kind of operation. A row contains only the differences.
const COMMON = {
  limit: 'read',
  revokes: 'nothing',
  mayChangeReset: false,
  verifiesCode: false,
  clientSecret: null,
  missing: null,
} as const;
const READS = { ...COMMON, audit: 'reads', repeatable: true } as const;
const CHANGES = { ...COMMON, audit: 'changes', repeatable: false } as const;

const USERS_READ = { ...READS, access: 'admin', scope: 'users:read' } as const;
const USERS_WRITE = { ...CHANGES, access: 'admin', scope: 'users:write' } as const;
const GROUPS_WRITE = { ...CHANGES, access: 'admin', scope: 'groups:write' } as const;
const MFA_WRITE = { ...CHANGES, access: 'admin', scope: 'mfa:write', repeatable: true } as const;
const SESSIONS_WRITE = { ...CHANGES, access: 'admin', scope: 'sessions:write' } as const;
const POOL_READ = { ...READS, access: 'admin', scope: 'pool:read' } as const;
/** The results contain the secrets of app clients and identity providers, which only those who can change them may see. */
const SECRETS_READ = { ...READS, access: 'admin', scope: 'pool:write' } as const;
const POOL_WRITE = { ...CHANGES, access: 'admin', scope: 'pool:write', missing: 'pool_not_found' } as const;
const CLIENT_WRITE = { ...CHANGES, access: 'admin', scope: 'pool:write', missing: 'client_not_found' } as const;
const RESOURCE_SERVER_WRITE = { ...POOL_WRITE, missing: 'resource_server_not_found' } as const;
/** A pool, an app client or a branding can be missing. */
const BRANDING_WRITE = { ...POOL_WRITE, missing: null } as const;
const IDENTITY_PROVIDER_WRITE = { ...POOL_WRITE, missing: 'identity_provider_not_found' } as const;

const OWN_READ = { ...READS, access: 'access-token', recentLogin: 'never' } as const;
const OWN_WRITE = { ...CHANGES, access: 'access-token', recentLogin: 'never' } as const;
/** Changes the user's login factors, or deletes the account. */
const OWN_PROOF = { ...CHANGES, access: 'access-token', recentLogin: 'always' } as const;

const BY_CLIENT = { ...CHANGES, access: 'client', limit: 'login', clientSecret: 'SecretHash' } as const;
const LOGIN = { ...BY_CLIENT, audit: 'logs-in', missing: 'device_not_found' } as const;
const LOGIN_START = { ...LOGIN, clientSecret: 'AuthParameters', repeatable: 'by-request' } as const;
const LOGIN_ANSWER = { ...LOGIN, clientSecret: 'ChallengeResponses' } as const;

/**
 * Every operation of the port, by its name in the Amazon Cognito user-pools API, with all its facts. A provider implements all of them; the
 * AWS JSON endpoint serves them. Guard, rate limit, audit log, revocation, the commands for Amazon Cognito and docs/coverage.md use the
 * rows.
 */
export const OPERATIONS = {
  AddCustomAttributes: POOL_WRITE,
  AddUserPoolClientSecret: CLIENT_WRITE,
  AdminAddUserToGroup: { ...GROUPS_WRITE, repeatable: true, missing: 'group_not_found' },
  AdminConfirmSignUp: USERS_WRITE,
  AdminCreateUser: USERS_WRITE,
  AdminDeleteSoftwareToken: { ...MFA_WRITE, revokes: 'logins' },
  AdminDeleteUser: { ...USERS_WRITE, revokes: 'account' },
  AdminDeleteUserAttributes: { ...USERS_WRITE, repeatable: true },
  AdminDisableProviderForUser: { ...USERS_WRITE, missing: 'pool_not_found' },
  AdminDisableUser: { ...USERS_WRITE, revokes: 'logins', repeatable: true },
  AdminEnableUser: { ...USERS_WRITE, repeatable: true },
  AdminForgetDevice: { ...USERS_WRITE, missing: 'device_not_found' },
  AdminGetDevice: { ...USERS_READ, missing: 'device_not_found' },
  AdminGetUser: USERS_READ,
  AdminGetUserAuthFactors: USERS_READ,
  AdminInitiateAuth: { ...LOGIN_START, access: 'admin', scope: 'sessions:write' },
  AdminLinkProviderForUser: { ...USERS_WRITE, missing: 'identity_provider_not_found' },
  AdminListDevices: USERS_READ,
  AdminListGroupsForUser: USERS_READ,
  AdminListUserSessions: USERS_READ,
  AdminRemoveUserFromGroup: { ...GROUPS_WRITE, repeatable: true, missing: 'group_not_found' },
  AdminResetUserPassword: { ...USERS_WRITE, revokes: 'logins', mayChangeReset: true },
  AdminRespondToAuthChallenge: { ...LOGIN_ANSWER, access: 'admin', scope: 'sessions:write' },
  AdminRevokeUserSession: { ...SESSIONS_WRITE, revokes: 'one-login', missing: 'login_not_found' },
  AdminSetUserMFAPreference: { ...MFA_WRITE, revokes: 'logins-without-factors' },
  AdminSetUserPassword: { ...USERS_WRITE, revokes: 'logins', mayChangeReset: true },
  AdminSetUserSettings: { ...MFA_WRITE, revokes: 'logins-without-factors' },
  AdminUpdateDeviceStatus: { ...USERS_WRITE, repeatable: true, missing: 'device_not_found' },
  AdminUpdateUserAttributes: USERS_WRITE,
  AdminUserGlobalSignOut: { ...SESSIONS_WRITE, revokes: 'logins', repeatable: true },
  AssociateSoftwareToken: { ...OWN_PROOF, access: 'access-token-or-session', repeatable: 'by-request' },
  ChangePassword: { ...OWN_WRITE, limit: 'login', recentLogin: 'by-request' },
  CompleteWebAuthnRegistration: { ...OWN_PROOF, limit: 'login' },
  ConfirmDevice: { ...OWN_WRITE, missing: 'device_not_found' },
  ConfirmForgotPassword: { ...BY_CLIENT, revokes: 'logins', mayChangeReset: true, verifiesCode: true },
  ConfirmSignUp: { ...BY_CLIENT, verifiesCode: true },
  CreateGroup: GROUPS_WRITE,
  CreateIdentityProvider: POOL_WRITE,
  CreateManagedLoginBranding: BRANDING_WRITE,
  CreateResourceServer: POOL_WRITE,
  CreateUserPool: { ...POOL_WRITE, missing: null },
  CreateUserPoolClient: POOL_WRITE,
  CreateUserPoolDomain: POOL_WRITE,
  DeleteGroup: { ...GROUPS_WRITE, missing: 'group_not_found' },
  DeleteIdentityProvider: IDENTITY_PROVIDER_WRITE,
  DeleteManagedLoginBranding: BRANDING_WRITE,
  DeleteResourceServer: RESOURCE_SERVER_WRITE,
  DeleteUser: { ...OWN_PROOF, revokes: 'account' },
  DeleteUserAttributes: { ...OWN_WRITE, recentLogin: 'by-request', repeatable: true },
  DeleteUserPool: POOL_WRITE,
  DeleteUserPoolClient: CLIENT_WRITE,
  DeleteUserPoolClientSecret: CLIENT_WRITE,
  DeleteUserPoolDomain: POOL_WRITE,
  DeleteWebAuthnCredential: { ...OWN_PROOF, missing: 'passkey_not_found' },
  DescribeIdentityProvider: { ...SECRETS_READ, missing: 'identity_provider_not_found' },
  DescribeManagedLoginBranding: POOL_READ,
  DescribeManagedLoginBrandingByClient: POOL_READ,
  DescribeResourceServer: { ...USERS_READ, missing: 'resource_server_not_found' },
  DescribeRiskConfiguration: { ...USERS_READ, missing: 'pool_not_found' },
  DescribeUserPool: { ...USERS_READ, missing: 'pool_not_found' },
  DescribeUserPoolClient: { ...SECRETS_READ, missing: 'client_not_found' },
  DescribeUserPoolDomain: USERS_READ,
  ForgetDevice: { ...OWN_WRITE, missing: 'device_not_found' },
  ForgotPassword: BY_CLIENT,
  GetCSVHeader: { ...USERS_READ, missing: 'pool_not_found' },
  GetClientToken: { ...BY_CLIENT, audit: 'reads', repeatable: true, clientSecret: 'Secret' },
  GetDevice: { ...OWN_READ, missing: 'device_not_found' },
  GetGroup: { ...USERS_READ, missing: 'group_not_found' },
  GetIdentityProviderByIdentifier: { ...SECRETS_READ, missing: 'identity_provider_not_found' },
  GetLogDeliveryConfiguration: { ...USERS_READ, missing: 'pool_not_found' },
  GetTokensFromRefreshToken: { ...BY_CLIENT, audit: 'reads', clientSecret: 'ClientSecret' },
  GetUICustomization: POOL_READ,
  GetUser: OWN_READ,
  GetUserAttributeVerificationCode: { ...OWN_READ, limit: 'login', repeatable: false },
  GetUserAuthFactors: OWN_READ,
  GetUserPoolClientSessionConfiguration: { ...USERS_READ, missing: 'client_not_found' },
  GetUserPoolMfaConfig: { ...USERS_READ, missing: 'pool_not_found' },
  GetUserPoolSessionConfiguration: { ...USERS_READ, missing: 'pool_not_found' },
  GlobalSignOut: { ...OWN_WRITE, revokes: 'logins' },
  InitiateAuth: LOGIN_START,
  ListDevices: OWN_READ,
  ListGroups: USERS_READ,
  ListIdentityProviders: { ...USERS_READ, missing: 'pool_not_found' },
  ListResourceServers: { ...USERS_READ, missing: 'pool_not_found' },
  ListTagsForResource: { ...USERS_READ, missing: 'pool_not_found' },
  ListUserPoolClientSecrets: { ...SECRETS_READ, missing: 'client_not_found' },
  ListUserPoolClients: { ...USERS_READ, missing: 'pool_not_found' },
  ListUserPools: USERS_READ,
  ListUserSessions: OWN_READ,
  ListUsers: USERS_READ,
  ListUsersInGroup: { ...USERS_READ, missing: 'group_not_found' },
  ListWebAuthnCredentials: OWN_READ,
  ResendConfirmationCode: { ...BY_CLIENT, audit: 'reads' },
  RespondToAuthChallenge: LOGIN_ANSWER,
  RevokeToken: { ...BY_CLIENT, limit: 'read', revokes: 'one-login', repeatable: true, clientSecret: 'ClientSecret' },
  RevokeUserSession: { ...OWN_WRITE, revokes: 'one-login', missing: 'login_not_found' },
  SetLogDeliveryConfiguration: { ...POOL_WRITE, repeatable: true },
  SetRiskConfiguration: { ...POOL_WRITE, repeatable: true },
  SetUICustomization: { ...BRANDING_WRITE, repeatable: true },
  SetUserMFAPreference: { ...OWN_PROOF, repeatable: true },
  SetUserPoolClientSessionConfiguration: { ...CLIENT_WRITE, repeatable: true },
  SetUserPoolMfaConfig: { ...POOL_WRITE, repeatable: true },
  SetUserPoolSessionConfiguration: { ...POOL_WRITE, repeatable: true },
  SetUserSettings: { ...OWN_PROOF, repeatable: true },
  SignUp: BY_CLIENT,
  StartWebAuthnRegistration: { ...OWN_READ, recentLogin: 'always' },
  TagResource: { ...POOL_WRITE, repeatable: true },
  UntagResource: { ...POOL_WRITE, repeatable: true },
  UpdateDeviceStatus: { ...OWN_WRITE, repeatable: true, missing: 'device_not_found' },
  UpdateGroup: { ...GROUPS_WRITE, repeatable: true, missing: 'group_not_found' },
  UpdateIdentityProvider: { ...IDENTITY_PROVIDER_WRITE, repeatable: true },
  UpdateManagedLoginBranding: { ...BRANDING_WRITE, repeatable: true },
  UpdateResourceServer: { ...RESOURCE_SERVER_WRITE, repeatable: true },
  UpdateUserAttributes: { ...OWN_WRITE, limit: 'login', recentLogin: 'by-request' },
  UpdateUserPool: { ...POOL_WRITE, repeatable: true },
  UpdateUserPoolClient: { ...CLIENT_WRITE, repeatable: true },
  UpdateUserPoolDomain: { ...POOL_WRITE, repeatable: true },
  VerifySoftwareToken: { ...OWN_PROOF, access: 'access-token-or-session', limit: 'login' },
  VerifyUserAttribute: { ...OWN_WRITE, limit: 'login' },
} as const satisfies Record<string, OperationRow>;

/** The name of an operation of the port. */
export type OperationName = keyof typeof OPERATIONS;

/** The names of {@link OPERATIONS}, in the order of the table. */
export const OPERATION_NAMES = Object.keys(OPERATIONS) as readonly OperationName[];

/** The names of the operations whose row has the given fact, such as `{ recentLogin: 'by-request' }`. */
export type OperationNameWhere<Fact extends object> = {
  [Name in OperationName]: (typeof OPERATIONS)[Name] extends Fact ? Name : never;
}[OperationName];
