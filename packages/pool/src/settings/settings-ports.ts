/**
 * Pools, app clients and their configuration: attributes, scopes, redirect addresses, domains, MFA. Input is validated once, when it is
 * saved. Higher layers do not validate it again.
 */
import type { BrandingList } from '../branding/find-brand.ts';
import type { Clock } from '../kernel/clock.ts';
import { CACHE_CAPACITY, ExpiringCache } from '../kernel/expiring-cache.ts';
import type { StoreReads } from '../kernel/ports.ts';
import type {
  ClientRecord,
  DomainRecord,
  IdentityProviderRecord,
  PoolRecord,
  ResourceServerRecord,
} from '../store/records.ts';
import type { PagePolicy } from './page-policy.ts';
import type { ServedPoolHolder } from './served-pool.ts';

/** How long a replica may miss another one's change to settings or keys. */
export const SETTINGS_CACHE_MS = 3_000;

/** How often a request for an unknown file can have the brandings of an owner read again. */
const BRANDING_REFRESH_MS = 1_000;

/** Settings that may be a few seconds old. */
export interface SettingsCache {
  readonly pools: ExpiringCache<PoolRecord>;
  /** Adds to a stored pool what depends on the service. */
  readonly completePool: (pool: PoolRecord) => Promise<PoolRecord>;
  readonly clients: ExpiringCache<ClientRecord>;
  /** By pool id. */
  readonly pagePolicies: ExpiringCache<PagePolicy>;
  /** By pool id and client id, with a slash between. */
  readonly brandings: ExpiringCache<BrandingList>;
  /** Which brandings were read from the store again within the last second, by the same keys. */
  readonly brandingRefreshes: ExpiringCache<true>;
  /** By pool id. */
  readonly domains: ExpiringCache<readonly DomainRecord[]>;
  /** By pool id. */
  readonly identityProviders: ExpiringCache<readonly IdentityProviderRecord[]>;
  /** Pool ids by the name of a domain. */
  readonly domainPools: ExpiringCache<string>;
  /** By pool id and identifier, with a slash between. */
  readonly resourceServers: ExpiringCache<ResourceServerRecord>;
}

/** Cached settings. */
export function createSettingsCache(
  clock: Clock,
  completePool: SettingsCache['completePool'] = (pool) => Promise.resolve(pool),
): SettingsCache {
  return {
    completePool,
    pools: new ExpiringCache(clock, SETTINGS_CACHE_MS, CACHE_CAPACITY),
    clients: new ExpiringCache(clock, SETTINGS_CACHE_MS, CACHE_CAPACITY),
    pagePolicies: new ExpiringCache(clock, SETTINGS_CACHE_MS, CACHE_CAPACITY),
    brandings: new ExpiringCache(clock, SETTINGS_CACHE_MS, CACHE_CAPACITY),
    brandingRefreshes: new ExpiringCache(clock, BRANDING_REFRESH_MS, CACHE_CAPACITY),
    domains: new ExpiringCache(clock, SETTINGS_CACHE_MS, CACHE_CAPACITY),
    identityProviders: new ExpiringCache(clock, SETTINGS_CACHE_MS, CACHE_CAPACITY),
    domainPools: new ExpiringCache(clock, SETTINGS_CACHE_MS, CACHE_CAPACITY),
    resourceServers: new ExpiringCache(clock, SETTINGS_CACHE_MS, CACHE_CAPACITY),
  };
}

/** The dependencies of finding a pool and its clients. */
export interface SettingsCachePort {
  readonly settingsCache: SettingsCache;
}

/** The AWS account in resource names. */
export interface SettingsPorts extends SettingsCachePort, StoreReads<'clients' | 'pools'> {}

/** The AWS account in resource names, 12 digits. Default: zeros. */
export interface AccountPort {
  /** The AWS account in the names of resources, 12 digits. Default: zeros. */
  readonly accountId?: string;
}

/** Where the domains of pools are served. */
export interface DomainPort {
  /** The host of the service, below which the prefixes of pools are served. */
  readonly aliasTarget?: string;
  /** Other hosts that the configuration names. No custom domain can take them. */
  readonly reservedHosts?: readonly string[];
}

/** The pool that this instance was set up to serve. */
export interface ServedPoolPort {
  readonly servedPool: ServedPoolHolder;
}
