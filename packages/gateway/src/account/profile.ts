import { refusing } from '../errors.ts';
import type { Handler } from '../handler.ts';
import { presentUser } from './user.ts';

/** GET /user/profile: the user of the access token, whom this makes known here on first sight. */
export const showProfile: Handler<'userProfile'> = async (deps, { caller, context }) => {
  const user = await refusing(deps.provider.operations.getUser({ AccessToken: caller.accessToken }, context), {
    NotAuthorizedException: 'unauthenticated',
    UserNotFoundException: 'unauthenticated',
  });
  const local = await deps.records.seeUser(
    { userPoolId: deps.userPoolId, sub: caller.sub, username: caller.username },
    deps.clock.now(),
  );
  return {
    status: 200,
    body: { status: 'success', message: 'The user.', data: {}, user: presentUser(user, local) },
  };
};
