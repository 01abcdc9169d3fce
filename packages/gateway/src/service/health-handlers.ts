/** Handlers of the service itself: health, docs, error pages, and the development outbox. */
import type { HealthCheckResult } from '../kernel/deps.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { Handler } from '../runtime/handler.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';

/** GET /healthz: the process responds. It checks nothing else, so that a slow store does not cause the process to be killed. */
export const showHealth: Handler<'health'> = async () => ({ status: 200, body: { status: 'ok' } });

/** GET /readyz: the pool exists, the vital parts work, and the service is not shutting down. Other parts are only reported. */
export const showReadiness: Handler<'ready'> = async (runtime) => {
  if (runtime.shutdownState.isStopping) {
    throw new GatewayError('unavailable', 'The service is stopping.', { retryAfterSeconds: 1 });
  }
  const parts = await runHealthChecks(runtime);
  const missing = parts.filter(({ isVital, holds }) => isVital && !holds).map(({ check }) => check);
  if (missing.length > 0) {
    throw new GatewayError('unavailable', `The service is not ready: ${missing.join(', ')}.`, { retryAfterSeconds: 1 });
  }
  const checks = Object.fromEntries(parts.map(({ check, holds }) => [check, holds ? 'ok' : 'failing'] as const));
  return { status: 200, body: { status: 'ok', checks } };
};

async function runHealthChecks({
  records,
  provider,
  userPoolId,
  lookAtParts: look,
}: GatewayRuntime): Promise<readonly HealthCheckResult[]> {
  const vital = async (check: string, answer: Promise<unknown>): Promise<HealthCheckResult> => ({
    check,
    isVital: true,
    holds: await answer.then(Boolean, () => false),
  });
  const pool = vital('pool', provider.describe(userPoolId));
  const parts = look === undefined ? Promise.all([vital('store', records.ready())]) : look();
  return [...(await parts), await pool];
}
