import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';

/**
 * Requires a pool with passkeys.
 * @throws {GatewayError} feature_disabled
 */
export async function requirePasskeys({ provider, userPoolId }: GatewayDeps): Promise<void> {
  const pool = await provider.describe(userPoolId);
  if (pool === undefined) throw new GatewayError('unavailable', undefined, { retryAfterSeconds: 1 });
  if (pool.passkeys === null) throw new GatewayError('feature_disabled');
}
