import { ProviderError } from '@poolgate/provider';
import type { GatewayDeps } from '../kernel/deps.ts';
import { convertProviderError, GatewayError } from '../kernel/gateway-errors.ts';

/** First factors that use the password, which the lock affects. */
const PASSWORDS: ReadonlySet<string> = new Set(['PASSWORD', 'PASSWORD_SRP']);

/**
 * Awaits a step that proves a password. If the password is locked, the error lists the other first factors that the pool offers, which are
 * the same for every username.
 * @throws {GatewayError} 429 with `available_challenges`
 */
export async function offerOtherFirstFactors<Step>(deps: GatewayDeps, step: Promise<Step>): Promise<Step> {
  try {
    return await step;
  } catch (error) {
    if (!(error instanceof ProviderError) || error.reason !== 'locked') throw error;
    const { message, retryAfterSeconds = 1 } = convertProviderError(error);
    const pool = await deps.provider.describe(deps.userPoolId);
    const availableChallenges = (pool?.firstFactors ?? []).filter((name) => !PASSWORDS.has(name));
    throw new GatewayError('too_many_requests', message, { cause: error, retryAfterSeconds, availableChallenges });
  }
}
