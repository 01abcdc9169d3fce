import type { GatewayDeps } from '../deps.ts';
import { GatewayError } from '../errors.ts';
import type { UserCaller } from './caller.ts';

/**
 * Lets a login through that is recent enough to change what the user proves itself with. A refresh keeps `auth_time`,
 * so that only a login renews it.
 * @throws {GatewayError} reauthentication_required
 */
export function requireFreshProof(
  { clock, settings }: Pick<GatewayDeps, 'clock' | 'settings'>,
  { authTimeSeconds }: Pick<UserCaller, 'authTimeSeconds'>,
): void {
  const ageSeconds = Math.floor(clock.now() / 1000) - authTimeSeconds;
  if (ageSeconds > settings.freshProofSeconds) throw new GatewayError('reauthentication_required');
}
