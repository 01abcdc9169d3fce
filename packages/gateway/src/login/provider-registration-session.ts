import type { GatewayDeps } from '../kernel/deps.ts';
import { decryptRegistrationSession } from '../users/registration-session.ts';

/**
 * The provider's session of the registration that a login came with. A provider that does not confirm registrations by claim answers a login
 * without it, so that every unconfirmed user is answered like a wrong password there.
 * @throws {GatewayError} invalid_session: not a registration's, or of another name
 */
export function findProviderRegistrationSession(
  deps: GatewayDeps,
  { username, session }: { readonly username: string; readonly session?: string | undefined },
): string | undefined {
  if (session === undefined) return undefined;
  const { providerSession } = decryptRegistrationSession(deps, username, session);
  return deps.provider.extensions.confirm_registration === undefined ? undefined : providerSession;
}
