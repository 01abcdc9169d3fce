import type { StoreReads, Transaction } from '../kernel/ports.ts';
import type { PoolReads } from '../store/pool-store.ts';
import type { DomainRecord, PoolRecord } from '../store/records.ts';
import type { SettingsCachePort } from './settings-ports.ts';

/** Whether a domain is a whole host name, beside which a pool may have a prefix. */
export function isCustomDomain({ settings }: Pick<DomainRecord, 'settings'>): boolean {
  return settings.CustomDomainConfig !== undefined;
}

/** Whether a pool has a domain, and with it the OAuth endpoints. A change is seen at once where it was made, and within seconds elsewhere. */
export async function hasDomain(
  { settingsCache, store }: SettingsCachePort & StoreReads<'domains'>,
  poolId: string,
): Promise<boolean> {
  const domains = await settingsCache.domains.getOrLoad(poolId, () => store.domains.listOf(poolId));
  return (domains ?? []).length > 0;
}

/** The domains of a pool as its description has them. */
export async function readDomainNames(
  { domains }: Pick<PoolReads, 'domains'>,
  poolId: string,
): Promise<{ readonly Domain?: string; readonly CustomDomain?: string }> {
  const all = await domains.listOf(poolId);
  const prefix = all.find((domain) => !isCustomDomain(domain));
  const custom = all.find(isCustomDomain);
  return { ...(prefix && { Domain: prefix.name }), ...(custom && { CustomDomain: custom.name }) };
}

/** Gives a pool that the service made for itself its domain, named after it. In the write that makes the pool. */
export async function insertDefaultDomain(
  transaction: Transaction<'domains'>,
  { id }: Pick<PoolRecord, 'id'>,
  nowMs: number,
): Promise<void> {
  const name = id.toLowerCase().replace('_', '-');
  const isFree =
    (await transaction.domains.listOf(id)).length === 0 && (await transaction.domains.byName(name)) === undefined;
  if (!isFree) return;
  await transaction.domains.insert({ name, poolId: id, settings: {}, createdAtMs: nowMs, modifiedAtMs: nowMs });
}
