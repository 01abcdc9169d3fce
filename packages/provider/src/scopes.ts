/**
 * The scope by which an access token acts for its user on users' own routes and operations (Cognito). Tokens of logins at the API have it;
 * a token of the OAuth endpoints has it if the app client asked for it and may.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-define-resource-servers.html
 */
export const USER_SCOPE = 'aws.cognito.signin.user.admin';

/** The scopes of a `scope` claim or parameter (RFC 6749 §3.3): none of what is no text. */
export function parseScopes(scope: unknown): readonly string[] {
  return typeof scope === 'string' ? scope.split(' ').filter((name) => name !== '') : [];
}
