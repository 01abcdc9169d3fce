/**
 * Cognito's categories of operations, with the default requests a second of an account in a region. Challenge responses are counted
 * separately, at three times the rate of logins.
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/quotas.html#category_operations
 */
export const QUOTAS = {
  UserAuthentication: 120,
  UserAuthenticationAnswers: 360,
  UserCreation: 50,
  UserAccountRecovery: 30,
  UserRead: 120,
  UserUpdate: 25,
  UserToken: 120,
  UserList: 30,
  UserResourceRead: 50,
  UserResourceUpdate: 25,
  UserPoolRead: 15,
  UserPoolUpdate: 15,
  UserPoolResourceRead: 20,
  UserPoolResourceUpdate: 15,
  UserPoolClientRead: 15,
  UserPoolClientUpdate: 15,
} as const;

/** One of {@link QUOTAS}. */
export type QuotaCategory = keyof typeof QUOTAS;
