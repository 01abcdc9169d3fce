/**
 * The runtimes of all pools that have a domain. On the host of BASE_URL, a request names its pool by the pool id in the path or by an app
 * client. The host of a domain serves one pool alone.
 */
import { isIP } from 'node:net';
import type { CallContext, OAuthServer, OAuthSite } from '@poolgate/provider';
import { createTokenTrustStore } from '../credentials/token-trust-store.ts';
import { BoundedMap } from '../kernel/bounded-map.ts';
import { RenderedShellCache } from '../pages/rendered-shell-cache.ts';
import { createSessionContents, type GatewayRuntime, type PoolSite, type SiteAccess } from './runtime.ts';

/** Finds the runtime of a pool. A pool without a domain has none. */
export interface PoolSites {
  /** The pool at the host of a domain. */
  atHost(host: string, call: CallContext): Promise<GatewayRuntime | undefined>;
  /** A pool by its id, on the host of BASE_URL. */
  atPath(userPoolId: string, call: CallContext): Promise<GatewayRuntime | undefined>;
  /** The pool of an app client, on the host of BASE_URL. The served pool if no other pool has this client. */
  ofClient(clientId: string, call: CallContext): Promise<GatewayRuntime>;
  /** Forgets the runtimes of all pools but the served one, with their caches. */
  clear(): void;
}

/** More than most services need. Creating a runtime again costs a few signature checks. */
const MOST_SITES = 100;

/** @param main the runtime of the served pool */
export function createPoolSites(main: GatewayRuntime, server: OAuthServer): PoolSites {
  const made = new BoundedMap<string, GatewayRuntime>(MOST_SITES);

  function open(found: OAuthSite, baseUrl: string, place: PoolPlace): GatewayRuntime {
    const { UserPoolId: userPoolId, ClientId } = found;
    const isServed = userPoolId === main.userPoolId;
    // The configuration names the served pool's client for its pages.
    const access = isServed ? 'all' : readAccess(found);
    const key = `${baseUrl} ${userPoolId} ${access}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const settings = { ...main.settings, baseUrl, webPrefix: `${place.path}${main.settings.webPrefix}` };
    const own = { userPoolId, clientId: isServed ? main.clientId : ClientId };
    const runtime: GatewayRuntime = {
      ...main,
      ...own,
      settings,
      site: { ...place, otherPoolId: isServed ? undefined : userPoolId, access },
      renderedShells: new RenderedShellCache(),
      ...(!isServed && {
        tokenTrustStore: createTokenTrustStore({ ...main, ...own }),
        sessionContents: createSessionContents(),
      }),
    };
    made.set(key, runtime);
    return runtime;
  }

  async function atPath(userPoolId: string, call: CallContext): Promise<GatewayRuntime | undefined> {
    if (userPoolId === main.userPoolId) return main;
    const found = await server.findSite({ UserPoolId: userPoolId }, call);
    const place = { path: `/${userPoolId}`, cookieSuffix: `-${userPoolId}` };
    return found && open(found, main.settings.baseUrl, place);
  }

  return {
    async atHost(host, call) {
      const base = new URL(main.settings.baseUrl);
      for (const Domain of listDomainNames(host, base.hostname)) {
        const found = await server.findSite({ Domain }, call);
        base.hostname = host;
        if (found !== undefined) return open(found, base.origin, OWN_HOST);
      }
      return undefined;
    },
    atPath,
    async ofClient(clientId, call) {
      const poolId = await main.provider.poolOfClient(clientId);
      if (poolId === undefined || poolId === main.userPoolId) return main;
      return (await atPath(poolId, call)) ?? main;
    },
    clear: () => made.clear(),
  };
}

function readAccess({ HasPages, AdmitsLocalUsers }: OAuthSite): SiteAccess {
  if (!HasPages) return 'none';
  return AdmitsLocalUsers ? 'all' : 'federated';
}

type PoolPlace = Pick<PoolSite, 'path' | 'cookieSuffix'>;

/** Such a host has one pool, so that neither paths nor cookies need to name it. */
const OWN_HOST: PoolPlace = { path: '', cookieSuffix: '' };

/**
 * The domains that a host can belong to: a prefix before the host of BASE_URL, or a custom domain, which is the whole name. The prefix has
 * priority, so that a custom domain cannot take its host.
 */
function listDomainNames(host: string, baseHost: string): readonly string[] {
  const end = `.${baseHost}`;
  const prefix = isIP(baseHost) === 0 && host.endsWith(end) ? host.slice(0, -end.length) : '';
  return [prefix, host].filter((name, index) => name !== '' && name.includes('.') === (index === 1));
}
