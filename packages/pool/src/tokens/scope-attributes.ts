import { parseScopes } from '@poolgate/provider';

type Attributes = Readonly<Record<string, string>>;

/** The attributes behind a scope that is about a part of them. */
const BY_SCOPE: Readonly<Record<string, readonly string[]>> = {
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
};

/**
 * Those of a user's readable attributes that were asked for, as at Cognito: all of them by `profile` or by `openid` alone.
 * @param scope null for a login at the API: all of them
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-define-resource-servers.html
 */
export function selectAttributesByScope(attributes: Attributes, scope: string | null): Attributes {
  if (scope === null) return attributes;
  const scopes = parseScopes(scope);
  if (!scopes.includes('openid')) return {};
  const partial = scopes.flatMap((name) => BY_SCOPE[name] ?? []);
  if (partial.length === 0 || scopes.includes('profile')) return attributes;
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => partial.includes(name)));
}
