import { isIP } from 'node:net';
import type { StoreReads } from '../kernel/ports.ts';
import type { DomainRecord, PoolRecord } from '../store/records.ts';
import { isCustomDomain, readDomains } from './pool-domains.ts';
import type { ServedPoolPort, SettingsCachePort } from './settings-ports.ts';

/**
 * Adds the addresses of the pages that links in messages open. The configuration names them for the served pool. Every other pool has them
 * at its domain.
 */
export async function addMailPages(
  ports: ServedPoolPort & SettingsCachePort & StoreReads<'domains'>,
  pool: PoolRecord,
): Promise<PoolRecord> {
  const { current } = ports.servedPool;
  const { confirmUrl = null, notMeUrl = null } = current?.desiredSettings ?? {};
  if (current?.userPoolId === pool.id || (confirmUrl === null && notMeUrl === null)) return pool;
  const domains = await readDomains(ports, pool.id);
  const domain = domains.find(isCustomDomain) ?? domains[0];
  if (domain === undefined) return pool;
  const atDomain = (url: string | null) => url && moveToDomain(url, domain);
  return {
    ...pool,
    settings: { ...pool.settings, confirmUrl: atDomain(confirmUrl), notMeUrl: atDomain(notMeUrl) },
  };
}

/** The same page at a domain. An IP address has no subdomains, so the page moves below the pool's path there. */
function moveToDomain(pageUrl: string, domain: DomainRecord): string {
  const url = new URL(pageUrl);
  if (isCustomDomain(domain)) url.hostname = domain.name;
  else if (isIP(url.hostname.replace(/^\[(.*)\]$/, '$1')) === 0) url.hostname = `${domain.name}.${url.hostname}`;
  else url.pathname = `/${domain.poolId}${url.pathname}`;
  return url.href;
}
