import type { CallContext, Output } from '@poolgate/provider';
import type { GatewayDeps } from '../kernel/deps.ts';
import { type ErrorMapping, mapProviderErrors } from '../kernel/gateway-errors.ts';
import { requireSub } from '../users/present-user.ts';

/** What a provider's refusals mean where an administrator names a user. */
export const NAMED_USER_ERRORS: ErrorMapping = {
  UserNotFoundException: 'user_not_found',
  NotAuthorizedException: 'invalid_user_state',
};

/** A user that an administrator named. */
export interface FoundUser {
  readonly user: Output<'AdminGetUser'>;
  readonly sub: string;
  /** What names the user in calls to the provider, whatever name was typed. */
  readonly identifiers: { readonly UserPoolId: string; readonly Username: string };
}

/**
 * The user of a name, by any of its names.
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
