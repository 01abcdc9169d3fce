import { createGateway, type Gateway, type GatewaySettings } from '@poolgate/gateway';
import { createSyncComputations } from '@poolgate/srp';
import { TEST_SETTINGS } from '../../../packages/gateway/src/testing/gateway-deps.ts';
import type { TestEnvironment } from '../../../packages/pool/src/testing/test-environment.ts';
import type { TestPool } from '../../../packages/pool/src/testing/test-pool.ts';

/** Creates the HTTP service over a pool and a store in the test process, without limits by address. */
export function createGatewayServer(
  { options: context, records, timer }: TestEnvironment,
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
    srp: createSyncComputations(context.engine),
    clock: context.clock,
    random: context.random,
    settings: { ...TEST_SETTINGS, baseUrl: 'http://localhost', ...more },
    adminKeys: [],
    outbox: undefined,
    timer,
    postWebhook: () => Promise.resolve({ ok: true }),
    postLogoutToken: () => Promise.resolve({ ok: true }),
    isWebhookUrlRefused: () => Promise.resolve(false),
    logStream: { write: () => {} },
  });
}
