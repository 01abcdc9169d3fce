import { ProviderError } from '@poolgate/provider';
import type { StoreReads } from '../kernel/ports.ts';
import { listCachedProviders } from '../settings/identity-providers.ts';
import type { SettingsCachePort } from '../settings/settings-ports.ts';
import type { PoolRecord } from '../store/records.ts';

/**
 * Rejects usernames that belong to accounts at identity providers. `Google_1` must not be taken before that account first signs in.
 * @throws {ProviderError} `InvalidParameterException`
 */
export async function refuseProviderUsername(
  ports: SettingsCachePort & StoreReads<'identityProviders'>,
  pool: PoolRecord,
  username: string,
): Promise<void> {
  const providers = await listCachedProviders(ports, pool);
  const lower = username.toLowerCase();
  if (!providers.some(({ name }) => lower.startsWith(`${name.toLowerCase()}_`))) return;
  throw new ProviderError(
    'InvalidParameterException',
    'Username must not begin with the name of an identity provider.',
  );
}
