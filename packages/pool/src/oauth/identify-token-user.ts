import { type IdentifiedUser, OAuthError, ProviderError, parseScopes, USER_SCOPE } from '@poolgate/provider';
import { filterReadableAttributes } from '../identity/attributes.ts';
import { type AuthorizedUser, requireAccessToken, requireAccessTokenClaims } from '../tokens/access-tokens.ts';
import { selectAttributesByScope } from '../tokens/scope-attributes.ts';
import type { AccessTokenPorts } from '../tokens/token-ports.ts';

/** A token, and the client that it must belong to. */
interface PresentedToken {
  readonly UserPoolId: string;
  readonly ClientId: string;
  readonly AccessToken: string;
}

/**
 * Returns the user of a valid access token, for callers that trust the tokens of one client. A token for a resource is valid only there.
 */
export async function identifyTokenUser(ports: AccessTokenPorts, presented: PresentedToken): Promise<IdentifiedUser> {
  const { client, user, scope } = await requireTokenUser(ports, presented);
  const readable = filterReadableAttributes(client, user);
  const known = selectAttributesByScope(readable, parseScopes(scope).includes(USER_SCOPE) ? null : scope);
  const isVerified = known.email !== undefined && known.email_verified === 'true';
  return {
    Sub: user.sub,
    Username: user.username,
    ...(isVerified && { VerifiedEmail: known.email }),
    Groups: user.groups.map(({ name }) => name),
  };
}

async function requireTokenUser(
  ports: AccessTokenPorts,
  { UserPoolId, ClientId, AccessToken }: PresentedToken,
): Promise<AuthorizedUser> {
  try {
    const { payload } = await requireAccessTokenClaims(ports, AccessToken);
    const authorized = await requireAccessToken(ports, AccessToken, null);
    const isMeant = payload.aud === undefined && authorized.client.id === ClientId;
    if (isMeant && authorized.pool.id === UserPoolId) return authorized;
  } catch (cause) {
    if (!(cause instanceof ProviderError)) throw cause;
    throw invalidTokenError(cause);
  }
  throw invalidTokenError();
}

function invalidTokenError(cause?: ProviderError): OAuthError {
  return new OAuthError('invalid_token', 'The access token is not valid here.', { cause });
}
