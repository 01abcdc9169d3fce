import type { OpenApiDocument } from '@poolgate/contract';
import { BoundedMap } from './bounded-map.ts';
import type { GatewayDeps } from './deps.ts';
import { createDocsPage } from './docs-page/docs-page.ts';
import { type BearerTrust, createBearerTrust } from './guards/bearer-trust.ts';
import { createInMemoryKeys, type InMemoryKeys } from './guards/in-memory-keys.ts';
import { createRateLimit, type RateLimit } from './guards/rate-limit.ts';
import { createRefusalAllowance, type RefusalAllowance } from './guards/refusal-allowance.ts';
import { createSharedLimit, type SharedLimit } from './guards/shared-limit.ts';
import { createStartedLogins, type StartedLogins } from './login/started-logins.ts';
import { createOpenApi } from './openapi-document.ts';
import { createStopping, type Stopping } from './stopping.ts';
import type { OpenedContent } from './web/session-content.ts';
import type { StoredSession } from './web/web-session.ts';

/** Some kilobytes each. */
const MOST_CONTENTS = 1024;

/** What guards and handlers work with: what the gateway was given, and what belongs to this instance of it. */
export interface GatewayRuntime extends GatewayDeps {
  readonly rateLimit: RateLimit;
  readonly sharedLimit: SharedLimit;
  readonly bearerTrust: BearerTrust;
  readonly inMemoryKeys: InMemoryKeys;
  readonly refusalAllowance: RefusalAllowance;
  /** One of its own, so that whoever sends wrong secrets of app clients hides no refused admin key. */
  readonly clientRefusalAllowance: RefusalAllowance;
  readonly startedLogins: StartedLogins;
  /** Refreshes of browser sessions that this process is at, by the digests of their ids. */
  readonly sessionRefreshes: Map<string, Promise<StoredSession | undefined>>;
  /** What was decrypted of browser sessions, so that the next request costs no decryption. Whether a session lives is not told by it. */
  readonly sessionContents: BoundedMap<string, OpenedContent>;
  readonly openApi: () => OpenApiDocument;
  /** The same as a page. */
  readonly docsPage: () => string;
  readonly stopping: Stopping;
}

/** Gives a service its limits and caches. Once for each instance, so that two instances share nothing. */
export function createRuntime(deps: GatewayDeps, stopping: Stopping = createStopping()): GatewayRuntime {
  const openApi = createOpenApi({ apiPrefix: deps.settings.apiPrefix, webPrefix: deps.settings.webPrefix });
  return {
    ...deps,
    rateLimit: createRateLimit(deps),
    sharedLimit: createSharedLimit(deps),
    bearerTrust: createBearerTrust(deps),
    inMemoryKeys: createInMemoryKeys(deps),
    refusalAllowance: createRefusalAllowance(deps.clock),
    clientRefusalAllowance: createRefusalAllowance(deps.clock),
    startedLogins: createStartedLogins(),
    sessionRefreshes: new Map(),
    sessionContents: new BoundedMap(MOST_CONTENTS),
    openApi,
    docsPage: createDocsPage(openApi, deps.settings),
    stopping,
  };
}
