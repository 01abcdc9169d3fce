import type { GatewayDeps } from '../kernel/deps.ts';
import { decryptRegistrationSession } from '../users/registration-session.ts';

/**
 * Returns the provider's session of the login's registration. For a provider without confirmation by claim, it is omitted, so that every
 * unconfirmed user looks like a wrong password there.
 * @throws {GatewayError} invalid_session: not a session of a registration, or of another name
 */
export function findProviderRegistrationSession(
  deps: GatewayDeps,
  { username, session }: { readonly username: string; readonly session?: string | undefined },
): string | undefined {
  if (session === undefined) return undefined;
  const { providerSession } = decryptRegistrationSession(deps, username, session);
  return deps.provider.extensions.confirm_registration === undefined ? undefined : providerSession;
}
