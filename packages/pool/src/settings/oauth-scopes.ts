import { USER_SCOPE } from '@poolgate/provider';
import type { StoreReads } from '../kernel/ports.ts';
import type { ResourceServerRecord } from '../store/records.ts';
import type { SettingsCachePort } from './settings-ports.ts';

/** The scopes of OpenID Connect that every pool has. */
export const OPENID_SCOPES = ['openid', 'email', 'phone', 'profile'] as const;

const POOL_SCOPES: ReadonlySet<string> = new Set([...OPENID_SCOPES, USER_SCOPE]);

/** Whether every pool has the scope. All others belong to resource servers. */
export function isPoolScope(scope: string): boolean {
  return POOL_SCOPES.has(scope);
}

/**
 * Returns those scopes that resource servers define, as `{identifier}/{name}`.
 * @param find reads a resource server of the pool by its identifier
 */
export async function findResourceServerScopes(
  scopes: readonly string[],
  find: (identifier: string) => Promise<ResourceServerRecord | undefined>,
): Promise<ReadonlySet<string>> {
  // A name has no slash; an identifier may have several.
  const identifiers = new Set(scopes.flatMap((scope) => /^(.+)\//s.exec(scope)?.[1] ?? []));
  const servers = await Promise.all([...identifiers].map(find));
  const known = servers.flatMap((server) => server?.scopes.map(({ name }) => `${server.identifier}/${name}`) ?? []);
  return new Set(known);
}

/**
 * The same for a pool, cached for some seconds.
 * @param scopes only scopes that the client may request, because each identifier costs a read and a request can name thousands
 */
export function findCachedResourceServerScopes(
  { settingsCache, store }: SettingsCachePort & StoreReads<'resourceServers'>,
  poolId: string,
  scopes: readonly string[],
): Promise<ReadonlySet<string>> {
  return findResourceServerScopes(scopes, (identifier) =>
    settingsCache.resourceServers.getOrLoad(`${poolId}/${identifier}`, () =>
      store.resourceServers.byIdentifier(poolId, identifier),
    ),
  );
}
