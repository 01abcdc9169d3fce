import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { clientSecretMatches, requireClientAndPool } from '../pools/pools.ts';
import type { PoolRuntime } from '../runtime.ts';
import { looksLikeRefreshToken, verifyRefreshToken } from '../tokens/refresh-token.ts';
import { revokeLogin } from '../tokens/revoke-login.ts';

/**
 * Ends the login of a refresh token. One that is unknown, or was revoked before, is as revoked as it can be (RFC 7009 §2.2).
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_RevokeToken.html
 */
export async function revokeToken(context: PoolRuntime, input: Input<'RevokeToken'>): Promise<Output<'RevokeToken'>> {
  const owner = await requireClientAndPool(context, input.ClientId);
  if (!clientSecretMatches(context, owner, input.ClientSecret)) throw notAuthorized('client_secret');
  if (!owner.client.settings.tokenRevocation) {
    throw new ProviderError('UnsupportedOperationException', 'Token revocation is not enabled for this client.');
  }
  if (!looksLikeRefreshToken(input.Token)) {
    throw new ProviderError('UnsupportedTokenTypeException', 'Only refresh tokens can be revoked.');
  }
  const token = verifyRefreshToken(context, owner.pool, input.Token);
  const login = token && (await context.store.logins.byId(token.loginId));
  if (login === undefined) return {};
  if (login.clientId !== owner.client.id) throw notAuthorized('invalid_grant');
  await context.store.write((transaction) => revokeLogin(context, transaction, owner.pool, login));
  return {};
}

function notAuthorized(reason: 'client_secret' | 'invalid_grant'): ProviderError {
  return new ProviderError('UnauthorizedException', 'The client is not authorized to revoke this token.', { reason });
}
