/**
 * The scope that lets an access token act for its user on the user's own routes and operations (Cognito). Tokens from API logins have it.
 * Tokens from the OAuth endpoints have it if the app client requested it and may use it.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-define-resource-servers.html
 */
export const USER_SCOPE = 'aws.cognito.signin.user.admin';

/** Parses the scopes of a `scope` claim or parameter (RFC 6749 §3.3). A value that is not text has none. */
export function parseScopes(scope: unknown): readonly string[] {
  return typeof scope === 'string' ? scope.split(' ').filter((name) => name !== '') : [];
}
