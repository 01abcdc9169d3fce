import { createGateway, type Gateway, type GatewaySettings } from '@poolgate/gateway';
import { computeHere } from '@poolgate/srp';
import type { TestContext } from '../../packages/pool/src/testing/context.ts';
import type { TestPool } from '../../packages/pool/src/testing/pool.ts';

/** The HTTP service over a pool and a store that a test has in its hands; without limits by address. */
export function gatewayOver(
  { context, records, timer }: TestContext,
  { embedded, userPoolId, clientId }: TestPool,
  more: Partial<GatewaySettings> = {},
): Promise<Gateway> {
  return createGateway({
    provider: embedded,
    userPoolId,
    clientId,
    records,
    keyRing: context.keyRing,
    engine: context.engine,
    srp: computeHere(context.engine),
    clock: context.clock,
    random: context.random,
    settings: {
      baseUrl: 'http://localhost',
      apiPrefix: '/api/cognito',
      webPrefix: '/cognito',
      browserSessions: { idleSeconds: 3600, longestSeconds: 86_400, staySeconds: 2_592_000 },
      returnOrigins: [],
      trustedProxies: [],
      corsOrigins: [],
      oauth: true,
      pkce: 'required',
      cognitoApi: true,
      srpAssisted: true,
      loginFlow: 'srp',
      introspect: false,
      rateLimits: { readsPerMinute: 0, loginStepsPerMinute: 0, userStepsPerMinute: 0, clientStepsPerMinute: 0 },
      mfaSetup: 'OPTIONAL',
      mfaTypes: ['SOFTWARE_TOKEN_MFA'],
      mfaQrLibrary: 'builtin',
      recentLoginSeconds: 900,
      recentLoginOnCognitoApi: false,
      adminGroups: [],
      auditDays: 90,
      verifierPasswords: true,
      privateWebhooks: false,
      overloadMs: 0,
      logLevel: 'silent',
      ...more,
    },
    adminKeys: [],
    outbox: undefined,
    timer,
    postWebhook: () => Promise.resolve({ ok: true }),
    logStream: { write: () => {} },
  });
}
