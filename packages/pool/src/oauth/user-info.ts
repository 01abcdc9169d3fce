import { OAuthError, ProviderError } from '@poolgate/provider';
import { filterReadableAttributes } from '../identity/attributes.ts';
import { type AuthorizedUser, requireAccessToken } from '../tokens/access-tokens.ts';
import { selectAttributesByScope } from '../tokens/scope-attributes.ts';
import type { AccessTokenPorts, TokenSignaturePorts } from '../tokens/token-ports.ts';
import { verifyAccessToken } from '../tokens/verify-access-token.ts';

/** Returns the userInfo claims of an access token's user in Cognito's form: every value is a text. */
export async function readUserInfo(
  ports: AccessTokenPorts,
  { UserPoolId, AccessToken }: { readonly UserPoolId: string; readonly AccessToken: string },
): Promise<Readonly<Record<string, unknown>>> {
  const { pool, client, user, scope } = await requireOpenIdToken(ports, AccessToken);
  if (pool.id !== UserPoolId) throw new OAuthError('invalid_token', INVALID);
  const attributes = selectAttributesByScope(filterReadableAttributes(client, user), scope);
  return { ...attributes, sub: user.sub, username: user.username };
}

async function requireOpenIdToken(ports: AccessTokenPorts, accessToken: string): Promise<AuthorizedUser> {
  try {
    return await requireAccessToken(ports, accessToken, 'openid');
  } catch (cause) {
    if (!(cause instanceof ProviderError)) throw cause;
    throw (await isApiAccessToken(ports, accessToken))
      ? new OAuthError('insufficient_scope', 'The access token lacks the scope openid.', { cause })
      : new OAuthError('invalid_token', INVALID, { cause });
  }
}

const INVALID = 'The access token is expired, disabled or deleted, or its user has logged out everywhere.';

/** Whether a token is good elsewhere: the one of a login at the API. */
async function isApiAccessToken(ports: TokenSignaturePorts, token: string): Promise<boolean> {
  try {
    const { scope } = await verifyAccessToken(ports, token);
    return !scope.split(' ').includes('openid');
  } catch (error) {
    if (error instanceof ProviderError) return false;
    throw error;
  }
}
