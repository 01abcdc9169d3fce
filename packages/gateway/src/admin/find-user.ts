import type { CallContext, Output } from '@poolgate/provider';
import { subOf } from '../account/user.ts';
import type { GatewayDeps } from '../deps.ts';
import { type Refusals, refusing } from '../errors.ts';

/** What a provider's refusals mean where an administrator names a user. */
export const USER_REFUSALS: Refusals = {
  UserNotFoundException: 'user_not_found',
  NotAuthorizedException: 'invalid_user_state',
};

/** A user that an administrator named. */
export interface FoundUser {
  readonly user: Output<'AdminGetUser'>;
  readonly sub: string;
  /** What names the user in calls to the provider, whatever name was typed. */
  readonly named: { readonly UserPoolId: string; readonly Username: string };
}

/**
 * The user of a name, by any of its names.
 * @throws {GatewayError} user_not_found
 */
export async function findUser(deps: GatewayDeps, username: string, context: CallContext): Promise<FoundUser> {
  const { provider, userPoolId } = deps;
  const user = await refusing(
    provider.operations.adminGetUser({ UserPoolId: userPoolId, Username: username }, context),
    USER_REFUSALS,
  );
  return { user, sub: subOf(user), named: { UserPoolId: userPoolId, Username: user.Username } };
}
