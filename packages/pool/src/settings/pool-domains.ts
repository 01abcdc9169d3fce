import type { StoreReads, Transaction } from '../kernel/ports.ts';
import type { PoolReads } from '../store/pool-store.ts';
import type { DomainRecord, PoolRecord } from '../store/records.ts';
import type { SettingsCachePort } from './settings-ports.ts';

/** Whether a domain is a whole host name, which a pool can have in addition to a prefix. */
export function isCustomDomain({ settings }: Pick<DomainRecord, 'settings'>): boolean {
  return settings.CustomDomainConfig !== undefined;
}

/**
 * Whether a pool has a domain, which enables the OAuth endpoints. The replica that made a change sees it at once, others within seconds.
 */
export async function hasDomain(ports: SettingsCachePort & StoreReads<'domains'>, poolId: string): Promise<boolean> {
  return (await readDomains(ports, poolId)).length > 0;
}

/** The domains of a pool, up to a few seconds old. */
export async function readDomains(
  { settingsCache, store }: SettingsCachePort & StoreReads<'domains'>,
  poolId: string,
): Promise<readonly DomainRecord[]> {
  return (await settingsCache.domains.getOrLoad(poolId, () => store.domains.listOf(poolId))) ?? [];
}

/** The id of the pool with this domain. Cached like {@link hasDomain}. */
export function findPoolIdByDomain(
  { settingsCache, store }: SettingsCachePort & StoreReads<'domains'>,
  name: string,
): Promise<string | undefined> {
  return settingsCache.domainPools.getOrLoad(name, async () => (await store.domains.byName(name))?.poolId);
}

/** The domains of a pool for its description. */
export async function readDomainNames(
  { domains }: Pick<PoolReads, 'domains'>,
  poolId: string,
): Promise<{ readonly Domain?: string; readonly CustomDomain?: string }> {
  const all = await domains.listOf(poolId);
  const prefix = all.find((domain) => !isCustomDomain(domain));
  const custom = all.find(isCustomDomain);
  return { ...(prefix && { Domain: prefix.name }), ...(custom && { CustomDomain: custom.name }) };
}

/** Gives the service's own pool its domain, named after it, in the write that creates the pool. */
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
