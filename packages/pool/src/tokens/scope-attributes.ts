import { parseScopes } from '@poolgate/provider';

type Attributes = Readonly<Record<string, string>>;

/** The attributes of each scope that covers only some of them. */
const BY_SCOPE: Readonly<Record<string, readonly string[]>> = {
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
};

/**
 * Returns a user's readable attributes that the scope covers, as in Cognito: all of them for `profile` or for `openid` alone.
 * @param scope null for an API login, which covers all
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
