/** The in-memory state of a gateway instance, and the type of a route's handler. Two instances share nothing but the store. */
import type { OpenApiDocument } from '@poolgate/contract';
import { createInMemoryAdminKeys, type InMemoryAdminKeys } from '../credentials/in-memory-admin-keys.ts';
import { createTokenTrustStore, type TokenTrustStore } from '../credentials/token-trust-store.ts';
import { createDocsPage } from '../docs-page/docs-page.ts';
import { createOpenApi } from '../docs-page/openapi-document.ts';
import { BoundedMap } from '../kernel/bounded-map.ts';
import type { GatewayDeps } from '../kernel/deps.ts';
import { createRateLimit, type RateLimit } from '../limits/rate-limit.ts';
import { createRefusalLogLimit, type RefusalLogLimit } from '../limits/refusal-log-limit.ts';
import { createSharedRateLimit, type SharedRateLimit } from '../limits/shared-rate-limit.ts';
import { RenderedShellCache } from '../pages/rendered-shell-cache.ts';
import type { CachedSessionContent } from '../web-sessions/session-content.ts';
import type { StoredSession } from '../web-sessions/web-session.ts';
import { createPendingSrpCache, type PendingSrpCache } from './pending-srp-cache.ts';
import { createShutdownState, type ShutdownState } from './shutdown-state.ts';

/** Some kilobytes each. */
const MOST_CONTENTS = 1024;

/** Where browsers reach a pool. */
export interface PoolSite {
  /** Precedes every path: `/<pool id>` if the pool shares the host of BASE_URL with the served pool, otherwise empty. */
  readonly path: string;
  /** The suffix of cookie names, so that the pools of one host have separate cookies. */
  readonly cookieSuffix: string;
  /** The pool's id; undefined for the served pool. It binds a browser's encrypted data to its pool. */
  readonly otherPoolId: string | undefined;
  /** The routes that the pool's app clients allow here. Its OAuth endpoints for programs are always available. */
  readonly access: SiteAccess;
}

/** How users can sign in at a pool: not at all, with identity providers only, or also with the pool's own credentials. */
export type SiteAccess = 'none' | 'federated' | 'all';

/** The dependencies of guards and handlers: those of the gateway, and the state of this instance. */
export interface GatewayRuntime extends GatewayDeps {
  readonly rateLimit: RateLimit;
  readonly sharedLimit: SharedRateLimit;
  readonly tokenTrustStore: TokenTrustStore;
  readonly inMemoryAdminKeys: InMemoryAdminKeys;
  readonly refusalLogLimit: RefusalLogLimit;
  /** A separate limit, so that wrong app client secrets cannot hide refused admin keys. */
  readonly clientRefusalLogLimit: RefusalLogLimit;
  readonly pendingSrpCache: PendingSrpCache;
  /** This process's running refreshes of browser sessions, by the digests of their ids. */
  readonly sessionRefreshes: Map<string, Promise<StoredSession | undefined>>;
  /**
   * The decrypted contents of browser sessions, so that the next request needs no decryption. They do not show whether a session is active.
   */
  readonly sessionContents: BoundedMap<string, CachedSessionContent>;
  readonly openApi: () => OpenApiDocument;
  /** The same as a page. */
  readonly docsPage: () => string;
  readonly shutdownState: ShutdownState;
  readonly site: PoolSite;
  /** The pages as they were sent last. */
  readonly renderedShells: RenderedShellCache;
}

/** The prefix of a page's routes, if it differs from the configured one. */
export function formatSitePrefix({ site, settings }: Pick<GatewayRuntime, 'site' | 'settings'>): {
  readonly prefix?: string;
} {
  return site.path === '' ? {} : { prefix: settings.webPrefix };
}

/** Empties the caches of an instance, after the content of the store was replaced. Running requests finish with what they have read. */
export function clearCaches(runtime: GatewayRuntime): void {
  runtime.sharedLimit.clear();
  runtime.tokenTrustStore.clear();
  runtime.pendingSrpCache.clear();
  runtime.sessionContents.clear();
}

/** Creates the cache of decrypted session contents of one pool. */
export function createSessionContents(): GatewayRuntime['sessionContents'] {
  return new BoundedMap(MOST_CONTENTS);
}

/** Creates the limits and caches of a service, once for each instance, so that two instances share nothing. */
export function createRuntime(deps: GatewayDeps, shutdownState: ShutdownState = createShutdownState()): GatewayRuntime {
  const openApi = createOpenApi({ apiPrefix: deps.settings.apiPrefix, webPrefix: deps.settings.webPrefix });
  return {
    ...deps,
    rateLimit: createRateLimit(deps),
    sharedLimit: createSharedRateLimit(deps),
    tokenTrustStore: createTokenTrustStore(deps),
    inMemoryAdminKeys: createInMemoryAdminKeys(deps),
    refusalLogLimit: createRefusalLogLimit(deps.clock),
    clientRefusalLogLimit: createRefusalLogLimit(deps.clock),
    pendingSrpCache: createPendingSrpCache(),
    sessionRefreshes: new Map(),
    sessionContents: createSessionContents(),
    openApi,
    docsPage: createDocsPage(openApi, deps.settings),
    shutdownState,
    renderedShells: new RenderedShellCache(),
    site: { path: '', cookieSuffix: '', otherPoolId: undefined, access: 'all' },
  };
}
