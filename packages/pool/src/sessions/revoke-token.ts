/** Ends the sessions of a user, as in Cognito's API and OAuth: by a refresh token or a session id. */
import { type Input, type Output, ProviderError } from '@poolgate/provider';
import type { EventPorts, MacPorts, RequestCallerPort, StoreReads, StoreWrites } from '../kernel/ports.ts';
import { isClientSecretValid, requireClientAndPool } from '../settings/pools-and-clients.ts';
import type { SettingsPorts } from '../settings/settings-ports.ts';
import { hasRefreshTokenFormat, verifyRefreshToken } from '../tokens/refresh-token.ts';
import { revokeLogin } from '../tokens/revoke-login.ts';

/**
 * Ends the login of a refresh token. An unknown or revoked token counts as success (RFC 7009 §2.2).
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_RevokeToken.html
 */
export async function revokeToken(
  ports: EventPorts &
    MacPorts &
    SettingsPorts &
    RequestCallerPort &
    StoreReads<'logins'> &
    StoreWrites<'events' | 'logins' | 'revocations' | 'users'>,
  input: Input<'RevokeToken'>,
): Promise<Output<'RevokeToken'>> {
  const owner = await requireClientAndPool(ports, input.ClientId);
  if (!isClientSecretValid(ports, owner, input.ClientSecret)) throw notAuthorizedError('client_secret');
  if (!owner.client.settings.tokenRevocation) {
    throw new ProviderError('UnsupportedOperationException', 'Token revocation is not enabled for this client.');
  }
  if (!hasRefreshTokenFormat(input.Token)) {
    throw new ProviderError('UnsupportedTokenTypeException', 'Only refresh tokens can be revoked.');
  }
  const token = verifyRefreshToken(ports, owner.pool, input.Token);
  const login = token && (await ports.store.logins.byId(token.loginId));
  if (login === undefined) return {};
  if (login.clientId !== owner.client.id) throw notAuthorizedError('invalid_grant');
  await ports.store.write((transaction) => revokeLogin(ports, transaction, owner.pool, login));
  return {};
}

function notAuthorizedError(reason: 'client_secret' | 'invalid_grant'): ProviderError {
  return new ProviderError('UnauthorizedException', 'The client is not authorized to revoke this token.', { reason });
}
