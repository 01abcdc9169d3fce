/**
 * The pools that browsers and applications reach here, besides the one that the routes log in on. On the host of BASE_URL a pool is found by
 * its id in the path or by the app client that a request names; at the host of one of its domains, that pool alone is served.
 */
import { isIP } from 'node:net';
import type { CallContext, OAuthServer, OAuthSite } from '@poolgate/provider';
import { createTokenTrustStore } from '../credentials/token-trust-store.ts';
import { BoundedMap } from '../kernel/bounded-map.ts';
import { RenderedShellCache } from '../pages/rendered-shell-cache.ts';
import { createSessionContents, type GatewayRuntime, type PoolSite } from './runtime.ts';

/** Finds what a pool is served by. A pool without a domain has no site. */
export interface PoolSites {
  /** The pool at the host of a domain. */
  atHost(host: string, call: CallContext): Promise<GatewayRuntime | undefined>;
  /** A pool by its id, on the host of BASE_URL. */
  atPath(userPoolId: string, call: CallContext): Promise<GatewayRuntime | undefined>;
  /** The pool of an app client, on the host of BASE_URL: the served one where no other pool has that client. */
  ofClient(clientId: string, call: CallContext): Promise<GatewayRuntime>;
}

/** More than most services have; what is made again costs a few signatures. */
const MOST_SITES = 100;

/** Opens the sites of all pools. @param main the runtime of the pool that is served */
export function createPoolSites(main: GatewayRuntime, server: OAuthServer): PoolSites {
  const made = new BoundedMap<string, GatewayRuntime>(MOST_SITES);

  function open({ UserPoolId: userPoolId, ClientId }: OAuthSite, baseUrl: string, place: PoolPlace): GatewayRuntime {
    const key = `${baseUrl} ${userPoolId}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const isServed = userPoolId === main.userPoolId;
    const settings = { ...main.settings, baseUrl, webPrefix: `${place.path}${main.settings.webPrefix}` };
    const own = { userPoolId, clientId: isServed ? main.clientId : ClientId };
    const runtime: GatewayRuntime = {
      ...main,
      ...own,
      settings,
      site: { ...place, otherPoolId: isServed ? undefined : userPoolId },
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
  };
}

type PoolPlace = Pick<PoolSite, 'path' | 'cookieSuffix'>;

/** Nobody else is served at such a host, so that neither paths nor cookies need to name the pool. */
const OWN_HOST: PoolPlace = { path: '', cookieSuffix: '' };

/**
 * The domains that a host can stand for: a prefix stands before the host of BASE_URL, and a custom domain is the whole name. The prefix comes
 * first, so that nobody takes its host by a custom domain.
 */
function listDomainNames(host: string, baseHost: string): readonly string[] {
  const end = `.${baseHost}`;
  const prefix = isIP(baseHost) === 0 && host.endsWith(end) ? host.slice(0, -end.length) : '';
  return [prefix, host].filter((name, index) => name !== '' && name.includes('.') === (index === 1));
}
