import type { OpenApiDocument } from '@poolgate/contract';
import { BoundedMap } from './bounded-map.ts';
import type { GatewayDeps } from './deps.ts';
import { createDocsPage } from './docs-page/docs-page.ts';
import { createInMemoryAdminKeys, type InMemoryAdminKeys } from './guards/in-memory-admin-keys.ts';
import { createRateLimit, type RateLimit } from './guards/rate-limit.ts';
import { createRefusalLogLimit, type RefusalLogLimit } from './guards/refusal-log-limit.ts';
import { createSharedRateLimit, type SharedRateLimit } from './guards/shared-rate-limit.ts';
import { createTokenTrustStore, type TokenTrustStore } from './guards/token-trust-store.ts';
import { createPendingSrpCache, type PendingSrpCache } from './login/pending-srp-cache.ts';
import { createOpenApi } from './openapi-document.ts';
import { createShutdownState, type ShutdownState } from './shutdown-state.ts';
import type { CachedSessionContent } from './web/session-content.ts';
import type { StoredSession } from './web/web-session.ts';

/** Some kilobytes each. */
const MOST_CONTENTS = 1024;

/** What guards and handlers work with: what the gateway was given, and what belongs to this instance of it. */
export interface GatewayRuntime extends GatewayDeps {
  readonly rateLimit: RateLimit;
  readonly sharedLimit: SharedRateLimit;
  readonly tokenTrustStore: TokenTrustStore;
  readonly inMemoryAdminKeys: InMemoryAdminKeys;
  readonly refusalLogLimit: RefusalLogLimit;
  /** One of its own, so that whoever sends wrong secrets of app clients hides no refused admin key. */
  readonly clientRefusalLogLimit: RefusalLogLimit;
  readonly pendingSrpCache: PendingSrpCache;
  /** Refreshes of browser sessions that this process is at, by the digests of their ids. */
  readonly sessionRefreshes: Map<string, Promise<StoredSession | undefined>>;
  /** What was decrypted of browser sessions, so that the next request costs no decryption. Whether a session lives is not told by it. */
  readonly sessionContents: BoundedMap<string, CachedSessionContent>;
  readonly openApi: () => OpenApiDocument;
  /** The same as a page. */
  readonly docsPage: () => string;
  readonly shutdownState: ShutdownState;
}

/** Gives a service its limits and caches. Once for each instance, so that two instances share nothing. */
export function createRuntime(deps: GatewayDeps, stopping: ShutdownState = createShutdownState()): GatewayRuntime {
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
    sessionContents: new BoundedMap(MOST_CONTENTS),
    openApi,
    docsPage: createDocsPage(openApi, deps.settings),
    shutdownState: stopping,
  };
}
