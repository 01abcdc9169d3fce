import { type Input, type Output, ProviderError } from '@poolgate/provider';
import type { StoreReads, StoreWrites } from '../kernel/ports.ts';
import { revokeToken } from '../sessions/revoke-token.ts';
import { isClientSecretValid, requireClientAndPool } from '../settings/pools-and-clients.ts';
import type { SettingsPorts } from '../settings/settings-ports.ts';
import type { TokenPorts } from '../tokens/token-ports.ts';
import { refreshTokens } from '../tokens/token-refresh.ts';
import type { OperationTable } from './operation-table.ts';

/** Operations on refresh tokens. */
export const tokenOperations: OperationTable<'getTokensFromRefreshToken' | 'revokeToken'> = {
  getTokensFromRefreshToken,
  revokeToken,
};

async function getTokensFromRefreshToken(
  ports: TokenPorts &
    SettingsPorts &
    StoreReads<'devices' | 'logins' | 'users'> &
    StoreWrites<'events' | 'logins' | 'revocations' | 'users'>,
  input: Input<'GetTokensFromRefreshToken'>,
): Promise<Output<'GetTokensFromRefreshToken'>> {
  const owner = await requireClientAndPool(ports, input.ClientId);
  if (!isClientSecretValid(ports, owner, input.ClientSecret)) {
    throw new ProviderError('NotAuthorizedException', `Unable to verify secret for client ${owner.client.id}`, {
      reason: 'client_secret',
    });
  }
  const { RefreshToken: refreshToken, DeviceKey: deviceKey, ClientMetadata: clientMetadata } = input;
  const refresh = { ...owner, refreshToken, deviceKey, authorize: () => {}, clientMetadata };
  return { AuthenticationResult: await refreshTokens(ports, refresh) };
}
