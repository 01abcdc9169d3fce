import { type Input, type Output, ProviderError } from '@poolgate/provider';
import type { OperationTable } from '../../operation-table.ts';
import { clientSecretMatches, requireClientAndPool } from '../../pools/pools.ts';
import type { PoolRuntime } from '../../runtime.ts';
import { refreshTokens } from '../../tokens/refresh.ts';
import { revokeToken } from '../revoke-token.ts';

/** The operations on refresh tokens. */
export const tokenOperations: OperationTable<'getTokensFromRefreshToken' | 'revokeToken'> = {
  getTokensFromRefreshToken,
  revokeToken,
};

async function getTokensFromRefreshToken(
  context: PoolRuntime,
  input: Input<'GetTokensFromRefreshToken'>,
): Promise<Output<'GetTokensFromRefreshToken'>> {
  const owner = await requireClientAndPool(context, input.ClientId);
  if (!clientSecretMatches(context, owner, input.ClientSecret)) {
    throw new ProviderError('NotAuthorizedException', `Unable to verify secret for client ${owner.client.id}`, {
      reason: 'client_secret',
    });
  }
  const { RefreshToken: refreshToken, DeviceKey: deviceKey, ClientMetadata: clientMetadata } = input;
  const refresh = { ...owner, refreshToken, deviceKey, authorize: () => {}, clientMetadata };
  return { AuthenticationResult: await refreshTokens(context, refresh) };
}
