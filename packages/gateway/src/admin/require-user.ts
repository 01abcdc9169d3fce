import type { CallContext, Output } from '@poolgate/provider';
import type { GatewayDeps } from '../kernel/deps.ts';
import { type ErrorMapping, mapProviderErrors } from '../kernel/gateway-errors.ts';
import { requireSub } from '../users/present-user.ts';

/** The meaning of a provider's errors if an administrator names a user. */
export const NAMED_USER_ERRORS: ErrorMapping = {
  UserNotFoundException: 'user_not_found',
  NotAuthorizedException: 'invalid_user_state',
};

/** The user that an administrator named. */
export interface FoundUser {
  readonly user: Output<'AdminGetUser'>;
  readonly sub: string;
  /** Identifies the user in provider calls, whatever name was typed. */
  readonly identifiers: { readonly UserPoolId: string; readonly Username: string };
}

/**
 * Returns the user of a name.
 * @throws {GatewayError} user_not_found
 */
export async function requireUser(deps: GatewayDeps, username: string, call: CallContext): Promise<FoundUser> {
  const { provider, userPoolId } = deps;
  const user = await mapProviderErrors(
    provider.operations.adminGetUser({ UserPoolId: userPoolId, Username: username }, call),
    NAMED_USER_ERRORS,
  );
  return { user, sub: requireSub(user), identifiers: { UserPoolId: userPoolId, Username: user.Username } };
}
