import { NO_LOCAL_FLAGS, presentUser, subOf } from '../account/user.ts';
import { refusing } from '../errors.ts';
import type { Handler } from '../handler.ts';

/** GET /admin/users/{username}. */
export const showUser: Handler<'adminUserGet'> = async (deps, { params, context }) => {
  const { userPoolId } = deps;
  const user = await refusing(
    deps.provider.operations.adminGetUser({ UserPoolId: userPoolId, Username: params.username }, context),
    { UserNotFoundException: 'user_not_found' },
  );
  const local = await deps.records.localUser(userPoolId, subOf(user));
  return {
    status: 200,
    body: { status: 'success', message: 'The user.', data: {}, user: presentUser(user, local ?? NO_LOCAL_FLAGS) },
  };
};
