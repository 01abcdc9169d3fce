import { ALL_CLIENTS } from '../branding/brand-file-name.ts';
import type { BrandCache, StampedBrand } from '../branding/find-brand.ts';
import type { StoreReads } from '../kernel/ports.ts';
import { findClient, findPool } from './pools-and-clients.ts';
import type { SettingsCachePort, SettingsPorts } from './settings-ports.ts';

/**
 * Returns the look that Cognito's operations gave an app client, or a whole pool. The replica that made a change sees it at once, others
 * within seconds. An app client of another pool, or one that does not exist, has none.
 * @param isFresh whether to skip the cache. Anyone can cause this with the name of a file, so it happens at most once a second per owner.
 */
export async function findStoredBrand(
  ports: SettingsPorts & StoreReads<'brandings'>,
  brands: BrandCache,
  owner: { readonly poolId: string; readonly clientId?: string | undefined },
  isFresh = false,
): Promise<StampedBrand | undefined> {
  const { poolId, clientId = ALL_CLIENTS } = owner;
  // Invented names must not take the places of real ones in the cache.
  if (!(await hasOwner(ports, poolId, owner.clientId))) return undefined;
  const { brandings, brandingRefreshes } = ports.settingsCache;
  const key = `${poolId}/${clientId}`;
  if (isFresh && brandingRefreshes.get(key) === undefined) {
    brandingRefreshes.set(key, true);
    forgetBrandings(ports, poolId, clientId);
  }
  const found = await brandings.getOrLoad(key, () => ports.store.brandings.listOf({ poolId, clientId }));
  return found && brands.read(ports, found);
}

async function hasOwner(ports: SettingsPorts, poolId: string, clientId: string | undefined): Promise<boolean> {
  return clientId === undefined
    ? (await findPool(ports, poolId)) !== undefined
    : (await findClient(ports, clientId))?.poolId === poolId;
}

/** Makes the next read on this replica see a change. */
export function forgetBrandings({ settingsCache }: SettingsCachePort, poolId: string, clientId: string): void {
  settingsCache.brandings.delete(`${poolId}/${clientId}`);
}
