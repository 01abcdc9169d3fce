import { GatewayError } from '../errors.ts';
import type { Handler } from '../handler.ts';

/** GET /healthz: the process answers. It asks nobody else, so that a slow store never gets the process killed. */
export const showHealth: Handler<'health'> = async () => ({ status: 200, body: { status: 'ok' } });

/** GET /readyz: the store answers, the pool exists, and the service is not about to stop. */
export const showReadiness: Handler<'ready'> = async ({ records, provider, userPoolId, stopping }) => {
  if (stopping.isStopping) {
    throw new GatewayError('unavailable', 'The service is stopping.', { retryAfterSeconds: 1 });
  }
  const answers = await Promise.allSettled([records.ready(), provider.describe(userPoolId)]);
  if (!answers.every((answer) => answer.status === 'fulfilled' && answer.value)) {
    throw new GatewayError('unavailable', 'The service is not ready.', { retryAfterSeconds: 1 });
  }
  return { status: 200, body: { status: 'ok' } };
};
