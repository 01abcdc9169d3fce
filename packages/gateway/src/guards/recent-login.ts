import type { UserCaller } from '../kernel/caller.ts';
import type { GatewayDeps } from '../kernel/deps.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';

type Parts = Pick<GatewayDeps, 'clock' | 'settings'>;
type Login = Pick<UserCaller, 'authTimeSeconds'>;

/** Whether a login is recent enough to change login factors. A refresh keeps `auth_time`, so only a login renews it. */
export function isRecentLogin({ clock, settings }: Parts, { authTimeSeconds }: Login): boolean {
  return Math.floor(clock.now() / 1000) - authTimeSeconds <= settings.recentLoginSeconds;
}

/**
 * Requires a recent login.
 * @throws {GatewayError} reauthentication_required
 */
export function requireRecentLogin(parts: Parts, login: Login): void {
  if (!isRecentLogin(parts, login)) throw new GatewayError('reauthentication_required');
}
