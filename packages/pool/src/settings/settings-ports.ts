/**
 * Pools, app clients and what an operator configures for them: attributes, scopes, redirect addresses, domains, MFA. Input is checked once
 * when it is saved. Nothing above checks it again.
 */
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
import type { ServedPoolHolder } from './served-pool.ts';

/** How long a replica may miss a change that another one made to settings or keys. */
export const SETTINGS_CACHE_MS = 3_000;

/** Settings that may be a few seconds old. */
export interface SettingsCache {
  readonly pools: ExpiringCache<PoolRecord>;
  readonly clients: ExpiringCache<ClientRecord>;
  /** By pool id. */
  readonly domains: ExpiringCache<readonly DomainRecord[]>;
  /** By pool id. */
  readonly identityProviders: ExpiringCache<readonly IdentityProviderRecord[]>;
  /** By pool id and identifier, with a slash between. */
  readonly resourceServers: ExpiringCache<ResourceServerRecord>;
}

/** An empty cache of settings. */
export function createSettingsCache(clock: Clock): SettingsCache {
  return {
    pools: new ExpiringCache(clock, SETTINGS_CACHE_MS, CACHE_CAPACITY),
    clients: new ExpiringCache(clock, SETTINGS_CACHE_MS, CACHE_CAPACITY),
    domains: new ExpiringCache(clock, SETTINGS_CACHE_MS, CACHE_CAPACITY),
    identityProviders: new ExpiringCache(clock, SETTINGS_CACHE_MS, CACHE_CAPACITY),
    resourceServers: new ExpiringCache(clock, SETTINGS_CACHE_MS, CACHE_CAPACITY),
  };
}

/** Settings in memory. */
export interface SettingsCachePort {
  readonly settingsCache: SettingsCache;
}

/** What finding a pool and its clients takes. */
export interface SettingsPorts extends SettingsCachePort, StoreReads<'clients' | 'pools'> {}

/** The AWS account of resource names. */
export interface AccountPort {
  /** The AWS account in the names of resources, 12 digits. Default: zeros. */
  readonly accountId?: string;
}

/** Where the domains of pools are served. */
export interface DomainPort {
  /** The host that a DNS alias of a domain points to. Default: the domain itself. */
  readonly aliasTarget?: string;
}

/** The pool that this instance was set up to serve. */
export interface ServedPoolPort {
  readonly servedPool: ServedPoolHolder;
}
