import { refusing } from '../errors.ts';
import type { Handler } from '../handler.ts';
import { endLogins } from '../tokens/endings.ts';
import { findUser, USER_REFUSALS } from './find-user.ts';

/** POST /admin/users/{username}/reset-password: the user sets a new password by a code before anything else. */
export const orderPasswordReset: Handler<'adminUserResetPassword'> = async (deps, { params, context }) => {
  const { operations } = deps.provider;
  const { sub, named } = await findUser(deps, params.username, context);
  await refusing(operations.adminResetUserPassword(named, context), USER_REFUSALS);
  // A reset alone leaves refresh tokens alive at Cognito.
  await refusing(operations.adminUserGlobalSignOut(named, context), USER_REFUSALS);
  const user = { userPoolId: deps.userPoolId, sub, username: named.Username };
  await deps.records.setPasswordResetRequired(user, true, deps.clock.now());
  await endLogins(deps, sub);
  return { status: 200, body: { status: 'success', message: 'The reset is initiated.', data: {} } };
};
