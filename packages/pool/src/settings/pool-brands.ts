import { ALL_CLIENTS, type BrandCache, type StampedBrand } from '../branding/find-brand.ts';
import type { StoreReads } from '../kernel/ports.ts';
import type { SettingsCachePort } from './settings-ports.ts';

/**
 * Returns the look that Cognito's operations gave an app client, or a whole pool. The replica that made a change sees it at once, others
 * within seconds.
 * @param isFresh whether to read the store even so
 */
export async function findStoredBrand(
  ports: SettingsCachePort & StoreReads<'brandings'>,
  brands: BrandCache,
  owner: { readonly poolId: string; readonly clientId?: string | undefined },
  isFresh = false,
): Promise<StampedBrand | undefined> {
  const { poolId, clientId = ALL_CLIENTS } = owner;
  if (isFresh) forgetBrandings(ports, poolId, clientId);
  const found = await ports.settingsCache.brandings.getOrLoad(`${poolId}/${clientId}`, () =>
    ports.store.brandings.listOf({ poolId, clientId }),
  );
  return found && brands.read(ports, found);
}

/** Makes this replica see a change at once. */
export function forgetBrandings({ settingsCache }: SettingsCachePort, poolId: string, clientId: string): void {
  settingsCache.brandings.delete(`${poolId}/${clientId}`);
}
